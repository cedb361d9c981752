import { batchRows } from './kernels.ts';
import { createMemory, type Memory, pageBytes } from './webassembly.ts';

const align = (bytes: number): number => Math.ceil(bytes / 64) * 64;
/** Results beyond those of the rows: the address of their end, and one entry more. */
const overrun = 2;

interface BlockLayout {
  /** Bytes of one row; a multiple of 16. */
  readonly stride: number;
  readonly queryBytes: number;
  /** Bytes of one result. */
  readonly resultBytes: number;
  /** Maximum bytes of a block, approximately; then a new block begins. */
  readonly blockBytes: number;
  /** Threads that search the block at the same time; more than one share its memory. */
  readonly threads: number;
}

/** A block of another thread. */
export interface SharedBlock {
  readonly memory: Memory;
  readonly count: number;
}

/**
 * Rows of equal size in one growing memory, behind a scratch area for query, row list and results of each thread. Rows
 * are only appended.
 */
export class RowBlock {
  readonly memory: Memory;
  readonly capacity: number;
  readonly queryAt: number;
  readonly idsAt: number;
  readonly outAt: number;
  readonly rowsAt: number;
  count = 0;
  readonly #stride: number;

  /** @param of the block of another thread, made with the same layout */
  constructor({ stride, queryBytes, resultBytes, blockBytes, threads }: BlockLayout, of?: SharedBlock, thread = 0) {
    this.#stride = stride;
    this.capacity = Math.max(1, Math.floor(blockBytes / stride));
    const scratch = align(align(queryBytes) + batchRows * 4 + (batchRows + overrun) * resultBytes);
    this.queryAt = thread * scratch;
    this.idsAt = this.queryAt + align(queryBytes);
    this.outAt = this.idsAt + batchRows * 4;
    this.rowsAt = threads * scratch;
    const largest = this.rowsAt + this.capacity * stride;
    this.memory = of?.memory ?? createMemory(this.rowsAt, largest, threads > 1);
    this.count = of?.count ?? 0;
  }

  share(): SharedBlock {
    return { memory: this.memory, count: this.count };
  }

  /** Makes room for `count` rows; new rows are zero. */
  extend(count: number): void {
    const needed = this.rowsAt + count * this.#stride;
    const present = this.memory.buffer.byteLength;
    if (needed > present) {
      const most = this.rowsAt + this.capacity * this.#stride;
      const wanted = Math.min(most, Math.max(needed, this.rowsAt + 2 * (present - this.rowsAt)));
      this.memory.grow(Math.ceil((wanted - present) / pageBytes));
    }
    this.count = count;
  }
}

/** The rows of one kernel call: `count` rows of block `block` from `first` on, or its rows `ids`. */
export interface RowBatch {
  readonly block: number;
  readonly first: number;
  readonly count: number;
  readonly ids: Uint32Array | undefined;
}

/** Cuts rows 0 … `rows` - 1, or the ascending row numbers `within`, into batches inside one block each. */
export function* batches(capacity: number, rows: number, within?: Uint32Array): Generator<RowBatch, void, undefined> {
  if (within === undefined) {
    for (let start = 0; start < rows; ) {
      const block = Math.floor(start / capacity);
      const count = Math.min(batchRows, rows - start, (block + 1) * capacity - start);
      yield { block, first: start, count, ids: undefined };
      start += count;
    }
    return;
  }
  for (let at = 0; at < within.length && within[at]! < rows; ) {
    const block = Math.floor(within[at]! / capacity);
    const end = Math.min(rows, (block + 1) * capacity);
    let to = at;
    while (to < within.length && to - at < batchRows && within[to]! < end) to++;
    yield { block, first: block * capacity, count: to - at, ids: within.subarray(at, to) };
    at = to;
  }
}
