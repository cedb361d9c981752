import { describe, expect, it } from 'vitest';
import { mean, quantile } from '../../../src/eval/summary.ts';

describe('mean', () => {
  it('is the sum over the count, and 0 of nothing', () => {
    expect(mean([1, 2, 6])).toBe((1 + 2 + 6) / 3);
    expect(mean([])).toBe(0);
  });
});

describe('quantile', () => {
  const values = [40, 10, 30, 20];

  it('interpolates between two values', () => {
    expect(quantile(values, 0.5)).toBe(20 + (30 - 20) * 0.5); // at 0.5 · 3 = 1.5 from the first
    expect(quantile(values, 0)).toBe(10);
    expect(quantile(values, 1)).toBe(40);
  });

  it('takes the value at the nearest rank', () => {
    expect(quantile(values, 0.5, 'nearest')).toBe(20); // rank ⌈0.5 · 4⌉ = 2
    expect(quantile(values, 0.51, 'nearest')).toBe(30);
    expect(quantile(values, 0, 'nearest')).toBe(10);
  });

  it('takes the value that the share lies below', () => {
    expect(quantile(values, 0.5, 'above')).toBe(30); // 10 and 20 lie below
    expect(quantile(values, 0.9, 'above')).toBe(40);
    expect(quantile(values, 1, 'above')).toBe(40);
  });

  it('is 0 of nothing, and leaves its argument as it was', () => {
    for (const method of ['linear', 'nearest', 'above'] as const) expect(quantile([], 0.5, method)).toBe(0);
    expect(values).toEqual([40, 10, 30, 20]);
  });
});
