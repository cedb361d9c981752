import type { RecordBatch } from 'apache-arrow';
import type { SegmentSource } from '../lexical/contract.ts';

export const defaultResidentBlockBytes: number = 24 * 2 ** 20;

/** Reads per segment before all blocks are loaded: a process with one question gains nothing from loading them. */
const readsBefore = 4;

/** The blocks of all segments in the database. */
export interface StoredBlocks {
  readonly segments: number;
  /** Number of blocks in all segments. */
  readonly blocks: number;
  read(segment: number, indices: readonly number[]): Promise<readonly Uint8Array[]>;
  /** All blocks, as batches with the columns `segment`, `block` and `bytes`. */
  scan(): AsyncIterable<RecordBatch>;
}

/**
 * The blocks of a snapshot's inverted index, kept in memory after repeated reads if all of them fit. They take about
 * 130 bytes a chunk. Reading the block of one word from the table takes more than half the time of a query.
 */
export class ResidentBlocks {
  readonly #stored: StoredBlocks;
  readonly #maxBytes: number;
  /** By segment, then by block. */
  #blocks: ReadonlyMap<number, readonly (Uint8Array | undefined)[]> | undefined;
  #reads = 0;
  #loading = false;

  /** @param maxBytes blocks of more bytes are not kept; 0 = keep nothing */
  constructor(stored: StoredBlocks, maxBytes: number = defaultResidentBlockBytes) {
    this.#stored = stored;
    this.#maxBytes = maxBytes;
  }

  /** True when every block is in memory. */
  get isLoaded(): boolean {
    return this.#blocks !== undefined;
  }

  /** Returns a function that reads blocks of one segment. */
  reader(segment: number): SegmentSource['readBlocks'] {
    return async (indices) => {
      const kept = this.#blocks?.get(segment);
      const found = indices.map((block) => kept?.[block]);
      if (found.every((bytes) => bytes !== undefined)) return found;
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
    if (this.#loading || this.#reads < readsBefore * this.#stored.segments || blocks.length === 0) return;
    const bytes = blocks.reduce((sum, block) => sum + block.length, 0);
    if ((bytes / blocks.length) * this.#stored.blocks > this.#maxBytes) return;
    this.#loading = true; // only once: a second load would fail or be too large again
    void this.load().catch(() => undefined); // reads still go to the table and report their errors there
  }

  /** Loads all blocks; keeps none when they are larger than `maxBytes`. */
  async load(): Promise<void> {
    const blocks = new Map<number, (Uint8Array | undefined)[]>();
    let bytes = 0;
    for await (const batch of this.#stored.scan()) {
      bytes += batch.data.byteLength;
      if (bytes > this.#maxBytes) return;
      const segments = batch.getChild('segment')!;
      const numbers = batch.getChild('block')!;
      const contents = batch.getChild('bytes')!;
      for (let i = 0; i < batch.numRows; i++) {
        const segment = segments.get(i) as number;
        let list = blocks.get(segment);
        if (list === undefined) {
          list = [];
          blocks.set(segment, list);
        }
        list[numbers.get(i) as number] = contents.get(i) as Uint8Array; // a view: the whole batch stays in memory
      }
    }
    this.#blocks = blocks;
  }
}
