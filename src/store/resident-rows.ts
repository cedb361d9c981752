import type { StoredChunk } from '../core/types.ts';
import { chunkColumns } from './chunk-rows.ts';
import { textBytes, wholeNumbers } from './columns.ts';
import type { ChunkRow } from './contract.ts';
import { PackedRows, type SharedRows } from './packed-rows.ts';
import type { PinnedTable } from './pinned.ts';
import type { SeqMap } from './runs.ts';

export const defaultResidentRowBytes: number = 128 * 2 ** 20;

/** Reads before all rows are loaded: a process with one question gains nothing from loading them. */
const readsBefore = 4;

/** The rows that snapshots of successive versions have in common, and the loads that wait for each other. */
interface Memory {
  readonly rows: PackedRows;
  /** Of the rows that are loaded. */
  map?: SeqMap;
  /** All rows do not fit: no version tries again. */
  readonly isTooLarge?: boolean;
  loading: Promise<void>;
}

interface ResidentRowsOptions {
  /** In memory that threads share. @default false */
  readonly shared?: boolean | undefined;
  /** Of an earlier version: what it has loaded is not read again. */
  readonly before?: ResidentRows | undefined;
}

/**
 * The rows of one snapshot, kept in memory after repeated reads if all of them fit. Reading fifty rows from the table
 * takes longer than the rest of a query. A later version adds rows at the end of the same memory, unless a document was
 * renamed: only that changes a row.
 */
export class ResidentRows {
  readonly #chunks: Pick<PinnedTable, 'scan'>;
  readonly #map: SeqMap;
  readonly #liveRows: number;
  readonly #maxBytes: number;
  readonly #shared: boolean;
  #memory: Memory;
  #loaded: PackedRows | undefined;
  #reads: number;
  #loading: Promise<void> | undefined;

  /** @param maxBytes rows of more bytes are not kept; 0 = keep nothing */
  constructor(
    chunks: Pick<PinnedTable, 'scan'>,
    map: SeqMap,
    liveRows: number,
    maxBytes: number,
    { shared = false, before }: ResidentRowsOptions = {},
  ) {
    this.#chunks = chunks;
    this.#map = map;
    this.#liveRows = liveRows;
    this.#maxBytes = maxBytes;
    this.#shared = shared;
    this.#memory = before ? before.#memory : this.#newMemory();
    this.#reads = before?.isLoaded ? readsBefore : 0;
  }

  /** Rows that another thread has loaded. */
  static attach(
    chunks: Pick<PinnedTable, 'scan'>,
    map: SeqMap,
    shared: SharedRows | undefined,
    before?: ResidentRows,
  ): ResidentRows {
    const rows = new ResidentRows(chunks, map, 0, 0);
    if (shared) rows.#loaded = PackedRows.attach(shared, before?.packed);
    return rows;
  }

  /** The rows in memory, of this and of other versions. */
  get packed(): PackedRows | undefined {
    return this.#loaded;
  }

  /** The rows for other threads; undefined where they are not kept. */
  share(): SharedRows | undefined {
    return this.#loaded?.share();
  }

  #newMemory(): Memory {
    return { rows: new PackedRows(this.#shared), loading: Promise.resolve() };
  }

  /** True when every live row is in memory. */
  get isLoaded(): boolean {
    return this.#loaded !== undefined;
  }

  /** The chunk of a row. Undefined until all rows are loaded, and for dead rows. */
  get(ordinal: number): StoredChunk | undefined {
    return this.#loaded?.chunk(ordinal);
  }

  /** Same as `get`, decoded on demand. */
  row(ordinal: number): ChunkRow | undefined {
    return this.#loaded?.row(ordinal);
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
    void this.load().catch(() => undefined); // reads still go to the table and report their errors there
  }

  /** Loads all rows; keeps none when they are larger than `maxBytes`. */
  load(): Promise<void> {
    this.#loading ??= this.#loadAfter(this.#memory); // only once: a second load would fail or be too large again
    return this.#loading;
  }

  async #loadAfter(known: Memory): Promise<void> {
    if (this.#maxBytes === 0 || known.isTooLarge) return;
    const mine = known.loading.then(() => this.#load(known));
    known.loading = mine.catch(() => {});
    await mine;
  }

  async #load(known: Memory): Promise<void> {
    const kept = known.map ? Math.min(known.rows.count, this.#map.rows) : 0;
    const isSame =
      known.map?.agreesWith(this.#map, kept) !== false && (kept === 0 || !(await this.#isRenamed(known.rows, kept)));
    if (!isSame) this.#memory = this.#newMemory();
    const memory = this.#memory;
    const { rows } = memory;
    const from = rows.count;
    if (from < this.#map.rows) {
      rows.reserve(this.#map.rows);
      const where = from === 0 ? undefined : `seq >= ${this.#map.seqOf(from)}`;
      for await (const batch of this.#chunks.scan({ columns: ['seq', ...chunkColumns], where, lent: true })) {
        rows.append(batch, this.#ordinalsOf(batch), from);
        if (rows.sizeBytes <= this.#maxBytes) continue;
        this.#memory = { ...this.#newMemory(), isTooLarge: true };
        return;
      }
      rows.finish(this.#map.rows);
      memory.map = this.#map;
    }
    this.#loaded = rows;
  }

  /** -1 for a newer row: the scan read a later version because this one was pruned. */
  #ordinalsOf(batch: Parameters<typeof wholeNumbers>[0]): Float64Array {
    return wholeNumbers(batch, 'seq').map((seq) => this.#map.ordinalOf(seq));
  }

  /** Whether a row below `kept` has another uri than in memory. */
  async #isRenamed(rows: PackedRows, kept: number): Promise<boolean> {
    for await (const batch of this.#chunks.scan({ columns: ['seq', 'uri'], lent: true })) {
      const { bytes, ends } = textBytes(batch, 'uri');
      for (const [row, ordinal] of this.#ordinalsOf(batch).entries()) {
        if (ordinal < 0 || ordinal >= kept) continue;
        if (!rows.hasUri(ordinal, bytes.subarray(ends[row]!, ends[row + 1]!))) return true;
      }
    }
    return false;
  }
}
