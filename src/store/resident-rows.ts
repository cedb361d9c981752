import type { StoredChunk } from '../core/types.ts';
import { ChunkReader, chunkColumns } from './chunk-rows.ts';
import { wholeNumbers } from './columns.ts';
import type { ChunkRow } from './contract.ts';
import type { PinnedTable } from './pinned.ts';
import type { SeqMap } from './runs.ts';

export const defaultResidentRowBytes: number = 128 * 2 ** 20;

/** So many reads from the table first: a process that asks one question gains nothing from holding all rows. */
const readsBefore = 4;

/**
 * The rows of one snapshot, kept in memory as the database delivers them once they are asked for again and again, if
 * all of them fit: reading fifty of them from the table takes longer than all else in a query. Rows are decoded when
 * they are asked for.
 */
export class ResidentRows {
  readonly #chunks: Pick<PinnedTable, 'scan'>;
  readonly #map: SeqMap;
  readonly #liveRows: number;
  readonly #maxBytes: number;
  #batches: readonly ChunkReader[] = [];
  /** By ordinal: the batch, and the row in it; present once all are loaded. */
  #places: { readonly batch: Int32Array; readonly row: Int32Array } | undefined;
  #reads = 0;
  #loading = false;

  /** @param maxBytes more than this is not kept; 0 = nothing */
  constructor(chunks: Pick<PinnedTable, 'scan'>, map: SeqMap, liveRows: number, maxBytes: number) {
    this.#chunks = chunks;
    this.#map = map;
    this.#liveRows = liveRows;
    this.#maxBytes = maxBytes;
  }

  /** Whether every live row is in memory. */
  get isLoaded(): boolean {
    return this.#places !== undefined;
  }

  /** Undefined until all rows are loaded, and for dead ones. */
  get(ordinal: number): StoredChunk | undefined {
    const places = this.#places;
    if (places === undefined) return undefined;
    return this.#batches[places.batch[ordinal]!]?.chunk(places.row[ordinal]!);
  }

  /** The same, decoded as far as it is asked for. */
  row(ordinal: number): ChunkRow | undefined {
    const places = this.#places;
    if (places === undefined) return undefined;
    return this.#batches[places.batch[ordinal]!]?.row(places.row[ordinal]!);
  }

  /**
   * Counts a read from the table; after some, loads all rows behind the caller's back where they are likely to fit.
   * @param bytes and `rows` of that read
   */
  noteRead(bytes: number, rows: number): void {
    this.#reads++;
    if (this.#loading || this.#reads < readsBefore || rows === 0) return;
    if ((bytes / rows) * this.#liveRows > this.#maxBytes) return;
    this.#loading = true; // once: what did not fit or failed now will not do better next time
    void this.load().catch(() => undefined); // the table stays, and its errors show where it is read
  }

  /** Loads all rows; keeps none when they turn out too large. */
  async load(): Promise<void> {
    const batch = new Int32Array(this.#map.rows).fill(-1);
    const row = new Int32Array(this.#map.rows);
    const batches: ChunkReader[] = [];
    let bytes = 0;
    for await (const next of this.#chunks.scan({ columns: ['seq', ...chunkColumns] })) {
      bytes += next.data.byteLength;
      if (bytes > this.#maxBytes) return;
      for (const [i, seq] of wholeNumbers(next, 'seq').entries()) {
        const ordinal = this.#map.ordinalOf(seq);
        if (ordinal < 0) continue; // written after this snapshot, where its own version is gone
        batch[ordinal] = batches.length;
        row[ordinal] = i;
      }
      batches.push(new ChunkReader(next));
    }
    this.#batches = batches;
    this.#places = { batch, row };
  }
}
