import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averagePrecision, type Grades, ndcg, precision, recall, reciprocalRank } from '../../../src/eval/metrics.ts';

const grades = (record: Record<string, number>): Grades => new Map(Object.entries(record));

describe('metrics by hand', () => {
  // ranks:            1    2    3    4    5
  const ranking = ['a', 'x', 'b', 'y', 'c'];
  const judged = grades({ a: 1, b: 2, c: 1, d: 3, x: 0 }); // d was never found, x was judged not relevant

  it('nDCG: gain = grade, discount = log2(rank + 1), ideal over all judged', () => {
    const dcg = 1 / Math.log2(2) + 2 / Math.log2(4) + 1 / Math.log2(6);
    const ideal = 3 / Math.log2(2) + 2 / Math.log2(3) + 1 / Math.log2(4) + 1 / Math.log2(5);
    expect(ndcg(ranking, judged, 10)).toBeCloseTo(dcg / ideal, 12);
  });

  it('nDCG@k cuts the ranking and the ideal alike', () => {
    expect(ndcg(ranking, judged, 2)).toBeCloseTo(1 / (3 + 2 / Math.log2(3)), 12);
  });

  it('nDCG gains are linear, not 2^grade - 1', () => {
    expect(ndcg(['b', 'd'], grades({ b: 1, d: 3 }), 10)).toBeCloseTo(
      (1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)),
      12,
    );
  });

  it('recall@k divides by all relevant, found or not', () => {
    expect(recall(ranking, judged, 3)).toBe(2 / 4);
    expect(recall(ranking, judged, 100)).toBe(3 / 4);
  });

  it('precision@k divides by k even when fewer came back', () => {
    expect(precision(ranking, judged, 3)).toBe(2 / 3);
    expect(precision(ranking, judged, 10)).toBe(3 / 10);
  });

  it('reciprocal rank is of the first relevant one, 0 beyond the cut-off', () => {
    expect(reciprocalRank(ranking, judged, 10)).toBe(1);
    expect(reciprocalRank(['x', 'y', 'c'], judged, 3)).toBe(1 / 3);
    expect(reciprocalRank(['x', 'y', 'c'], judged, 2)).toBe(0);
  });

  it('average precision counts a relevant document that is not in the ranking as 0', () => {
    expect(averagePrecision(ranking, judged)).toBeCloseTo((1 / 1 + 2 / 3 + 3 / 5) / 4, 12);
  });

  it('an empty ranking scores 0', () => {
    expect(ndcg([], judged, 10)).toBe(0);
    expect(recall([], judged, 10)).toBe(0);
    expect(precision([], judged, 10)).toBe(0);
    expect(reciprocalRank([], judged, 10)).toBe(0);
    expect(averagePrecision([], judged)).toBe(0);
  });

  it('nothing relevant judged is undefined, not 0', () => {
    for (const none of [grades({}), grades({ a: 0 }), grades({ a: -1 })]) {
      expect(ndcg(ranking, none, 10)).toBeUndefined();
      expect(recall(ranking, none, 10)).toBeUndefined();
      expect(precision(ranking, none, 10)).toBeUndefined();
      expect(reciprocalRank(ranking, none, 10)).toBeUndefined();
      expect(averagePrecision(ranking, none)).toBeUndefined();
    }
  });

  it('a negative grade takes nothing away', () => {
    expect(ndcg(['bad', 'a'], grades({ bad: -2, a: 1 }), 10)).toBeCloseTo(1 / Math.log2(3), 12);
  });

  it('a document named twice is refused within the cut-off', () => {
    expect(() => ndcg(['a', 'a'], judged, 10)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    expect(() => averagePrecision(['a', 'b', 'a'], judged)).toThrow(/"a" twice/);
    expect(recall(['a', 'a'], judged, 1)).toBe(1 / 4);
  });

  it.each([0, -1, 1.5, Number.NaN])('k = %s is refused', (k) => {
    expect(() => ndcg(['a'], judged, k)).toThrow(/whole number from 1/);
    expect(() => recall(['a'], judged, k)).toThrow(/whole number from 1/);
  });
});

/** The definitions once more, written over a 0/1 relevance vector instead of ids. */
const second = {
  dcg: (gains: number[]): number => gains.reduce((sum, g, i) => sum + Math.max(g, 0) / (Math.log(i + 2) / Math.LN2), 0),
  ndcg(ranking: string[], judged: Record<string, number>, k: number): number {
    const gains = ranking.map((id) => judged[id] ?? 0).slice(0, k);
    const ideal = Object.values(judged)
      .sort((a, b) => a - b)
      .reverse()
      .slice(0, k);
    return second.dcg(gains) / second.dcg(ideal);
  },
  map(ranking: string[], judged: Record<string, number>): number {
    const hit = ranking.map((id) => ((judged[id] ?? 0) > 0 ? 1 : 0));
    const precisions = hit.map((h, i) => (h ? hit.slice(0, i + 1).filter(Boolean).length / (i + 1) : 0));
    return precisions.reduce((a, b) => a + b, 0) / Object.values(judged).filter((g) => g > 0).length;
  },
  recall(ranking: string[], judged: Record<string, number>, k: number): number {
    const relevant = Object.keys(judged).filter((id) => judged[id]! > 0);
    return relevant.filter((id) => ranking.indexOf(id) !== -1 && ranking.indexOf(id) < k).length / relevant.length;
  },
  rr(ranking: string[], judged: Record<string, number>, k: number): number {
    const ranks = Object.keys(judged)
      .filter((id) => judged[id]! > 0 && ranking.includes(id))
      .map((id) => ranking.indexOf(id) + 1);
    const best = Math.min(...ranks);
    return best <= k ? 1 / best : 0;
  },
};

describe('metrics as properties', () => {
  const ids = Array.from({ length: 12 }, (_, i) => `d${i}`);
  const judgedArbitrary = fc
    .dictionary(fc.constantFrom(...ids), fc.integer({ min: -1, max: 3 }), { minKeys: 1 })
    .filter((judged) => Object.values(judged).some((grade) => grade > 0));
  const rankingArbitrary = fc.shuffledSubarray(ids);
  const kArbitrary = fc.integer({ min: 1, max: 15 });

  it('agree with a second implementation', () => {
    fc.assert(
      fc.property(rankingArbitrary, judgedArbitrary, kArbitrary, (ranking, judged, k) => {
        const g = grades(judged);
        expect(ndcg(ranking, g, k)).toBeCloseTo(second.ndcg(ranking, judged, k), 12);
        expect(averagePrecision(ranking, g)).toBeCloseTo(second.map(ranking, judged), 12);
        expect(recall(ranking, g, k)).toBeCloseTo(second.recall(ranking, judged, k), 12);
        expect(precision(ranking, g, k)! * k).toBeCloseTo(
          second.recall(ranking, judged, k) * Object.values(judged).filter((x) => x > 0).length,
          10,
        );
        expect(reciprocalRank(ranking, g, k)).toBeCloseTo(second.rr(ranking, judged, k), 12);
      }),
    );
  });

  it('the ideal ranking scores 1 and no ranking scores more', () => {
    fc.assert(
      fc.property(rankingArbitrary, judgedArbitrary, kArbitrary, (ranking, judged, k) => {
        const g = grades(judged);
        const ideal = [...ids].sort((a, b) => (judged[b] ?? 0) - (judged[a] ?? 0));
        expect(ndcg(ideal, g, k)).toBeCloseTo(1, 12);
        expect(averagePrecision(ideal, g)).toBeCloseTo(1, 12);
        expect(reciprocalRank(ideal, g, k)).toBe(1);
        expect(ndcg(ranking, g, k)!).toBeLessThanOrEqual(1 + 1e-12);
        expect(ndcg(ranking, g, k)!).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('swapping a better document upwards never lowers nDCG', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ids, { minLength: 2 }), judgedArbitrary, fc.nat(), (ranking, judged, at) => {
        const i = at % (ranking.length - 1);
        const [upper, lower] = [ranking[i]!, ranking[i + 1]!];
        fc.pre((judged[lower] ?? 0) > Math.max(judged[upper] ?? 0, 0));
        const swapped = ranking.with(i, lower).with(i + 1, upper);
        expect(ndcg(swapped, grades(judged), 20)!).toBeGreaterThan(ndcg(ranking, grades(judged), 20)!);
      }),
    );
  });
});
