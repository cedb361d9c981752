import { setImmediate } from 'node:timers/promises';
import { avalanche } from '../core/hash.ts';
import type { VectorCache } from './service/contract.ts';

/** What rounding to eight bits costs the vectors of a model: recall@10 against the exact cosine of the floats. */
export interface Int8Recall {
  /** Share of the ten nearest by the floats that are among the ten nearest by what is stored; from 0 to 1. */
  readonly recall: number;
  /** Vectors that were compared, a sample of those of the documents. */
  readonly vectors: number;
  /** Of them, those whose nearest were looked for. */
  readonly queries: number;
}

const K = 10;
const MOST_VECTORS = 2000;
const MOST_QUERIES = 100;
/** Bounds the floats that are held. */
const MOST_BYTES = 16 * 2 ** 20;
/** Rows as near as this are equally near. */
const SAME = 1e-6;

/** Under which name a cache has the figure of a model. */
const noteOf = (id: string): string => `int8-recall-${encodeURIComponent(id)}`;

export async function noteRecall(cache: VectorCache, id: string, measured: Int8Recall): Promise<void> {
  const before = await notedRecall(cache, id);
  if ((before?.vectors ?? 0) <= measured.vectors) await cache.putNote?.(noteOf(id), JSON.stringify(measured));
}

/** Undefined where too few vectors were made to measure it. */
export async function notedRecall(cache: VectorCache, id: string): Promise<Int8Recall | undefined> {
  const noted = await cache.note?.(noteOf(id));
  return noted === undefined ? undefined : (JSON.parse(noted) as Int8Recall); // written above
}

interface Sampled {
  readonly order: number;
  readonly float: Float32Array;
  readonly stored: Int8Array;
}

/**
 * Vectors of a model as floats, and as they are stored; a sample of bounded size that does not depend on their order:
 * those with the lowest hashes. Equal vectors count once.
 */
export class Int8Sample {
  readonly #most: number;
  #sampled: Sampled[] = [];
  #bar = Infinity;

  constructor(dimensions: number) {
    this.#most = Math.max(2 * K, Math.min(MOST_VECTORS, Math.floor(MOST_BYTES / (4 * dimensions))));
  }

  add(float: ArrayLike<number>, stored: Int8Array): void {
    const order = hashOf(stored);
    if (order > this.#bar) return;
    this.#sampled.push({ order, float: unit(float), stored });
    if (this.#sampled.length >= 2 * this.#most) this.#prune();
  }

  /** Vectors in the sample. */
  get size(): number {
    this.#prune();
    return this.#sampled.length;
  }

  #prune(): void {
    this.#sampled.sort((a, b) => a.order - b.order);
    this.#sampled = this.#sampled.filter(({ order }, i, all) => order !== all[i - 1]?.order).slice(0, this.#most);
    if (this.#sampled.length === this.#most) this.#bar = this.#sampled.at(-1)!.order;
  }

  /** Gives way to other work after each query. Undefined for so few vectors that nearly all of them are the nearest. */
  async measure(): Promise<Int8Recall | undefined> {
    if (this.size < 2 * K) return undefined;
    const all = this.#sampled;
    const queries = all.slice(0, MOST_QUERIES);
    const norms = all.map(({ stored }) => Math.sqrt(dot(stored, stored)) || 1);
    let found = 0;
    for (const query of queries) {
      const exact = Float64Array.from(all, ({ float }) => dot(query.float, float));
      const rounded = Float64Array.from(all, ({ stored }, row) => dot(query.stored, stored) / norms[row]!);
      const others = [...all.keys()].filter((row) => all[row] !== query);
      const bar = others.map((row) => exact[row]!).sort((a, b) => b - a)[K - 1]!;
      const nearest = others.sort((a, b) => rounded[b]! - rounded[a]!).slice(0, K);
      found += nearest.filter((row) => exact[row]! >= bar - SAME).length;
      await setImmediate();
    }
    return { recall: found / (K * queries.length), vectors: all.length, queries: queries.length };
  }
}

function unit(vector: ArrayLike<number>): Float32Array {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! * vector[i]!;
  const length = Math.sqrt(squares) || 1;
  return Float32Array.from(vector, (x) => x / length);
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** FNV-1a with a final avalanche step, as `hash32` has it for strings. */
function hashOf(bytes: Int8Array): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) h = Math.imul(h ^ (bytes[i]! & 0xff), 0x01000193);
  return avalanche(h);
}
