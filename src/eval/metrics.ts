import { wholeOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';

/** Document id → grade of one query. A grade above 0 is relevant; absent and 0 (or less) count the same. */
export type Grades = ReadonlyMap<string, number>;

/**
 * Normalised discounted cumulative gain of one ranking; gain = grade, discount = log2(rank + 1), as trec_eval's
 * `ndcg_cut`. The ideal ranking holds every judged document, so a query with more than `k` relevant ones can still
 * reach 1.
 * @param ranking document ids, best first, no duplicates
 * @returns a number in [0, 1]; `undefined` when nothing relevant was judged
 * @throws IbidError INVALID_ARGUMENT when `k` is not a positive integer or an id occurs twice
 * @see Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418
 */
export function ndcg(ranking: readonly string[], grades: Grades, k: number): number | undefined {
  wholeOf(k, 'the cut-off k', 1);
  const ideal = [...grades.values()].filter((grade) => grade > 0).sort((a, b) => b - a);
  if (ideal.length === 0) return undefined;
  const top = cut(ranking, k);
  return discountedGain(top.map((id) => grades.get(id) ?? 0)) / discountedGain(ideal.slice(0, k));
}

/** Sum of the gains, best rank first, each divided by log2(rank + 1). */
export function discountedGain(gains: readonly number[]): number {
  let sum = 0;
  for (const [i, gain] of gains.entries()) if (gain > 0) sum += gain / Math.log2(i + 2);
  return sum;
}

/**
 * Share of the relevant documents among the first `k`: trec_eval's `recall_k`.
 * @returns a number in [0, 1]; `undefined` when nothing relevant was judged
 * @throws IbidError INVALID_ARGUMENT when `k` is not a positive integer or an id occurs twice
 */
export function recall(ranking: readonly string[], grades: Grades, k: number): number | undefined {
  wholeOf(k, 'the cut-off k', 1);
  const relevant = countRelevant(grades);
  return relevant === 0 ? undefined : relevantRanks(cut(ranking, k), grades).length / relevant;
}

/**
 * Relevant documents among the first `k`, divided by `k` even where the ranking is shorter: trec_eval's `P_k`.
 * @returns a number in [0, 1]; `undefined` when nothing relevant was judged
 * @throws IbidError INVALID_ARGUMENT when `k` is not a positive integer or an id occurs twice
 */
export function precision(ranking: readonly string[], grades: Grades, k: number): number | undefined {
  wholeOf(k, 'the cut-off k', 1);
  return countRelevant(grades) === 0 ? undefined : relevantRanks(cut(ranking, k), grades).length / k;
}

/**
 * 1 / rank of the first relevant document within the first `k`, 0 when there is none. Its mean over queries is MRR@k.
 * @returns a number in [0, 1]; `undefined` when nothing relevant was judged
 * @throws IbidError INVALID_ARGUMENT when `k` is not a positive integer or an id occurs twice
 */
export function reciprocalRank(ranking: readonly string[], grades: Grades, k: number): number | undefined {
  wholeOf(k, 'the cut-off k', 1);
  if (countRelevant(grades) === 0) return undefined;
  const first = relevantRanks(cut(ranking, k), grades)[0];
  return first === undefined ? 0 : 1 / first;
}

/**
 * Mean of the precisions at each relevant document's rank, over all relevant documents; those not in the ranking count
 * 0. The whole ranking is used: its mean over queries is trec_eval's `map`, which depends on how deep the run is.
 * @returns a number in [0, 1]; `undefined` when nothing relevant was judged
 * @throws IbidError INVALID_ARGUMENT when an id occurs twice
 */
export function averagePrecision(ranking: readonly string[], grades: Grades): number | undefined {
  const relevant = countRelevant(grades);
  if (relevant === 0) return undefined;
  let sum = 0;
  for (const [i, rank] of relevantRanks(cut(ranking, ranking.length), grades).entries()) sum += (i + 1) / rank;
  return sum / relevant;
}

/** Ranks, from 1, of the relevant documents. */
function relevantRanks(ranking: readonly string[], grades: Grades): number[] {
  const ranks: number[] = [];
  for (const [i, id] of ranking.entries()) if ((grades.get(id) ?? 0) > 0) ranks.push(i + 1);
  return ranks;
}

function countRelevant(grades: Grades): number {
  let count = 0;
  for (const grade of grades.values()) if (grade > 0) count++;
  return count;
}

/** The first `k`. A document returned twice would be rewarded twice, so it is refused instead of scored. */
function cut(ranking: readonly string[], k: number): readonly string[] {
  const top = ranking.length > k ? ranking.slice(0, k) : ranking;
  const seen = new Set<string>();
  for (const id of top) {
    if (seen.has(id)) throw new IbidError('INVALID_ARGUMENT', `a ranking holds "${id}" twice`);
    seen.add(id);
  }
  return top;
}
