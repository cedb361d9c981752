import { wholeOf } from '../core/arguments.ts';
import { batches, type RowBatch, RowBlock, type SharedBlock } from './blocks.ts';
import type { Int8RowsOptions, ScanOptions } from './int8-rows.ts';
import { type SignKernels, signModule } from './kernels.ts';
import { scalarSignKernels } from './scalar.ts';
import { compile, instantiate, type Module } from './webassembly.ts';

export interface Candidates {
  /** Row numbers, nearest first; equal distances in order of row number. */
  readonly ordinals: Uint32Array;
  /** Number of differing bits. */
  readonly distances: Uint16Array;
}

interface SignScanOptions extends ScanOptions {
  /**
   * Compare by all bits only this many rows, the nearest by their first 256 bits. Rows of 1,024 bits then read a
   * quarter of the memory. No effect for rows with fewer bits or for few rows. @default all
   */
  readonly first?: number | undefined;
}

/** Rows as another thread takes them with `attach`; what is appended later is not part of it. */
export interface SharedSignRows {
  readonly bits: number;
  readonly options: Int8RowsOptions;
  readonly blocks: readonly SharedBlock[];
  readonly head: SharedSignRows | undefined;
  readonly count: number;
}

/** Rows with at least `headFrom` bits store their first `headBits` bits a second time, one row after the other. */
const headBits = 256;
const headFrom = 1024;
/** Selecting a row by its head, and then reading it at another address, costs about as much as sixteen rows. */
const HEAD_ROW = 16;

/**
 * Bit rows in memory, searched by Hamming distance: finds candidates for an exact search. Rows are only appended, as in
 * `Int8Rows`.
 */
export class SignRows {
  readonly bits: number;
  /** Bytes of a row at the interface; in memory, rows are padded. */
  readonly bytes: number;
  readonly #stride: number;
  readonly #blockBytes: number;
  readonly #threads: number;
  readonly #module: Module | undefined;
  readonly #capacity: number;
  readonly #blocks: { readonly block: RowBlock; readonly kernels: SignKernels }[] = [];
  #head: SignRows | undefined;
  /** Room for what `nearerThan` finds: a new one for each query keeps the garbage collector busy. */
  #found = new Uint32Array(4096);
  #count = 0;

  constructor(bits: number, { blockBytes = 32 * 2 ** 20, scalar = false, threads = 1 }: Int8RowsOptions = {}) {
    wholeOf(bits, 'bits', 1, 65_408);
    this.bits = bits;
    this.bytes = Math.ceil(bits / 8);
    this.#stride = Math.ceil(this.bytes / 16) * 16;
    this.#blockBytes = blockBytes;
    this.#threads = threads;
    this.#capacity = Math.max(1, Math.floor(blockBytes / this.#stride));
    this.#module = scalar ? undefined : compile(signModule(this.#stride, undefined, threads > 1));
    this.#head = bits >= headFrom ? new SignRows(headBits, { blockBytes, scalar, threads }) : undefined;
  }

  /** @param thread number of the attaching thread, from 1 on; each has its own */
  static attach({ bits, options, blocks, head, count }: SharedSignRows, thread: number): SignRows {
    const rows = new SignRows(bits, options);
    for (const block of blocks) rows.#openBlock(block, thread);
    rows.#head = head && SignRows.attach(head, thread);
    rows.#count = count;
    return rows;
  }

  /** These rows for other threads. They must be in shared memory. */
  share(): SharedSignRows {
    return {
      bits: this.bits,
      options: { blockBytes: this.#blockBytes, scalar: this.#module === undefined, threads: this.#threads },
      blocks: this.#blocks.map(({ block }) => block.share()),
      head: this.#head?.share(),
      count: this.#count,
    };
  }

  /** The first 256 bits of each row, as rows; undefined where `first` has no effect. */
  get head(): SignRows | undefined {
    return this.#head;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds zero rows until there are `count` rows. */
  extend(count: number): void {
    this.#head?.extend(count);
    while (this.#count < count) {
      const last = this.#blocks.at(-1);
      const { block } = last !== undefined && last.block.count < this.#capacity ? last : this.#openBlock();
      const added = Math.min(count - this.#count, this.#capacity - block.count);
      block.extend(block.count + added);
      this.#count += added;
    }
  }

  /** Overwrites the rows from `first` on. Only rows that no reader uses yet may be written. */
  write(first: number, rows: Uint8Array): void {
    const count = rows.length / this.bytes;
    for (let done = 0; done < count; ) {
      const number = Math.floor((first + done) / this.#capacity);
      const inside = first + done - number * this.#capacity;
      const fitting = Math.min(count - done, this.#capacity - inside);
      const { memory, rowsAt } = this.#blocks[number]!.block;
      const to = new Uint8Array(memory.buffer, rowsAt + inside * this.#stride, fitting * this.#stride);
      copyRows(rows.subarray(done * this.bytes), this.bytes, to, this.#stride, fitting);
      done += fitting;
    }
    if (this.#head === undefined) return;
    const beginnings = new Uint8Array(count * this.#head.bytes);
    copyRows(rows, this.bytes, beginnings, this.#head.bytes, count);
    this.#head.write(first, beginnings);
  }

  #openBlock(of?: SharedBlock, thread = 0): { readonly block: RowBlock; readonly kernels: SignKernels } {
    const stride = this.#stride;
    const layout = { stride, queryBytes: stride, resultBytes: 4, blockBytes: this.#blockBytes, threads: this.#threads };
    const block = new RowBlock(layout, of, thread);
    const kernels = this.#module
      ? (instantiate(this.#module, block.memory) as unknown as SignKernels) // the module exports exactly these two
      : scalarSignKernels(block.memory, stride);
    const opened = { block, kernels };
    this.#blocks.push(opened);
    return opened;
  }

  /**
   * Calls `visit` with the entries of each batch, in the form of `SignKernels`.
   * @param bar called before each batch
   */
  #scan(
    query: Uint8Array,
    rows: number,
    within: Uint32Array | undefined,
    bar: () => number,
    visit: (entries: Uint32Array, batch: RowBatch) => void,
  ): void {
    let prepared = -1;
    for (const batch of batches(this.#capacity, rows, within)) {
      const { block, kernels } = this.#blocks[batch.block]!;
      const { queryAt, idsAt, outAt, rowsAt, memory } = block;
      if (prepared !== batch.block) {
        const padded = new Uint8Array(memory.buffer, queryAt, this.#stride);
        padded.fill(0);
        padded.set(query.subarray(0, this.bytes));
        prepared = batch.block;
      }
      const start = batch.block * this.#capacity;
      const { ids, first, count } = batch;
      if (ids === undefined) {
        kernels.hamming(rowsAt + (first - start) * this.#stride, count, queryAt, bar(), outAt);
      } else {
        const list = new Uint32Array(memory.buffer, idsAt, count);
        for (let i = 0; i < count; i++) list[i] = ids[i]! - start;
        kernels.hammingAt(rowsAt, idsAt, count, queryAt, bar(), outAt);
      }
      const end = new Uint32Array(memory.buffer, outAt, 1)[0]!;
      visit(new Uint32Array(memory.buffer, outAt + 4, (end - outAt) / 4 - 1), batch);
    }
  }

  /** The `count` rows nearest to `query` (`bytes` bytes). */
  search(query: Uint8Array, count: number, options: SignScanOptions = {}): Candidates {
    return this.#nearest(query, count, options).finish();
  }

  /**
   * The rows that `search` finds, ascending. Where `first` is not above `count`, they are the nearest by their first
   * bits, and the other bits are not read.
   */
  nearest(query: Uint8Array, count: number, options: SignScanOptions = {}): Uint32Array {
    const { first = Infinity, within } = options;
    const rows = Math.min(options.rows ?? this.#count, this.#count);
    const byHead = within === undefined && first <= count && first * HEAD_ROW < rows ? this.#head : undefined;
    return (byHead ?? this).#nearest(query, count, options).ascending();
  }

  /** All rows that differ in fewer than `bar` bits, ascending; undefined where there are more than `most`. */
  nearerThan(query: Uint8Array, bar: number, most: number, options: ScanOptions = {}): Uint32Array | undefined {
    const { live, within } = options;
    const rows = Math.min(options.rows ?? this.#count, this.#count);
    let found = this.#found;
    let count = 0;
    this.#scan(
      query,
      rows,
      within,
      () => (count > most ? 0 : bar),
      (entries, batch) => {
        if (count + entries.length > found.length) {
          const larger = new Uint32Array(2 * (count + entries.length));
          larger.set(found);
          this.#found = found = larger;
        }
        for (let i = 0; i < entries.length; i++) {
          const place = entries[i]! >>> 16;
          const ordinal = batch.ids === undefined ? batch.first + place : batch.ids[place]!;
          if (live === undefined || live[ordinal] !== 0) found[count++] = ordinal;
        }
      },
    );
    return count > most ? undefined : found.slice(0, count);
  }

  #nearest(query: Uint8Array, count: number, options: SignScanOptions): NearestDistances {
    const { live, first = Infinity } = options;
    const rows = Math.min(options.rows ?? this.#count, this.#count);
    let { within } = options;
    if (this.#head !== undefined && within === undefined && first * HEAD_ROW < rows) {
      within = this.#head.#nearest(query, Math.max(first, count), { rows, live }).ascending();
    }
    const nearest = new NearestDistances(count, this.bits);
    this.#scan(
      query,
      rows,
      within,
      () => nearest.bar,
      (entries, batch) => {
        for (let i = 0; i < entries.length; i++) {
          const distance = entries[i]! & 0xffff;
          if (distance >= nearest.bar) continue;
          const place = entries[i]! >>> 16;
          const ordinal = batch.ids === undefined ? batch.first + place : batch.ids[place]!;
          if (live === undefined || live[ordinal] !== 0) nearest.add(ordinal, distance);
        }
      },
    );
    return nearest;
  }

  /**
   * The `keep` candidates that agree best with the full-precision query: score = Σ query component · (bit ? 1 : -1).
   * Cheap compared with reading vectors from disk, and far fewer vectors are then read. Components that are not int8
   * are scaled to int8.
   *
   * Bit b of all components is a plane P. A row and P have (|row| + |P| - differing bits) / 2 bits in common. So the
   * score follows from the distances to nine planes: the eight planes of the bits, and an empty one, which gives |row|.
   * @see Gao & Long 2024, doi:10.1145/3654970 (RaBitQ), which cuts the query into planes in this way
   */
  reorder(query: ArrayLike<number>, ordinals: Uint32Array, keep: number): Uint32Array {
    if (ordinals.length <= keep) return ordinals;
    const components = asInt8(query);
    const ascending = ordinals.slice().sort();
    const costs = new Float64Array(ascending.length);
    for (let bit = -1; bit < 8; bit++) {
      const plane = bit < 0 ? new Uint8Array(this.bytes) : planeOf(components, bit, this.bytes);
      const weight = bit < 0 ? 1 : bit < 7 ? 2 ** bit : -(2 ** 7); // two's complement
      let at = 0;
      this.#scan(
        plane,
        this.#count,
        ascending,
        () => 2 ** 16,
        (entries) => {
          for (let i = 0; i < entries.length; i++) costs[at++]! += weight * (entries[i]! & 0xffff);
        },
      );
    }
    const least = costs.reduce((a, b) => Math.min(a, b));
    // cost and position in one number, which is exact
    const keys = costs.map((cost, i) => (cost - least) * 2 ** 24 + i).sort();
    return Uint32Array.from(keys.subarray(0, keep), (key) => ascending[key % 2 ** 24]!);
  }
}

/**
 * Copies rows of one width to rows of another, up to the smaller width. Byte by byte, because a view of each row takes
 * ten times as long.
 */
function copyRows(from: Uint8Array, fromWidth: number, to: Uint8Array, toWidth: number, count: number): void {
  if (fromWidth === toWidth) {
    to.set(from.subarray(0, count * fromWidth));
    return;
  }
  const width = Math.min(fromWidth, toWidth);
  for (let row = 0; row < count; row++) {
    for (let i = 0; i < width; i++) to[row * toWidth + i] = from[row * fromWidth + i]!;
  }
}

function asInt8(components: ArrayLike<number>): Int8Array {
  if (components instanceof Int8Array) return components;
  let largest = 0;
  for (let i = 0; i < components.length; i++) largest = Math.max(largest, Math.abs(components[i]!));
  return Int8Array.from(components, (x) => (largest === 0 ? 0 : Math.round((x / largest) * 127)));
}

/** Bit `bit` of each component. */
function planeOf(components: Int8Array, bit: number, bytes: number): Uint8Array {
  const plane = new Uint8Array(bytes);
  const count = Math.min(components.length, bytes * 8);
  for (let j = 0; j < count; j++) plane[j >> 3]! |= ((components[j]! >> bit) & 1) << (j & 7);
  return plane;
}

/** The `limit` smallest of a stream of distances, which are small integers. Ordinals must arrive in ascending order. */
class NearestDistances {
  /** Only a smaller distance can still enter: `limit` earlier rows are at least as near. */
  bar: number;
  readonly #limit: number;
  readonly #histogram: Uint32Array;
  readonly #ordinals: Uint32Array;
  readonly #distances: Uint16Array;
  #count = 0;
  /** Number of entries nearer than `bar`; always below `limit`. */
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

  /** Drops entries farther than `bar`, and the latest entries at `bar` beyond `limit`. */
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

  /** The ordinals, ascending. */
  ascending(): Uint32Array {
    this.#compact();
    return this.#ordinals.slice(0, this.#count);
  }

  finish(): Candidates {
    this.#compact();
    const ordinals = new Uint32Array(this.#count);
    const distances = new Uint16Array(this.#count);
    // a counting sort by distance, stable: several times faster than a comparison sort
    const places = new Uint32Array(this.bar + 2);
    for (let i = 0; i < this.#count; i++) places[this.#distances[i]! + 1]!++;
    for (let distance = 1; distance < places.length; distance++) places[distance]! += places[distance - 1]!;
    for (let i = 0; i < this.#count; i++) {
      const place = places[this.#distances[i]!]!++;
      ordinals[place] = this.#ordinals[i]!;
      distances[place] = this.#distances[i]!;
    }
    return { ordinals, distances };
  }
}
