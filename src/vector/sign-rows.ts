import { IbidError } from '../core/errors.ts';
import { Block, batches } from './blocks.ts';
import type { Int8RowsOptions, ScanOptions } from './int8-rows.ts';
import { type SignKernels, signModule } from './kernels.ts';
import { scalarSignKernels } from './scalar.ts';
import { compile, instantiate, type Module } from './webassembly.ts';

export interface Candidates {
  /** Row numbers, nearest first; equal distances by row number. */
  readonly ordinals: Uint32Array;
  /** Differing bits. */
  readonly distances: Uint16Array;
}

/**
 * Bit rows in memory, searched by Hamming distance: a coarse view of vectors that finds candidates for an exact measure to decide
 * over. Append-only like `Int8Rows`.
 */
export class SignRows {
  readonly bits: number;
  /** Bytes of a row as it is given and returned; rows are padded inside. */
  readonly bytes: number;
  readonly #stride: number;
  readonly #blockBytes: number;
  readonly #module: Module | undefined;
  readonly #capacity: number;
  readonly #blocks: { readonly block: Block; readonly kernels: SignKernels }[] = [];
  #count = 0;

  constructor(bits: number, { blockBytes = 32 * 2 ** 20, scalar = false }: Int8RowsOptions = {}) {
    if (!Number.isInteger(bits) || bits < 1 || bits > 65_408) {
      throw new IbidError('INVALID_ARGUMENT', `bits must be an integer from 1 to 65408, not ${bits}`);
    }
    this.bits = bits;
    this.bytes = Math.ceil(bits / 8);
    this.#stride = Math.ceil(this.bytes / 16) * 16;
    this.#blockBytes = blockBytes;
    this.#capacity = Math.max(1, Math.floor(blockBytes / this.#stride));
    this.#module = scalar ? undefined : compile(signModule(this.#stride));
  }

  get count(): number {
    return this.#count;
  }

  /** Adds zero rows until there are `count`. */
  extend(count: number): void {
    while (this.#count < count) {
      const last = this.#blocks.at(-1);
      const { block } = last !== undefined && last.block.count < this.#capacity ? last : this.#openBlock();
      const added = Math.min(count - this.#count, this.#capacity - block.count);
      block.extend(block.count + added);
      this.#count += added;
    }
  }

  /** Overwrites the rows from `first`. Only rows no reader looks at yet may be written. */
  write(first: number, rows: Uint8Array): void {
    const count = rows.length / this.bytes;
    for (let i = 0; i < count; i++) {
      this.#bytesOf(first + i).set(rows.subarray(i * this.bytes, (i + 1) * this.bytes));
    }
  }

  #openBlock(): { readonly block: Block; readonly kernels: SignKernels } {
    const stride = this.#stride;
    const block = new Block({ stride, queryBytes: stride, resultBytes: 2, blockBytes: this.#blockBytes });
    const kernels = this.#module
      ? (instantiate(this.#module, block.memory) as unknown as SignKernels) // the module exports exactly these two
      : scalarSignKernels(block.memory, stride);
    const opened = { block, kernels };
    this.#blocks.push(opened);
    return opened;
  }

  #bytesOf(ordinal: number): Uint8Array {
    const { block } = this.#blocks[Math.floor(ordinal / this.#capacity)]!;
    return new Uint8Array(block.memory.buffer, block.rowsAt + (ordinal % this.#capacity) * this.#stride, this.bytes);
  }

  /** The `count` rows nearest to `query` (`bytes` bytes). */
  search(query: Uint8Array, count: number, options: ScanOptions = {}): Candidates {
    const { live, within } = options;
    const rows = Math.min(options.rows ?? this.#count, this.#count);
    const nearest = new NearestDistances(count, this.bits);
    let prepared = -1;
    for (const batch of batches(this.#capacity, rows, within)) {
      const { block, kernels } = this.#blocks[batch.block]!;
      if (prepared !== batch.block) {
        const padded = new Uint8Array(block.memory.buffer, block.queryAt, this.#stride);
        padded.fill(0);
        padded.set(query.subarray(0, this.bytes));
        prepared = batch.block;
      }
      const start = batch.block * this.#capacity;
      const { ids } = batch;
      if (ids === undefined) {
        const at = block.rowsAt + (batch.first - start) * this.#stride;
        kernels.hamming(at, batch.count, block.queryAt, block.outAt);
      } else {
        const list = new Uint32Array(block.memory.buffer, block.idsAt, batch.count);
        for (let i = 0; i < batch.count; i++) list[i] = ids[i]! - start;
        kernels.hammingAt(block.rowsAt, block.idsAt, batch.count, block.queryAt, block.outAt);
      }
      const distances = new Uint16Array(block.memory.buffer, block.outAt, batch.count);
      for (let i = 0; i < distances.length; i++) {
        if (distances[i]! >= nearest.bar) continue;
        const ordinal = ids === undefined ? batch.first + i : ids[i]!;
        if (live === undefined || live[ordinal] !== 0) nearest.add(ordinal, distances[i]!);
      }
    }
    return nearest.finish();
  }

  /**
   * The `keep` candidates that agree best with the full-precision query: score = Σ query component · (bit ? 1 : -1). Cheap next to reading
   * vectors from disk, and it lets far fewer of them be read.
   */
  reorder(query: ArrayLike<number>, ordinals: Uint32Array, keep: number): Uint32Array {
    if (ordinals.length <= keep) return ordinals;
    const sums = new Float32Array(this.bytes * 256); // sum of the components whose bits are set, by byte place and value
    for (let byte = 0; byte < this.bytes; byte++) {
      for (let value = 1; value < 256; value++) {
        const lowest = 31 - Math.clz32(value & -value);
        sums[byte * 256 + value] = sums[byte * 256 + (value & (value - 1))]! + (query[byte * 8 + lowest] ?? 0);
      }
    }
    const scores = Float64Array.from(ordinals, (ordinal) => {
      const row = this.#bytesOf(ordinal);
      let score = 0;
      for (let byte = 0; byte < row.length; byte++) score += sums[byte * 256 + row[byte]!]!;
      return score;
    });
    return Uint32Array.from(ordinals.keys())
      .sort((a, b) => scores[b]! - scores[a]! || ordinals[a]! - ordinals[b]!)
      .subarray(0, keep)
      .map((i) => ordinals[i]!);
  }
}

/** The `limit` smallest of a stream of distances that are small whole numbers; ordinals come in ascending order. */
class NearestDistances {
  /** A distance that is not below this cannot enter any more: `limit` rows met earlier are as near. */
  bar: number;
  readonly #limit: number;
  readonly #histogram: Uint32Array;
  readonly #ordinals: Uint32Array;
  readonly #distances: Uint16Array;
  #count = 0;
  /** Entries nearer than `bar`; below `limit`. */
  #below = 0;

  constructor(limit: number, bits: number) {
    this.#limit = limit;
    this.bar = limit > 0 ? bits + 1 : 0;
    this.#histogram = new Uint32Array(bits + 2);
    this.#ordinals = new Uint32Array(2 * limit + 1024);
    this.#distances = new Uint16Array(2 * limit + 1024);
  }

  add(ordinal: number, distance: number): void {
    if (this.#count === this.#ordinals.length) this.#compact();
    this.#ordinals[this.#count] = ordinal;
    this.#distances[this.#count++] = distance;
    this.#histogram[distance]!++;
    this.#below++;
    while (this.#below >= this.#limit) this.#below -= this.#histogram[--this.bar]!;
  }

  /** Drops what is farther than `bar`, and of the ties at `bar` all but the earliest that are needed. */
  #compact(): void {
    let ties = this.#limit - this.#below;
    let to = 0;
    for (let i = 0; i < this.#count; i++) {
      const distance = this.#distances[i]!;
      if (distance > this.bar || (distance === this.bar && ties-- <= 0)) continue;
      this.#ordinals[to] = this.#ordinals[i]!;
      this.#distances[to++] = distance;
    }
    this.#count = to;
  }

  finish(): Candidates {
    this.#compact();
    // distance and place in one exactly represented number; places ascend with ordinals
    const keys = Float64Array.from({ length: this.#count }, (_, i) => this.#distances[i]! * 2 ** 32 + i).sort();
    const order = Uint32Array.from(keys.subarray(0, this.#limit), (key) => key % 2 ** 32);
    return {
      ordinals: order.map((i) => this.#ordinals[i]!),
      distances: Uint16Array.from(order, (i) => this.#distances[i]!),
    };
  }
}
