import { analyseQuery } from '../../text/analysis/query.ts';
import { Kernels, type PackedAddresses, type SparseRow } from '../../vector/float-kernels.ts';
import type { EmbedDocument } from '../contract.ts';
import { toInt8 } from '../int8.ts';
import type { LocalModel } from './model.ts';
import { unpacked } from './quantise.ts';
import { type TermTable, termKey } from './term-table.ts';
import { TermValues } from './term-values.ts';
import { headingText } from './training-set.ts';
import { absent, BagMemory, weighBag } from './vocabulary.ts';

/** Context of a chunk, in chunks to each side. */
const neighbours = 3;
/**
 * Length of the neighbours' mean in a chunk's vector; the chunk's own part has length 1. Chosen by the mean nDCG@10 of
 * the eight collections at two seeds, vectors alone and hybrid: 0.15 and 0.3 were worse. The gain is 0.001 to 0.003 on
 * average: largest where chunks are sections of a page, and slightly negative where chunks ignore the structure.
 */
const neighbourShare = 0.5;
/** Number of chunks that are summed together. */
const blockChunks = 256;

/** Consecutive chunks of one document; the chunks outside `[from, to)` are only context. */
interface Range {
  readonly document: { readonly chunks: readonly unknown[] };
  readonly from: number;
  readonly to: number;
}

export interface DocumentPart extends Range {
  readonly document: EmbedDocument;
}

type TakeVector = (vector: Float32Array, row: number) => void;

/** Vectors of some chunks, and what their texts count. */
export interface EmbeddedParts {
  /** `dimensions` components for each requested chunk, part after part. */
  readonly vectors: Int8Array<ArrayBuffer>;
  /** Tokens of these chunks, and the number of them without a vector. */
  readonly tokens: number;
  readonly unknown: number;
}

/**
 * Turns texts into vectors with one model. Synchronous. The vector of a chunk depends only on the model and on the
 * chunk's title, headings, text and neighbours. Memory: a copy of the model's vectors, and one float row per chunk of a
 * call.
 */
export class Composer {
  readonly #model: LocalModel;
  readonly #kernels = new Kernels();
  readonly #bag: Bag;
  readonly #memory = new BagMemory();
  /** The vectors of the model's terms, and where the memory of a block begins. */
  readonly #terms: PackedAddresses;
  readonly #free: number;

  constructor(model: LocalModel) {
    this.#model = model;
    this.#terms = this.#kernels.packedRows(model.codes, model.codeAt, unpacked);
    this.#free = this.#kernels.mark();
    this.#bag = new Bag(model.table);
  }

  get dimensions(): number {
    return this.#model.info.dimensions;
  }

  passages(passages: readonly DocumentPart[]): EmbeddedParts {
    const { dimensions } = this;
    const vectors = new Int8Array(passages.reduce((sum, p) => sum + p.to - p.from, 0) * dimensions);
    const counts = this.eachVector(passages, (vector, row) => vectors.set(toInt8(vector), row * dimensions));
    return { vectors, ...counts };
  }

  /**
   * Same as `passages`, but with float vectors, to measure the loss of rounding to int8.
   * @param take must copy the vector, which is reused
   */
  eachVector(passages: readonly DocumentPart[], take: TakeVector): Omit<EmbeddedParts, 'vectors'> {
    let tokens = 0;
    let unknown = 0;
    const bags: SparseRow[] = [];
    const bag = this.#bag;
    this.#memory.clear();
    for (const { document, from, to } of passages) {
      bag.clear();
      bag.add(document.title);
      const title = bag.mark();
      const { start, end } = surroundings(document, from, to);
      for (let i = start; i < end; i++) {
        const chunk = document.chunks[i]!;
        bag.clear(title);
        bag.add(headingText(chunk));
        bag.add(chunk.text);
        const numbers = bag.numbers();
        bags.push(weighBag(numbers, this.#model.factor, this.#memory));
        if (i < from || i >= to) continue;
        tokens += bag.tokens;
        unknown += bag.tokens - numbers.length;
      }
    }
    this.#eachBlend(bags, passages, take);
    return { tokens, unknown };
  }

  /**
   * As `passages`, of whole documents whose tokens are known: for each chunk, the numbers in the model of the tokens of
   * its title, headings and text; `absent` is skipped.
   */
  numbered(documents: readonly (readonly Uint32Array[])[]): Int8Array<ArrayBuffer> {
    const { dimensions } = this;
    const vectors = new Int8Array(documents.reduce((sum, chunks) => sum + chunks.length, 0) * dimensions);
    this.#memory.clear();
    const bags = documents.flatMap((chunks) =>
      chunks.map((numbers) => weighBag(numbers, this.#model.factor, this.#memory)),
    );
    const passages = documents.map((chunks) => ({ document: { chunks }, from: 0, to: chunks.length }));
    this.#eachBlend(bags, passages, (vector, row) => vectors.set(toInt8(vector), row * dimensions));
    return vectors;
  }

  /** @param bags of all chunks of the passages with their surroundings, one after the other */
  #eachBlend(bags: readonly SparseRow[], passages: readonly Range[], take: TakeVector): void {
    const rows = this.#embed(bags);
    const mixed = new Float32Array(this.dimensions);
    let row = 0;
    let taken = 0;
    for (const { document, from, to } of passages) {
      const { start, end } = surroundings(document, from, to);
      for (let i = from; i < to; i++) {
        const first = row + Math.max(start, i - neighbours) - start;
        const last = row + Math.min(end, i + neighbours + 1) - start;
        take(blend(rows, row + i - start, first, last, mixed), taken++);
      }
      row += end - start;
    }
  }

  query(text: string): Int8Array {
    return toInt8(this.queryVector(text));
  }

  /** Same as `query`, before rounding to int8. */
  queryVector(text: string): Float32Array {
    this.#memory.clear();
    return this.#embed([weighBag(this.#numbers(analyseQuery(text).tokens), this.#model.factor, this.#memory)]);
  }

  /** The numbers of the tokens that have a vector. */
  #numbers(tokens: readonly string[]): Uint32Array {
    const { table } = this.#model;
    const numbers = new Uint32Array(tokens.length);
    let known = 0;
    for (const token of tokens) {
      const number = table.get(termKey(token));
      if (number !== undefined) numbers[known++] = number;
    }
    return numbers.subarray(0, known);
  }

  /** The vector of each bag, of length 1 or 0, row after row. */
  #embed(bags: readonly SparseRow[]): Float32Array {
    const { dimensions } = this;
    const out = new Float32Array(bags.length * dimensions);
    for (let from = 0; from < bags.length; from += blockChunks) {
      this.#embedBlock(bags.slice(from, from + blockChunks), out.subarray(from * dimensions));
    }
    return out;
  }

  #embedBlock(bags: readonly SparseRow[], out: Float32Array): void {
    const { dimensions } = this;
    const entries = bags.reduce((sum, bag) => sum + bag.terms.length, 0);
    const k = this.#kernels;
    k.release(this.#free);
    k.reserve(this.#free + 4 * (bags.length * (dimensions + 1) + 2 * entries) + 1024);
    const vectors = k.floats(bags.length * dimensions);
    k.addPacked(k.matrix(bags, this.#model.info.vocabulary), this.#terms, vectors, dimensions);
    for (let row = 0; row < bags.length; row++) {
      normalise(vectors.subarray(row * dimensions, (row + 1) * dimensions));
    }
    out.set(vectors);
  }
}

/** A position in a bag. */
interface Mark {
  readonly tokens: number;
  readonly length: number;
}

/** Collects the model's numbers of the terms of texts. */
class Bag {
  readonly #ofTerms: TermValues;
  #numbers = new Uint32Array(1024);
  #length = 0;
  /** Number of added terms, including those without a number. */
  tokens = 0;

  constructor(table: TermTable) {
    this.#ofTerms = new TermValues((term) => table.get(termKey(term)) ?? absent);
  }

  mark(): Mark {
    return { tokens: this.tokens, length: this.#length };
  }

  /** Removes everything that was added after `to`. */
  clear(to: Mark = { tokens: 0, length: 0 }): void {
    this.tokens = to.tokens;
    this.#length = to.length;
  }

  add(text: string): void {
    const numbers = this.#ofTerms.of(text);
    this.tokens += numbers.length;
    if (this.#length + numbers.length > this.#numbers.length) {
      const larger = new Uint32Array(2 * (this.#length + numbers.length));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    for (const number of numbers) if (number !== absent) this.#numbers[this.#length++] = number;
  }

  /** @returns a view, valid until the next `add` */
  numbers(): Uint32Array {
    return this.#numbers.subarray(0, this.#length);
  }
}

/** The range of chunks that the vectors of `[from, to)` depend on, half-open. */
export function surroundings(
  document: Range['document'],
  from: number,
  to: number,
): { readonly start: number; readonly end: number } {
  return { start: Math.max(0, from - neighbours), end: Math.min(document.chunks.length, to + neighbours) };
}

/** Row `at` plus the mean direction of the others in `[first, last)`, written to `out`; a row of zeros stays zero. */
function blend(rows: Float32Array, at: number, first: number, last: number, out: Float32Array): Float32Array {
  const width = out.length;
  const own = rows.subarray(at * width, (at + 1) * width);
  if (own.every((x) => x === 0)) return own;
  out.fill(0);
  for (let row = first; row < last; row++) {
    if (row !== at) for (let j = 0; j < width; j++) out[j]! += rows[row * width + j]!;
  }
  normalise(out);
  for (let j = 0; j < width; j++) out[j] = own[j]! + neighbourShare * out[j]!;
  return out;
}

function normalise(vector: Float32Array): void {
  let sum = 0;
  for (const x of vector) sum += x * x;
  if (sum === 0) return;
  const scale = 1 / Math.sqrt(sum);
  for (let j = 0; j < vector.length; j++) vector[j]! *= scale;
}
