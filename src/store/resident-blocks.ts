import type { RecordBatch } from 'apache-arrow';
import type { SegmentSource } from '../lexical/contract.ts';

export const defaultResidentBlockBytes: number = 24 * 2 ** 20;

/** So many reads from each segment first: a process that asks one question gains nothing from holding all blocks. */
const readsBefore = 4;

/** The blocks of all segments as the database has them. */
export interface StoredBlocks {
  readonly segments: number;
  /** In all segments. */
  readonly blocks: number;
  read(segment: number, indices: readonly number[]): Promise<readonly Uint8Array[]>;
  /** All of them: batches with the columns `segment`, `block` and `bytes`. */
  scan(): AsyncIterable<RecordBatch>;
}

/**
 * The blocks of a snapshot's inverted index, kept in memory as they are stored once they are asked for again and again,
 * if all of them fit: some 130 bytes a chunk, where reading the block of one word from the table takes longer than half
 * a query.
 */
export class ResidentBlocks {
  readonly #stored: StoredBlocks;
  readonly #maxBytes: number;
  /** By segment, then by block. */
  #blocks: ReadonlyMap<number, readonly (Uint8Array | undefined)[]> | undefined;
  #reads = 0;
  #loading = false;

  /** @param maxBytes more than this is not kept; 0 = nothing */
  constructor(stored: StoredBlocks, maxBytes: number = defaultResidentBlockBytes) {
    this.#stored = stored;
    this.#maxBytes = maxBytes;
  }

  /** Whether every block is in memory. */
  get isLoaded(): boolean {
    return this.#blocks !== undefined;
  }

  /** Reads blocks of one segment. */
  reader(segment: number): SegmentSource['readBlocks'] {
    return async (indices) => {
      const kept = this.#blocks?.get(segment);
      const found = indices.map((block) => kept?.[block]);
      if (found.every((bytes) => bytes !== undefined)) return found;
      const blocks = await this.#stored.read(segment, indices); // says which one is missing
      this.#noteRead(blocks);
      return blocks;
    };
  }

  /**
   * Counts a read from the table; after some, loads all blocks behind the caller's back where they are likely to fit.
   */
  #noteRead(blocks: readonly Uint8Array[]): void {
    this.#reads++;
    if (this.#loading || this.#reads < readsBefore * this.#stored.segments || blocks.length === 0) return;
    const bytes = blocks.reduce((sum, block) => sum + block.length, 0);
    if ((bytes / blocks.length) * this.#stored.blocks > this.#maxBytes) return;
    this.#loading = true; // once: what did not fit or failed now will not do better next time
    void this.load().catch(() => undefined); // the table stays, and its errors show where it is read
  }

  /** Loads all blocks; keeps none when they turn out too large. */
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
        list[numbers.get(i) as number] = contents.get(i) as Uint8Array; // a view: the batch is kept whole
      }
    }
    this.#blocks = blocks;
  }
}
