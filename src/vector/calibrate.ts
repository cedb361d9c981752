import { Int8Rows, type Nearest } from './int8-rows.ts';
import type { SignRows } from './sign-rows.ts';
import { TopScores } from './top.ts';

/** A stored row as a query, and its true nearest neighbours (without itself), best first. */
interface SampledQuery {
  readonly vector: Int8Array;
  readonly neighbours: Uint32Array;
}

export interface SignCalibration {
  /**
   * How many of the rows nearest by their first bits are compared by all bits. Absent when not measured or of no help:
   * then all rows are compared.
   */
  readonly first?: number | undefined;
  /** Number of candidates by Hamming distance that an exact search needs. */
  readonly candidates: number;
  /**
   * How many of the candidates, reordered by the full-precision query, are compared exactly for the nearest ten. Absent
   * in calibrations of older versions: then all.
   */
  readonly kept?: number | undefined;
  /** Share of the true ten nearest neighbours among the candidates, over the sample. */
  readonly recall: number;
  /** Number of rows at the measurement. With twice as many rows, measure again. */
  readonly rows: number;
}

const neighbours = 10;

/**
 * Least number of candidates that are reordered when vectors are on disk. Reordering is cheap, and fewer vectors are
 * then read.
 */
export const leastReordered = 1000;

/** Finds the true neighbours of sampled rows in one pass over all rows, one batch in memory at a time. */
export class NeighbourSample {
  readonly #queries: readonly { readonly row: number; readonly vector: Int8Array; readonly top: TopScores }[];
  /** The rows of the current batch. */
  readonly #batch: Int8Rows;
  #seen = 0;

  /** @param queries row numbers and vectors; zero vectors are left out */
  constructor(dimensions: number, queries: Iterable<readonly [row: number, vector: Int8Array]>) {
    this.#batch = new Int8Rows(dimensions);
    this.#queries = Array.from(queries, ([row, vector]) => ({ row, vector, top: new TopScores(neighbours) })).filter(
      ({ vector }) => vector.some((component) => component !== 0),
    );
  }

  /** @param vectors the rows after those already added */
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

/** At most 64 of the row numbers below `rows`, evenly spread. */
export function sampleRows(rows: number): number[] {
  const taken = Math.min(rows, 64);
  return Array.from({ length: taken }, (_, i) => Math.floor(((i + 0.5) * rows) / taken));
}

/**
 * Measures the ranks of the true neighbours in the Hamming ranking. The number of candidates is twice the 99th
 * percentile of these ranks, at least 100.
 * @param signsOf the bits of a vector
 * @param componentsOf the full-precision components behind the bits
 * @param most maximum number of candidates
 * @returns undefined when more than `most` candidates are needed: the bits are no help
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
 * Twice the larger of `candidates` and the 99.8th percentile of the ranks by the first bits. A neighbour that is lost
 * here is lost in addition to those lost later, and more rows cost little.
 * @returns undefined for a sixteenth of the rows or more
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

/** The ranks of the true neighbours in a ranking, ascending; `Infinity` for a neighbour that the ranking lacks. */
function ranksOf(sample: readonly SampledQuery[], rankingOf: (query: SampledQuery) => Uint32Array): number[] {
  return sample
    .flatMap((query) => {
      const places = new Map(Array.from(rankingOf(query), (ordinal, place) => [ordinal, place]));
      return Array.from(query.neighbours, (ordinal) => places.get(ordinal) ?? Number.POSITIVE_INFINITY);
    })
    .sort((a, b) => a - b);
}

/** `times` the 99th percentile of the ranks, at least `least`. */
function enough(ranks: readonly number[], times = 2, least = 100): number {
  return Math.max(least, Math.ceil(times * (ranks[Math.min(ranks.length - 1, Math.ceil(0.99 * ranks.length))]! + 1)));
}
