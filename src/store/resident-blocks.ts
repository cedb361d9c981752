import type { RecordBatch } from 'apache-arrow';
import type { SegmentSource } from '../lexical/contract.ts';
import { bytesOf } from './packed-rows.ts';

const defaultResidentBlockBytes: number = 24 * 2 ** 20;

/** Reads per segment before all blocks are loaded: a process with one question gains nothing from loading them. */
const readsBefore = 4;

/** The blocks of all segments in the database. */
export interface StoredBlocks {
  readonly segments: number;
  /** Number of blocks in all segments. */
  readonly blocks: number;
  read(segment: number, indices: readonly number[]): Promise<readonly Uint8Array[]>;
  /** All blocks, but those of the segments `without`, as batches with the columns `segment`, `block` and `bytes`. */
  scan(without?: readonly number[]): AsyncIterable<RecordBatch>;
}

/** The blocks of one segment: block `i` is `bytes` from `ends[i]` to `ends[i + 1]`. */
export interface PackedBlocks {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

interface ResidentBlocksOptions {
  /** In memory that threads share. @default false */
  readonly shared?: boolean | undefined;
  /** Blocks of the segments that an earlier version of the index had too. */
  readonly known?: ReadonlyMap<number, PackedBlocks> | undefined;
  /** An earlier version found that all blocks do not fit: none is loaded. @default false */
  readonly isTooLarge?: boolean | undefined;
}

/**
 * The blocks of a snapshot's inverted index, kept in memory after repeated reads if all of them fit. They take about
 * 130 bytes a chunk. Reading the block of one word from the table takes more than half the time of a query.
 */
export class ResidentBlocks {
  readonly #stored: StoredBlocks;
  readonly #maxBytes: number;
  readonly #shared: boolean;
  readonly #known: ReadonlyMap<number, PackedBlocks>;
  #isTooLarge: boolean;
  #packed: ReadonlyMap<number, PackedBlocks> | undefined;
  #reads = 0;
  #loading = false;

  /** @param maxBytes blocks of more bytes are not kept; 0 = keep nothing */
  constructor(
    stored: StoredBlocks,
    maxBytes: number = defaultResidentBlockBytes,
    { shared = false, known = new Map(), isTooLarge = false }: ResidentBlocksOptions = {},
  ) {
    this.#stored = stored;
    this.#maxBytes = maxBytes;
    this.#shared = shared;
    this.#known = known;
    this.#isTooLarge = isTooLarge;
  }

  /** True when every block is in memory. */
  get isLoaded(): boolean {
    return this.#packed !== undefined;
  }

  /** True after a load found that all blocks do not fit. */
  get isTooLarge(): boolean {
    return this.#isTooLarge;
  }

  /** The blocks by segment, as far as they are in memory. */
  get packed(): ReadonlyMap<number, PackedBlocks> {
    return this.#packed ?? this.#known;
  }

  /** Returns a function that reads blocks of one segment. */
  reader(segment: number): SegmentSource['readBlocks'] {
    return async (indices) => {
      const kept = this.packed.get(segment);
      if (kept && indices.every((block) => block + 1 < kept.ends.length)) return packedReader(kept)(indices);
      const blocks = await this.#stored.read(segment, indices); // throws when a block is missing
      this.#noteRead(blocks);
      return blocks;
    };
  }

  /**
   * Counts a read from the table. After enough reads, starts to load all blocks in the background if they probably fit.
   */
  #noteRead(blocks: readonly Uint8Array[]): void {
    this.#reads++;
    const isSoon = this.#known.size > 0 || this.#reads >= readsBefore * this.#stored.segments;
    if (this.#loading || !isSoon || blocks.length === 0) return;
    const bytes = blocks.reduce((sum, block) => sum + block.length, 0);
    if ((bytes / blocks.length) * this.#stored.blocks > this.#maxBytes) return;
    this.#loading = true; // only once: a second load would fail or be too large again
    void this.load().catch(() => undefined); // reads still go to the table and report their errors there
  }

  /** Loads all blocks; keeps none when they are larger than `maxBytes`. */
  async load(): Promise<void> {
    if (this.#maxBytes === 0 || this.#isTooLarge) return;
    const packed = new Map(this.#known);
    const found = new Map<number, Uint8Array[]>();
    let bytes = [...packed.values()].reduce((sum, blocks) => sum + blocks.bytes.length, 0);
    for await (const batch of this.#stored.scan([...packed.keys()])) {
      const segments = batch.getChild('segment')!;
      const numbers = batch.getChild('block')!;
      const contents = batch.getChild('bytes')!;
      for (let i = 0; i < batch.numRows; i++) {
        const segment = segments.get(i) as number;
        const block = contents.get(i) as Uint8Array;
        bytes += block.length;
        if (bytes > this.#maxBytes) {
          this.#isTooLarge = true;
          return;
        }
        const list = found.get(segment) ?? [];
        found.set(segment, list);
        list[numbers.get(i) as number] = block; // a view of the batch, until it is packed
      }
    }
    for (const [segment, blocks] of found) packed.set(segment, packBlocks(Array.from(blocks), this.#shared));
    this.#packed = packed;
  }
}

/** @param blocks undefined where a block is missing: it and those after it are left out, and the table reports them */
export function packBlocks(blocks: readonly (Uint8Array | undefined)[], shared: boolean): PackedBlocks {
  const missing = blocks.indexOf(undefined);
  const whole = (missing < 0 ? blocks : blocks.slice(0, missing)) as readonly Uint8Array[];
  const ends = new Uint32Array(whole.length + 1);
  for (const [i, block] of whole.entries()) ends[i + 1] = ends[i]! + block.length;
  const bytes = bytesOf(ends.at(-1)!, shared);
  for (const [i, block] of whole.entries()) bytes.set(block, ends[i]!);
  return { bytes, ends };
}

export function packedReader({ bytes, ends }: PackedBlocks): SegmentSource['readBlocks'] {
  return async (indices) => indices.map((block) => bytes.subarray(ends[block]!, ends[block + 1]!));
}
