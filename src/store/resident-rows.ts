import type { StoredChunk } from '../core/types.ts';
import { ChunkReader, chunkColumns } from './chunk-rows.ts';
import { wholeNumbers } from './columns.ts';
import type { ChunkRow } from './contract.ts';
import type { PinnedTable } from './pinned.ts';
import type { SeqMap } from './runs.ts';

export const defaultResidentRowBytes: number = 128 * 2 ** 20;

/** Reads before all rows are loaded: a process with one question gains nothing from loading them. */
const readsBefore = 4;

/**
 * The rows of one snapshot as Arrow batches, kept in memory after repeated reads if all of them fit. Reading fifty rows
 * from the table takes longer than the rest of a query. Rows are decoded on demand.
 */
export class ResidentRows {
  readonly #chunks: Pick<PinnedTable, 'scan'>;
  readonly #map: SeqMap;
  readonly #liveRows: number;
  readonly #maxBytes: number;
  #batches: readonly ChunkReader[] = [];
  /** By ordinal: number of the batch and row in it. Present when all rows are loaded. */
  #places: { readonly batch: Int32Array; readonly row: Int32Array } | undefined;
  #reads = 0;
  #loading = false;

  /** @param maxBytes rows of more bytes are not kept; 0 = keep nothing */
  constructor(chunks: Pick<PinnedTable, 'scan'>, map: SeqMap, liveRows: number, maxBytes: number) {
    this.#chunks = chunks;
    this.#map = map;
    this.#liveRows = liveRows;
    this.#maxBytes = maxBytes;
  }

  /** True when every live row is in memory. */
  get isLoaded(): boolean {
    return this.#places !== undefined;
  }

  /** The chunk of a row. Undefined until all rows are loaded, and for dead rows. */
  get(ordinal: number): StoredChunk | undefined {
    const places = this.#places;
    if (places === undefined) return undefined;
    return this.#batches[places.batch[ordinal]!]?.chunk(places.row[ordinal]!);
  }

  /** Same as `get`, decoded on demand. */
  row(ordinal: number): ChunkRow | undefined {
    const places = this.#places;
    if (places === undefined) return undefined;
    return this.#batches[places.batch[ordinal]!]?.row(places.row[ordinal]!);
  }

  /**
   * Counts a read from the table. After enough reads, starts to load all rows in the background if they probably fit.
   * @param bytes size of this read
   * @param rows number of rows in this read
   */
  noteRead(bytes: number, rows: number): void {
    this.#reads++;
    if (this.#loading || this.#reads < readsBefore || rows === 0) return;
    if ((bytes / rows) * this.#liveRows > this.#maxBytes) return;
    this.#loading = true; // only once: a second load would fail or be too large again
    void this.load().catch(() => undefined); // reads still go to the table and report their errors there
  }

  /** Loads all rows; keeps none when they are larger than `maxBytes`. */
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
        if (ordinal < 0) continue; // a newer row: the scan read a later version because this one was pruned
        batch[ordinal] = batches.length;
        row[ordinal] = i;
      }
      batches.push(new ChunkReader(next));
    }
    this.#batches = batches;
    this.#places = { batch, row };
  }
}
