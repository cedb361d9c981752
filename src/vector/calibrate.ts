import { Int8Rows, type Nearest } from './int8-rows.ts';
import type { SignRows } from './sign-rows.ts';
import { TopScores } from './top.ts';

/** A stored row used as a query, and its true nearest neighbours (itself left out), best first. */
export interface SampledQuery {
  readonly vector: Int8Array;
  readonly neighbours: Uint32Array;
}

export interface Calibration {
  /** How many candidates by Hamming distance an exact search needs to look at. */
  readonly candidates: number;
  /** Share of true ten nearest neighbours among so many candidates, over the sample. */
  readonly recall: number;
  /** Rows when it was measured; measure again when there are twice as many. */
  readonly rows: number;
}

const neighbours = 10;

/** Finds the true neighbours of sampled rows in one pass over all rows, a batch at a time, so that they need not all be in memory. */
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
 * Measures how far down the Hamming ranking the true neighbours stand instead of guessing: twice the 99th percentile of their
 * ranks, at least 100. Undefined when that is more than `most`: then these bits are no help.
 * @param signsOf the bits of a vector
 */
export function calibrate(
  sample: readonly SampledQuery[],
  signs: SignRows,
  signsOf: (vector: Int8Array) => Uint8Array,
  most = 2048,
): Calibration | undefined {
  const ranks: number[] = [];
  for (const query of sample) {
    const near = signs.search(signsOf(query.vector), most).ordinals;
    const places = new Map(Array.from(near, (ordinal, place) => [ordinal, place]));
    for (const ordinal of query.neighbours) ranks.push(places.get(ordinal) ?? Number.POSITIVE_INFINITY);
  }
  if (ranks.length === 0) return undefined;
  ranks.sort((a, b) => a - b);
  const percentile = ranks[Math.min(ranks.length - 1, Math.ceil(0.99 * ranks.length))]!;
  const candidates = Math.max(100, 2 * (percentile + 1));
  if (!(candidates <= most)) return undefined;
  return { candidates, recall: ranks.filter((rank) => rank < candidates).length / ranks.length, rows: signs.count };
}
