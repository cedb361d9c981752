import { Int8Rows, type Nearest } from './int8-rows.ts';
import type { SignRows } from './sign-rows.ts';
import { TopScores } from './top.ts';

/** A stored row used as a query, and its true nearest neighbours (itself left out), best first. */
export interface SampledQuery {
  readonly vector: Int8Array;
  readonly neighbours: Uint32Array;
}

export interface SignCalibration {
  /**
   * How many of the nearest by the first bits of their rows an exact search needs to look at by all of them. Absent
   * where that was not measured, or is no help: then all.
   */
  readonly first?: number | undefined;
  /** How many candidates by Hamming distance an exact search needs to look at. */
  readonly candidates: number;
  /**
   * Of those, reordered by the full-precision query, how many must be looked at exactly for the nearest ten. Absent in
   * what was measured by versions that thought a hundred would do: then all.
   */
  readonly kept?: number | undefined;
  /** Share of true ten nearest neighbours among so many candidates, over the sample. */
  readonly recall: number;
  /** Rows when it was measured; measure again when there are twice as many. */
  readonly rows: number;
}

const neighbours = 10;

/**
 * Where vectors are read from disk, at least so many candidates by Hamming distance are reordered: that is cheap, and
 * lets fewer be read.
 */
export const leastReordered = 1000;

/**
 * Finds the true neighbours of sampled rows in one pass over all rows, a batch at a time, so that they need not all be
 * in memory.
 */
export class NeighbourSample {
  readonly #queries: readonly { readonly row: number; readonly vector: Int8Array; readonly top: TopScores }[];
  /** The rows of one batch at a time. */
  readonly #batch: Int8Rows;
  #seen = 0;

  /** @param queries row numbers and vectors; zero vectors are passed over */
  constructor(dimensions: number, queries: Iterable<readonly [row: number, vector: Int8Array]>) {
    this.#batch = new Int8Rows(dimensions);
    this.#queries = Array.from(queries, ([row, vector]) => ({ row, vector, top: new TopScores(neighbours) })).filter(
      ({ vector }) => vector.some((component) => component !== 0),
    );
  }

  /** @param vectors the rows that follow those already added */
  add(vectors: Int8Array): void {
    const rows = vectors.length / this.#batch.dimensions;
    this.#batch.extend(rows);
    this.#batch.write(0, vectors);
    for (const { row, vector, top } of this.#queries) {
      const found: Nearest = this.#batch.search(vector, neighbours + 1, { rows });
      for (const [i, ordinal] of found.ordinals.entries()) {
        if (ordinal + this.#seen !== row) top.add(ordinal + this.#seen, found.cosines[i]!);
      }
    }
    this.#seen += rows;
  }

  get rows(): number {
    return this.#seen;
  }

  finish(): SampledQuery[] {
    return this.#queries.map(({ vector, top }) => ({ vector, neighbours: top.finish().ordinals }));
  }
}

/** At most `count` of the row numbers below `rows`, evenly spread. */
export function sampleRows(rows: number, count = 64): number[] {
  const taken = Math.min(rows, count);
  return Array.from({ length: taken }, (_, i) => Math.floor(((i + 0.5) * rows) / taken));
}

/**
 * Measures how far down the Hamming ranking the true neighbours stand instead of guessing: twice the 99th percentile of
 * their ranks, at least 100. Undefined when that is more than `most`: then these bits are no help.
 * @param signsOf the bits of a vector
 * @param componentsOf the full-precision components behind them
 */
export function calibrate(
  sample: readonly SampledQuery[],
  signs: SignRows,
  signsOf: (vector: Int8Array) => Uint8Array,
  componentsOf: (vector: Int8Array) => ArrayLike<number> = (vector) => vector,
  most = 2048,
): SignCalibration | undefined {
  const ranks = ranksOf(sample, ({ vector }) => signs.search(signsOf(vector), most).ordinals);
  if (ranks.length === 0) return undefined;
  const candidates = enough(ranks);
  if (!(candidates <= most)) return undefined;
  const count = Math.max(leastReordered, candidates);
  const reordered = ranksOf(sample, ({ vector }) => {
    const near = signs.search(signsOf(vector), count).ordinals;
    return signs.reorder(componentsOf(vector), near, near.length - 1);
  });
  return {
    first: firstOf(sample, signs, signsOf, candidates),
    candidates,
    kept: Math.min(enough(reordered, 1.5, 64), count),
    recall: ranks.filter((rank) => rank < candidates).length / ranks.length,
    rows: signs.count,
  };
}

/**
 * Twice the 99.8th percentile of the ranks by the first bits alone, at least twice as many as are kept by all bits:
 * what is lost here is lost beside what is lost later, and looking at more costs little. Undefined when it is a
 * sixteenth of the rows or more.
 */
function firstOf(
  sample: readonly SampledQuery[],
  { head, count: rows }: SignRows,
  signsOf: (vector: Int8Array) => Uint8Array,
  candidates: number,
): number | undefined {
  if (head === undefined) return undefined;
  const most = Math.floor(rows / 16);
  const ranks = ranksOf(sample, ({ vector }) => head.search(signsOf(vector), most).ordinals);
  const first = 2 * Math.max(candidates, ranks[Math.min(ranks.length - 1, Math.floor(0.998 * ranks.length))]! + 1);
  return first < most ? first : undefined;
}

/**
 * Where the true neighbours stand in what a way of ranking gives, best place first; `Infinity` where it does not give
 * them.
 */
function ranksOf(sample: readonly SampledQuery[], rankingOf: (query: SampledQuery) => Uint32Array): number[] {
  return sample
    .flatMap((query) => {
      const places = new Map(Array.from(rankingOf(query), (ordinal, place) => [ordinal, place]));
      return Array.from(query.neighbours, (ordinal) => places.get(ordinal) ?? Number.POSITIVE_INFINITY);
    })
    .sort((a, b) => a - b);
}

/** The 99th percentile of the ranks, so many times over to be safe, and not fewer than `least`. */
function enough(ranks: readonly number[], times = 2, least = 100): number {
  return Math.max(least, Math.ceil(times * (ranks[Math.min(ranks.length - 1, Math.ceil(0.99 * ranks.length))]! + 1)));
}
