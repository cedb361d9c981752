import { wholeOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { batches, RowBlock, type SharedBlock } from './blocks.ts';
import { batchRows, type Int8Kernels, int8Module } from './kernels.ts';
import { scalarInt8Kernels } from './scalar.ts';
import { TopScores } from './top.ts';
import { compile, instantiate, type Module } from './webassembly.ts';

export interface Int8RowsOptions {
  /** Approximate bytes of one block of memory. @default 33554432 */
  readonly blockBytes?: number | undefined;
  /** Use plain TypeScript even where SIMD is available. @default false */
  readonly scalar?: boolean | undefined;
  /** Threads that search the same rows, this one included; the rows are then in shared memory. @default 1 */
  readonly threads?: number | undefined;
}

/** Rows as another thread takes them with `attach`; what is appended later is not part of it. */
export interface SharedInt8Rows {
  readonly dimensions: number;
  readonly options: Int8RowsOptions;
  readonly blocks: readonly SharedBlock[];
  readonly inverse: Float64Array;
  readonly count: number;
}

export interface ScanOptions {
  /** Only the first `rows` rows. @default all */
  readonly rows?: number | undefined;
  /** Only these rows; ascending, no duplicates. */
  readonly within?: Uint32Array | undefined;
  /** By row number: 0 = dead, never returned. @default all live */
  readonly live?: Uint8Array | undefined;
  /** Rows of a lesser cosine may be left out. @default none is */
  readonly least?: number | undefined;
}

export interface Nearest {
  /** Row numbers, best first; equal cosines in order of row number. */
  readonly ordinals: Uint32Array;
  /** In [-1, 1]; 0 when the row or the query is the zero vector. */
  readonly cosines: Float32Array;
}

/** Cosines are rounded to 32 bits. */
const COSINE_ROUNDING = 1e-6;

/** A dot product, or a sum of squares. */
const RESULT_BYTES = 4;

/**
 * Int8 vectors in memory, searched by exact cosine. Rows are only appended, so readers of an older state can continue
 * with their own `rows` and `live` while rows are added.
 */
export class Int8Rows {
  readonly dimensions: number;
  readonly #stride: number;
  readonly #blockBytes: number;
  readonly #threads: number;
  readonly #module: Module | undefined;
  readonly #blocks: { readonly block: RowBlock; readonly kernels: Int8Kernels }[] = [];
  readonly #capacity: number;
  /** 1 / Euclidean length of each row; 0 for a zero vector. */
  #inverse: Float64Array;
  #count = 0;

  constructor(dimensions: number, { blockBytes = 32 * 2 ** 20, scalar = false, threads = 1 }: Int8RowsOptions = {}) {
    wholeOf(dimensions, 'dimensions', 1, 65_536);
    this.dimensions = dimensions;
    this.#stride = Math.ceil(dimensions / 16) * 16;
    this.#blockBytes = blockBytes;
    this.#threads = threads;
    this.#inverse = this.#floats(1024);
    this.#capacity = Math.max(1, Math.floor(blockBytes / this.#stride));
    this.#module = scalar ? undefined : compile(int8Module(this.#stride, threads > 1));
  }

  /** @param thread number of the attaching thread, from 1 on; each has its own */
  static attach({ dimensions, options, blocks, inverse, count }: SharedInt8Rows, thread: number): Int8Rows {
    const rows = new Int8Rows(dimensions, options);
    for (const block of blocks) rows.#openBlock(block, thread);
    rows.#inverse = inverse;
    rows.#count = count;
    return rows;
  }

  /** These rows for other threads. They must be in shared memory. */
  share(): SharedInt8Rows {
    return {
      dimensions: this.dimensions,
      options: { blockBytes: this.#blockBytes, scalar: this.#module === undefined, threads: this.#threads },
      blocks: this.#blocks.map(({ block }) => block.share()),
      inverse: this.#inverse,
      count: this.#count,
    };
  }

  #floats(count: number): Float64Array {
    return new Float64Array(this.#threads > 1 ? new SharedArrayBuffer(8 * count) : new ArrayBuffer(8 * count));
  }

  get count(): number {
    return this.#count;
  }

  get sizeBytes(): number {
    return this.#blocks.reduce((sum, { block }) => sum + block.memory.buffer.byteLength, this.#inverse.byteLength);
  }

  /** @param vectors whole rows of `dimensions` components, one after the other */
  append(vectors: Int8Array): void {
    const rows = vectors.length / this.dimensions;
    if (!Number.isInteger(rows)) {
      throw new IbidError('INVALID_ARGUMENT', `${vectors.length} components are not whole rows of ${this.dimensions}`);
    }
    const first = this.#count;
    this.extend(first + rows);
    this.write(first, vectors);
  }

  /** Adds zero vectors until there are `count` rows. */
  extend(count: number): void {
    while (this.#count < count) {
      const last = this.#blocks.at(-1);
      const { block } = last !== undefined && last.block.count < this.#capacity ? last : this.#openBlock();
      const added = Math.min(count - this.#count, this.#capacity - block.count);
      block.extend(block.count + added);
      this.#count += added;
    }
    if (count > this.#inverse.length) {
      const larger = this.#floats(Math.max(count, this.#inverse.length * 2));
      larger.set(this.#inverse);
      this.#inverse = larger;
    }
  }

  /** Overwrites the rows from `first` on. Only rows that no reader uses yet may be written. */
  write(first: number, vectors: Int8Array): void {
    const rows = vectors.length / this.dimensions;
    for (let done = 0; done < rows; ) {
      const number = Math.floor((first + done) / this.#capacity);
      const { block, kernels } = this.#blocks[number]!;
      const inside = first + done - number * this.#capacity;
      const count = Math.min(rows - done, this.#capacity - inside, 4096);
      const at = block.rowsAt + inside * this.#stride;
      this.#copy(
        new Uint8Array(block.memory.buffer, at, count * this.#stride),
        vectors.subarray(done * this.dimensions, (done + count) * this.dimensions),
      );
      kernels.squares(at, count, block.outAt);
      const squares = new Int32Array(block.memory.buffer, block.outAt, count);
      for (let i = 0; i < count; i++) {
        this.#inverse[first + done + i] = squares[i] === 0 ? 0 : 1 / Math.sqrt(squares[i]!);
      }
      done += count;
    }
  }

  #openBlock(of?: SharedBlock, thread = 0): { readonly block: RowBlock; readonly kernels: Int8Kernels } {
    const stride = this.#stride;
    const layout = {
      stride,
      queryBytes: stride * 2,
      resultBytes: RESULT_BYTES,
      blockBytes: this.#blockBytes,
      threads: this.#threads,
    };
    const block = new RowBlock(layout, of, thread);
    const kernels = this.#module
      ? (instantiate(this.#module, block.memory) as unknown as Int8Kernels) // the module exports exactly these four
      : scalarInt8Kernels(block.memory, stride);
    const opened = { block, kernels };
    this.#blocks.push(opened);
    return opened;
  }

  #copy(to: Uint8Array, from: Int8Array): void {
    const bytes = new Uint8Array(from.buffer, from.byteOffset, from.length);
    if (this.#stride === this.dimensions) {
      to.set(bytes);
      return;
    }
    for (let at = 0, row = 0; at < bytes.length; at += this.dimensions, row += this.#stride) {
      to.set(bytes.subarray(at, at + this.dimensions), row);
    }
  }

  /** A view of one row, valid until rows are appended. */
  row(ordinal: number): Int8Array {
    const { block } = this.#blocks[Math.floor(ordinal / this.#capacity)]!;
    const at = block.rowsAt + (ordinal % this.#capacity) * this.#stride;
    return new Int8Array(block.memory.buffer, at, this.dimensions);
  }

  /** Bytes of a row's bits in `eachNegatives`. */
  get negativesBytes(): number {
    return this.#stride / 8;
  }

  /**
   * Calls `visit` with bits of the rows from `from` to `end` (exclusive), a few rows at a time: 1 = a component below 0.
   * Each row has whole multiples of sixteen bits. The bits are valid during the call.
   */
  eachNegatives(from: number, end: number, visit: (first: number, bits: Uint8Array) => void): void {
    const most = Math.max(1, Math.floor((batchRows * RESULT_BYTES) / this.negativesBytes));
    for (let first = from; first < end; ) {
      const number = Math.floor(first / this.#capacity);
      const { block, kernels } = this.#blocks[number]!;
      const inside = first - number * this.#capacity;
      const count = Math.min(end - first, this.#capacity - inside, most);
      kernels.negatives(block.rowsAt + inside * this.#stride, count, block.outAt);
      visit(first, new Uint8Array(block.memory.buffer, block.outAt, count * this.negativesBytes));
      first += count;
    }
  }

  /** Calls `visit` with the dot products of the rows from `first` on, or of the rows `ids`. */
  #scan(
    query: Int8Array,
    { rows = this.#count, within }: ScanOptions,
    visit: (dots: Int32Array, first: number, ids: Uint32Array | undefined) => void,
  ): void {
    if (query.length !== this.dimensions) {
      throw new IbidError('INVALID_ARGUMENT', `a query of ${query.length} components for rows of ${this.dimensions}`);
    }
    let prepared = -1;
    for (const { block: number, first, count, ids } of batches(this.#capacity, Math.min(rows, this.#count), within)) {
      const { block, kernels } = this.#blocks[number]!;
      if (prepared !== number) {
        const wide = new Int16Array(block.memory.buffer, block.queryAt, this.#stride);
        wide.fill(0);
        wide.set(query);
        prepared = number;
      }
      const start = number * this.#capacity;
      if (ids === undefined) {
        kernels.dot(block.rowsAt + (first - start) * this.#stride, count, block.queryAt, block.outAt);
      } else {
        const list = new Uint32Array(block.memory.buffer, block.idsAt, count);
        for (let i = 0; i < count; i++) list[i] = ids[i]! - start;
        kernels.dotAt(block.rowsAt, block.idsAt, count, block.queryAt, block.outAt);
      }
      visit(new Int32Array(block.memory.buffer, block.outAt, count), first, ids);
    }
  }

  /** The `limit` rows with the highest exact cosine. */
  search(query: Int8Array, limit: number, options: ScanOptions = {}): Nearest {
    const top = new TopScores(Math.min(limit, options.within?.length ?? options.rows ?? this.#count));
    const { live } = options;
    const inverse = this.#inverse;
    const least = leastScore(query, options.least);
    this.#scan(query, options, (dots, first, ids) => {
      let bar = Math.max(top.bar, least); // a local copy: the value rarely changes
      for (let i = 0; i < dots.length; i++) {
        const ordinal = ids === undefined ? first + i : ids[i]!;
        const score = dots[i]! * inverse[ordinal]!;
        // ordinals ascend, so a later row with an equal score never replaces an earlier one
        if (!(score > bar) || (live !== undefined && live[ordinal] === 0)) continue;
        top.add(ordinal, score);
        bar = Math.max(top.bar, least);
      }
    });
    const { ordinals, scores } = top.finish();
    return { ordinals, cosines: scaled(scores, query) };
  }
}

function lengthOf(vector: Int8Array): number {
  return Math.sqrt(vector.reduce((sum, component) => sum + component * component, 0));
}

/** The score from which a row is wanted. @param cosine of the least row */
function leastScore(query: Int8Array, cosine: number | undefined): number {
  const length = lengthOf(query);
  return cosine === undefined || length === 0 ? -Infinity : (cosine - COSINE_ROUNDING) * length;
}

function scaled(scores: Float64Array, query: Int8Array): Float32Array {
  const length = lengthOf(query);
  return Float32Array.from(scores, (score) => (length === 0 ? 0 : Math.max(-1, Math.min(1, score / length))));
}

/**
 * Exact cosines of a few rows that are not kept. Plain TypeScript, because creating WebAssembly memory for them costs
 * more.
 * @param vectors whole rows with the length of the query, one after the other
 */
export function cosinesOf(query: Int8Array, vectors: Int8Array): Float32Array {
  const dimensions = query.length;
  const scores = new Float64Array(vectors.length / dimensions);
  for (let row = 0, at = 0; row < scores.length; row++) {
    let dot = 0;
    let squares = 0;
    for (let i = 0; i < dimensions; i++, at++) {
      const component = vectors[at]!;
      dot += component * query[i]!;
      squares += component * component;
    }
    scores[row] = squares === 0 ? 0 : dot * (1 / Math.sqrt(squares)); // rounds in the same way as `Int8Rows`
  }
  return scaled(scores, query);
}
