/**
 * Vectors made for the bench, in files that every engine reads: the same rows, the same queries, the true neighbours.
 */
import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { cosineOf, hadamard, Int8Rows, seededRandom, TopScores } from '../../src/internal.ts';

/** What the rows of a made set are like. */
export const vectorKinds: Readonly<Record<string, string>> = {
  'low-rank': 'in 48 directions, 2,000 clusters',
  'full-rank': 'variance of axis i ~ i^-0.9, 2,000 clusters',
  lsa: 'variance of axis i ~ i^-1.5, 2,000 clusters',
  turned: 'variance of axis i ~ i^-0.9, 2,000 clusters, axes turned at random',
};

/** Vectors of one kind, one after the other; scaled so that the largest component is 127. */
export function* generate(kind: string, dims: number, seed: number): Generator<Int8Array, never, undefined> {
  for (const vector of generateFloats(kind, dims, seed)) {
    let largest = 0;
    for (let i = 0; i < dims; i++) largest = Math.max(largest, Math.abs(vector[i]!));
    const out = new Int8Array(dims);
    for (let i = 0; i < dims; i++) out[i] = Math.round((vector[i]! / largest) * 127);
    yield out;
  }
  throw new Error('the floats have no end');
}

/** The same before they are rounded; the array is filled anew for each. */
export function* generateFloats(kind: string, dims: number, seed: number): Generator<Float32Array, never, undefined> {
  const random = seededRandom(seed);
  const normal = normals(random);
  const rank = kind === 'low-rank' ? 48 : dims;
  const decay = kind === 'full-rank' || kind === 'turned' ? 0.9 : kind === 'lsa' ? 1.5 : 0;
  const scale = Float32Array.from({ length: rank }, (_, i) => (i + 1) ** (-decay / 2));
  const basis = kind === 'low-rank' ? Float32Array.from({ length: rank * dims }, normal) : undefined;
  const turn = kind === 'turned' ? turner(dims, random) : undefined;
  const centres = Array.from({ length: 2000 }, () => scale.map((s) => s * normal()));
  const latent = new Float32Array(rank);
  const vector = basis === undefined ? latent : new Float32Array(dims);
  for (;;) {
    const centre = centres[Math.floor(random() * centres.length)]!;
    for (let i = 0; i < rank; i++) latent[i] = centre[i]! + 0.6 * scale[i]! * normal();
    if (basis !== undefined) {
      vector.fill(0);
      for (let r = 0; r < rank; r++) for (let j = 0; j < dims; j++) vector[j]! += latent[r]! * basis[r * dims + j]!;
    }
    turn?.(vector);
    yield vector;
  }
}

/** Box and Muller's two at a time. */
function normals(random: () => number): () => number {
  let kept: number | undefined;
  return () => {
    if (kept !== undefined) {
      const value = kept;
      kept = undefined;
      return value;
    }
    const length = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    kept = length * Math.sin(angle);
    return length * Math.cos(angle);
  };
}

/**
 * A rotation in place. The components of an embedding model are not its principal axes: each of them carries about as
 * much as any other, which matters to whatever quantises them one by one or in groups.
 */
function turner(dims: number, random: () => number): (vector: Float32Array) => void {
  const width = 2 ** Math.floor(Math.log2(dims));
  // where the number is no power of two, two overlapping blocks by turns reach every component
  const starts = width === dims ? [0] : [0, dims - width, 0, dims - width];
  const flips = starts.map(() =>
    Float32Array.from({ length: width }, () => (random() < 0.5 ? -1 : 1) / Math.sqrt(width)),
  );
  return (vector) => {
    for (const [round, start] of starts.entries()) {
      const block = vector.subarray(start, start + width);
      for (let i = 0; i < width; i++) block[i]! *= flips[round]![i]!;
      hadamard(block);
    }
  };
}

export interface VectorShape {
  readonly kind: string;
  readonly rows: number;
  readonly dims: number;
  readonly queries: number;
}

const ROWS_PER_BATCH = 2048;

/**
 * A set of vectors in a folder: int8 rows, queries that are not among them, and each query's k-th best exact cosine.
 */
export class VectorFiles {
  readonly rows: number;
  readonly dims: number;
  readonly queries: readonly Int8Array[];
  readonly #path: string;
  readonly #kth: Float32Array;

  constructor(folder: string, dims: number) {
    this.dims = dims;
    this.#path = join(folder, 'rows.i8');
    this.rows = statSync(this.#path).size / dims;
    const queries = readFileSync(join(folder, 'queries.i8'));
    this.queries = Array.from({ length: queries.length / dims }, (_, i) =>
      Int8Array.from(queries.subarray(i * dims, (i + 1) * dims), (byte) => (byte << 24) >> 24),
    );
    // made below
    this.#kth = Float32Array.from(JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as number[]);
  }

  /** All rows in order, some thousand at a time; the array is filled anew for each. */
  *batches(): Generator<{ readonly first: number; readonly rows: number; readonly vectors: Int8Array }> {
    const file = openSync(this.#path, 'r');
    const buffer = new Int8Array(ROWS_PER_BATCH * this.dims);
    try {
      for (let first = 0; first < this.rows; first += ROWS_PER_BATCH) {
        const rows = Math.min(ROWS_PER_BATCH, this.rows - first);
        readSync(file, buffer, 0, rows * this.dims, first * this.dims);
        yield { first, rows, vectors: buffer.subarray(0, rows * this.dims) };
      }
    } finally {
      closeSync(file);
    }
  }

  /**
   * Share of the k nearest that are among `found`: rows whose cosine reaches the k-th true one's, so that ties are no
   * misses.
   */
  recall(query: number, found: readonly number[], k: number): number {
    const file = openSync(this.#path, 'r');
    const row = new Int8Array(this.dims);
    const bar = this.#kth[query]! - 1e-6;
    let hits = 0;
    try {
      for (const ordinal of new Set(found)) {
        readSync(file, row, 0, this.dims, ordinal * this.dims);
        if (cosineOf(this.queries[query]!, row) >= bar) hits++;
      }
    } finally {
      closeSync(file);
    }
    return Math.min(hits, k) / k;
  }
}

/** Makes a set in a folder, and finds the truth by exact search while it is at it. */
export function writeVectors(
  folder: string,
  { kind, rows, dims, queries }: VectorShape,
  k: number,
  seed: number,
): void {
  const source = generate(kind, dims, seed);
  const asked = Array.from({ length: queries }, () => source.next().value);
  const best = asked.map(() => new TopScores(k));
  const batch = new Int8Rows(dims);
  const buffer = new Int8Array(ROWS_PER_BATCH * dims);
  const file = openSync(join(folder, 'rows.i8'), 'w');
  for (let first = 0; first < rows; first += ROWS_PER_BATCH) {
    const count = Math.min(ROWS_PER_BATCH, rows - first);
    for (let i = 0; i < count; i++) buffer.set(source.next().value, i * dims);
    const vectors = buffer.subarray(0, count * dims);
    writeSync(file, vectors);
    batch.extend(count);
    batch.write(0, vectors);
    for (const [q, query] of asked.entries()) {
      const found = batch.search(query, k, { rows: count });
      for (const [i, row] of found.ordinals.entries()) best[q]!.add(first + row, found.cosines[i]!);
    }
  }
  closeSync(file);
  writeFileSync(join(folder, 'queries.i8'), Buffer.concat(asked.map((query) => new Uint8Array(query.buffer))));
  writeFileSync(join(folder, 'truth.json'), JSON.stringify(best.map((top) => top.finish().scores.at(-1))));
}
