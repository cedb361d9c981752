import { expect, it } from 'vitest';
import { nearestName, slipsBetween } from '../../../src/core/arguments.ts';

it('counts slips between words as one does by hand', () => {
  expect(slipsBetween('folder', 'folders')).toBe(1);
  expect(slipsBetween('leaveout', 'leaveOut')).toBe(1);
  expect(slipsBetween('', 'abc')).toBe(3);
  expect(slipsBetween('kitten', 'sitting')).toBe(3);
});

it('names what was most likely meant, and nothing where no name is near', () => {
  expect(nearestName('limt', ['mode', 'limit', 'where'])).toBe('limit');
  expect(nearestName('LIMIT', ['mode', 'limit'])).toBe('limit');
  expect(nearestName('zzzzzzzz', ['mode', 'limit'])).toBeUndefined();
  expect(nearestName('limit', [])).toBeUndefined();
});
