/** The usual ways to merge ranked lists, for comparison with ibid's own. */

/** Best first. */
export interface ScoredList {
  readonly rows: readonly number[];
  readonly scores: readonly number[];
}

/**
 * Reciprocal rank fusion: each list adds 1 / (k + rank).
 * @see Cormack, Clarke & Büttcher 2009, doi:10.1145/1571941.1572114 (k = 60)
 */
export function reciprocalRankFusion(lists: readonly ScoredList[], k = 60): number[] {
  const sums = new Map<number, number>();
  for (const { rows } of lists) {
    for (const [i, row] of rows.entries()) sums.set(row, (sums.get(row) ?? 0) + 1 / (k + i + 1));
  }
  return sorted(sums);
}

/**
 * Weighted sum of scores spread to [0, 1] within each list; a row that a list does not name has its 0.
 * @param weights one per list
 */
export function weightedSum(lists: readonly ScoredList[], weights: readonly number[]): number[] {
  const sums = new Map<number, number>();
  for (const [l, { rows, scores }] of lists.entries()) {
    const most = Math.max(...scores);
    const least = Math.min(...scores);
    const range = most - least || 1;
    for (const [i, row] of rows.entries()) {
      sums.set(row, (sums.get(row) ?? 0) + weights[l]! * ((scores[i]! - least) / range));
    }
  }
  return sorted(sums);
}

function sorted(sums: ReadonlyMap<number, number>): number[] {
  return [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([row]) => row);
}
