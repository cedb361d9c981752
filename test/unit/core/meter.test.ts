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

it('ends a reservation once, on the meter and on those above it', () => {
  const above = new Meter(1);
  const meter = above.child();
  const sent = meter.reserve(0.4);
  sent.settle(0.3);
  sent.settle(0.3);
  sent.cancel();
  const refused = meter.reserve(0.4, 'run');
  refused.cancel();
  refused.settle(0.4);
  expect([meter.spentUsd, above.spentUsd, above.leftUsd]).toEqual([0.3, 0.3, 0.7]);
  meter.reserve(0.4, 'run').settle(0.1); // a cancelled one has booked nothing under its name
  expect(above.spentUsd).toBe(0.4);
});

it.each([-1, Number.NaN, Infinity, '5', null, {}])('takes no budget of %j', (budget) => {
  expect(() => Meter.of(budget as never)).toThrow('a budget must be a number of USD');
});

it('takes no price below 0, which would raise the budget, and none that is no number', () => {
  const meter = new Meter(1);
  for (const usd of [-5, Number.NaN, Infinity]) {
    expect(() => meter.reserve(usd)).toThrow('a price must be a number of USD from 0');
    meter.reserve(0.25).settle(usd);
  }
  expect([meter.spentUsd, meter.leftUsd]).toEqual([0.75, 0.25]);
});

it('says of a price below a millionth of a dollar that it is less, not that it is nothing', () => {
  expect(() => new Meter(0).reserve(2e-7)).toThrow('the next call costs less than 0.000001 USD; 0.000000 of 0 USD');
  expect(() => new Meter(0).reserve(0.5)).toThrow('costs about 0.500000 USD');
});
