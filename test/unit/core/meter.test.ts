import { expect, it } from 'vitest';
import { Meter } from '../../../src/core/meter.ts';

it('books work that has a name once, on the meter and on those above it', () => {
  const above = new Meter(1);
  const meter = above.child();
  meter.reserve(0.4, 'run').settle(0.3);
  meter.reserve(0.4, 'run').settle(0.3);
  meter.reserve(0, 'run').settle(0.3);
  expect([meter.spentUsd, above.spentUsd]).toEqual([0.3, 0.3]);
  meter.reserve(0.4, 'other').cancel();
  meter.reserve(0.4, 'other').settle(0.1); // what was cancelled has no price yet
  meter.reserve(0.4).settle(0.1);
  expect([meter.spentUsd, above.spentUsd]).toEqual([0.5, 0.5]);
  expect(() => meter.reserve(0.6, 'third')).toThrow('are left');
  expect(above.leftUsd).toBeCloseTo(0.5, 9);
});
