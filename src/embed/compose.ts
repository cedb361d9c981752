import { analyseQuery, contentTokens } from '../text/analysis.ts';
import type { EmbedDocument } from './contract.ts';
import { Kernels, type SparseRow } from './kernels.ts';
import type { LocalModel } from './local-model.ts';
import { toInt8, unpackVector } from './quantise.ts';
import { headingText } from './training-set.ts';
import { weighBag } from './vocabulary.ts';

/** How far a chunk looks for its context, in chunks to each side. */
export const neighbours = 3;
/** Length of the neighbours' mean in a chunk's vector; its own part has length 1. */
export const neighbourShare = 0.3;
/** Chunks whose term vectors are unpacked together. */
const blockChunks = 256;

/** Consecutive chunks of one document; those before `from` and from `to` on are only context. */
export interface Passage {
  readonly document: EmbedDocument;
  readonly from: number;
  readonly to: number;
}

/**
 * Turns texts into vectors with one model. Synchronous; the result for a chunk depends on nothing but the model and the
 * chunk's title, headings, text and neighbours. Memory: the model, and the unpacked vectors of the terms of 256 chunks.
 */
export class Composer {
  readonly #model: LocalModel;
  readonly #kernels = new Kernels();

  constructor(model: LocalModel) {
    this.#model = model;
  }

  /** One vector for each chunk in `[from, to)`. */
  passage({ document, from, to }: Passage): Int8Array[] {
    const { dimensions } = this.#model.info;
    const start = Math.max(0, from - neighbours);
    const end = Math.min(document.chunks.length, to + neighbours);
    const title = contentTokens(document.title);
    const bags = document.chunks
      .slice(start, end)
      .map((c) => this.#bag([...title, ...contentTokens(headingText(c)), ...contentTokens(c.text)]));
    const own = this.#embed(bags);
    const sum = new Float32Array(dimensions);
    const out: Int8Array[] = [];
    for (let i = from; i < to; i++) {
      const first = Math.max(0, i - neighbours) - start;
      const last = Math.min(document.chunks.length - 1, i + neighbours) - start;
      out.push(toInt8(blend(own, i - start, first, last, sum)));
    }
    return out;
  }

  query(text: string): Int8Array {
    return toInt8(this.#embed([this.#bag(analyseQuery(text).tokens)]));
  }

  #bag(tokens: readonly string[]): SparseRow {
    const { numberOf, factor } = this.#model;
    const numbers = new Uint32Array(tokens.length);
    let known = 0;
    for (const token of tokens) {
      const number = numberOf.get(token);
      if (number !== undefined) numbers[known++] = number;
    }
    return weighBag(numbers.subarray(0, known), factor);
  }

  /** The vector of each bag, length 1 or 0, row after row. */
  #embed(bags: readonly SparseRow[]): Float32Array {
    const { dimensions } = this.#model.info;
    const out = new Float32Array(bags.length * dimensions);
    for (let from = 0; from < bags.length; from += blockChunks) {
      this.#embedBlock(bags.slice(from, from + blockChunks), out.subarray(from * dimensions));
    }
    return out;
  }

  #embedBlock(bags: readonly SparseRow[], out: Float32Array): void {
    const { info, codes, codeAt, bits } = this.#model;
    const { dimensions } = info;
    const entries = bags.reduce((sum, bag) => sum + bag.terms.length, 0);
    const rowOf = new Map<number, number>();
    for (const bag of bags) for (const term of bag.terms) if (!rowOf.has(term)) rowOf.set(term, rowOf.size);

    const k = this.#kernels;
    k.release();
    k.reserve(4 * ((rowOf.size + bags.length) * dimensions + 2 * entries + bags.length) + 1024);
    const table = k.floats(rowOf.size * dimensions);
    for (const [term, row] of rowOf) {
      unpackVector(codes, codeAt[term]!, bits[term]!, table.subarray(row * dimensions, (row + 1) * dimensions));
    }
    // Columns out of order are fine: what must not change with the block is the order in which a row is summed.
    const rows = bags.map(({ terms, values }) => ({ terms: terms.map((term) => rowOf.get(term)!), values }));
    const matrix = k.matrix(rows, rowOf.size);
    const vectors = k.floats(bags.length * dimensions);
    k.sparse(matrix, table, vectors, dimensions);
    for (let row = 0; row < bags.length; row++) {
      normalise(vectors.subarray(row * dimensions, (row + 1) * dimensions));
    }
    out.set(vectors);
  }
}

/** Row `at` plus the mean direction of the other rows from `first` to `last`; a row of zeros stays zero. */
function blend(rows: Float32Array, at: number, first: number, last: number, sum: Float32Array): Float32Array {
  const width = sum.length;
  const own = rows.subarray(at * width, (at + 1) * width);
  sum.fill(0);
  for (let row = first; row <= last; row++) {
    if (row !== at) for (let j = 0; j < width; j++) sum[j]! += rows[row * width + j]!;
  }
  if (own.every((x) => x === 0)) return own;
  normalise(sum);
  for (let j = 0; j < width; j++) sum[j] = own[j]! + neighbourShare * sum[j]!;
  return sum;
}

function normalise(vector: Float32Array): void {
  let sum = 0;
  for (const x of vector) sum += x * x;
  if (sum === 0) return;
  const scale = 1 / Math.sqrt(sum);
  for (let j = 0; j < vector.length; j++) vector[j]! *= scale;
}
