import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auroc, bootstrapInterval, comparePaired, seededRandom } from '../../../src/eval/statistics.ts';

describe('auroc', () => {
  it('by hand, ties counting half', () => {
    // pairs (3,2) (3,1) (2,2) (2,1): 1 + 1 + ½ + 1 of 4
    expect(auroc([3, 2], [2, 1])).toBe(3.5 / 4);
    expect(auroc([1], [0])).toBe(1);
    expect(auroc([0], [1])).toBe(0);
    expect(auroc([5, 5, 5], [5, 5])).toBe(0.5);
    expect(auroc([Number.POSITIVE_INFINITY], [Number.POSITIVE_INFINITY, 0])).toBe(1.5 / 2);
  });

  it('is undefined with one side empty and refuses NaN', () => {
    expect(auroc([], [1])).toBeUndefined();
    expect(auroc([1], [])).toBeUndefined();
    expect(() => auroc([Number.NaN], [1])).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it('equals counting all pairs', () => {
    const scores = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(scores, scores, (positives, negatives) => {
        let won = 0;
        for (const p of positives) for (const n of negatives) won += p > n ? 1 : p === n ? 0.5 : 0;
        expect(auroc(positives, negatives)).toBeCloseTo(won / (positives.length * negatives.length), 12);
      }),
    );
  });
});

describe('comparePaired', () => {
  it.each([2, 40])('refuses NaN among %i values, which would pass for a sure difference', (n) => {
    const values = Array.from({ length: n }, (_, i) => i / n);
    expect(() => comparePaired(values, [...values.slice(1), Number.NaN])).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
  });

  it('enumerates small cases: 3 wins of the same size out of 3 happen by chance in 2 of 8 arrangements', () => {
    expect(comparePaired([0, 0, 0], [1, 1, 1])).toEqual({ difference: 1, pValue: 2 / 8 });
  });

  it('by hand with unequal sizes: |±1 ±2 ±3| ≥ 2 holds for 6 of 8', () => {
    // observed: 1 - 2 + 3 = 2; the eight sums are ±6, ±4, ±2, 0, 0
    expect(comparePaired([0, 0, 0], [1, -2, 3]).pValue).toBe(6 / 8);
  });

  it('identical systems differ by nothing', () => {
    expect(comparePaired([0.2, 0.9], [0.2, 0.9])).toEqual({ difference: 0, pValue: 1 });
  });

  it('sampling agrees with the sign test where all differences are equal', () => {
    // 20 queries, 15 better and 5 worse by 0.1: two-sided binomial P(X ≥ 15 or X ≤ 5) with p = ½
    const a = Array.from({ length: 20 }, () => 0.5);
    const b = a.map((value, i) => (i < 15 ? value + 0.1 : value - 0.1));
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
    const exact = (2 * [0, 1, 2, 3, 4, 5].reduce((sum, k) => sum + choose(20, k), 0)) / 2 ** 20;
    const { pValue, difference } = comparePaired(a, b, { permutations: 50_000 });
    expect(difference).toBeCloseTo((15 * 0.1 - 5 * 0.1) / 20, 12);
    expect(Math.abs(pValue - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 50_000));
  });

  it('never reports 0 and is the same for the same seed', () => {
    const a = Array.from({ length: 30 }, () => 0);
    const b = a.map((_, i) => 1 + i / 100);
    expect(comparePaired(a, b, { permutations: 100 }).pValue).toBe(1 / 101);
    const c = b.map((value, i) => (i % 3 ? value : -value));
    expect(comparePaired(a, c, { seed: 3 })).toEqual(comparePaired(a, c, { seed: 3 }));
  });

  it('refuses lists that do not pair', () => {
    expect(() => comparePaired([1], [1, 2])).toThrow(/1 and 2 values/);
    expect(() => comparePaired([], [])).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});

describe('bootstrapInterval', () => {
  it('has the width of the normal approximation on many values', () => {
    const random = seededRandom(11);
    const values = Array.from({ length: 1000 }, () => random());
    const { mean, low, high } = bootstrapInterval(values, { resamples: 4000 });
    const sd = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length);
    const width = (2 * 1.96 * sd) / Math.sqrt(values.length);
    expect(low).toBeLessThan(mean);
    expect(high).toBeGreaterThan(mean);
    expect((high - low) / width).toBeGreaterThan(0.93);
    expect((high - low) / width).toBeLessThan(1.07);
  });

  it('covers the true mean about as often as it says', () => {
    let covered = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const random = seededRandom(seed * 7919);
      const values = Array.from({ length: 60 }, () => random());
      const { low, high } = bootstrapInterval(values, { resamples: 300, seed });
      if (low <= 0.5 && 0.5 <= high) covered++;
    }
    expect(covered).toBeGreaterThan(200 * 0.95 - 4 * Math.sqrt(200 * 0.95 * 0.05));
  });

  it('is a point for equal values, repeatable for a seed, another for another seed', () => {
    expect(bootstrapInterval([0.5, 0.5, 0.5])).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
    const values = [0, 0.1, 0.4, 0.7, 1];
    expect(bootstrapInterval(values, { seed: 5 })).toEqual(bootstrapInterval(values, { seed: 5 }));
    const many = Array.from({ length: 50 }, (_, i) => (i * 37) % 101);
    expect(bootstrapInterval(many, { seed: 5 })).not.toEqual(bootstrapInterval(many, { seed: 6 }));
  });

  it('refuses nonsense', () => {
    expect(() => bootstrapInterval([])).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    expect(() => bootstrapInterval([1], { confidence: 1 })).toThrow(/between 0 and 1/);
    expect(() => bootstrapInterval([1], { resamples: 0 })).toThrow(/whole number from 1/);
  });
});

describe('seededRandom', () => {
  it('is uniform enough and repeatable', () => {
    const random = seededRandom(0);
    const buckets = new Array<number>(10).fill(0);
    for (let i = 0; i < 10_000; i++) buckets[Math.floor(random() * 10)]!++;
    const chiSquare = buckets.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(chiSquare).toBeLessThan(27.9); // 9 degrees of freedom, p = 0.001
    expect(seededRandom(9)()).toBe(seededRandom(9)());
  });
});
