import { IbidError } from '../core/errors.ts';
import type { CallOptions, StoredChunk } from '../core/types.ts';
import type { LexicalReader } from '../lexical/reader.ts';
import { chunkColumns, readChunks, rowOf } from './chunk-rows.ts';
import { wholeNumbers } from './columns.ts';
import type { ChunkRow, RowSet, Snapshot, VectorHits, VectorOptions } from './contract.ts';
import { databaseMessageOf } from './failure.ts';
import { refusedFilter, rewriteFilter } from './filter.ts';
import { outdated, type PinnedTable } from './pinned.ts';
import type { ResidentRows } from './resident-rows.ts';
import type { RowFiles } from './row-files.ts';
import type { RowIds } from './row-ids.ts';
import type { SampledRow } from './row-sample.ts';
import { OrdinalSet } from './row-set.ts';
import type { SeqMap } from './runs.ts';
import type { SharedSegment, SharedSnapshot, SnapshotOrigin } from './shared-snapshot.ts';
import { giveBack } from './table-rows.ts';
import type { VectorSearch } from './vector-search.ts';

/** Number of rows in the cache, some kilobytes each. `fewRows` holds where nothing else is kept in memory. */
const cachedRows = 4096;
const fewRows = 256;

interface SnapshotParts {
  readonly chunks: PinnedTable;
  readonly map: SeqMap;
  /** By ordinal: 0 = dead. */
  readonly live: Uint8Array;
  readonly liveRows: number;
  /** By seq; a compaction does not change the ids. */
  readonly rowIds: RowIds;
  readonly dimensions: number;
  readonly lexical: LexicalReader;
  readonly vectors: VectorSearch;
  /** Keeps the rows in memory, or nothing. */
  readonly resident: ResidentRows;
  /** Copies of the rows; absent where there are none. */
  readonly rowFiles?: RowFiles | undefined;
  /** Keeps few rows. @default false */
  readonly frugal?: boolean | undefined;
  readonly sample?: readonly SampledRow[] | undefined;
  readonly cacheBytes?: number | undefined;
  /** For `share`; absent where other threads cannot read the index. */
  readonly origin?: (SnapshotOrigin & { segments(): Promise<readonly SharedSegment[]> }) | undefined;
}

export class StoreSnapshot implements Snapshot {
  readonly rows: number;
  readonly liveRows: number;
  readonly dimensions: number;
  readonly lexical: LexicalReader;
  readonly cacheBytes: number | undefined;
  readonly #parts: SnapshotParts;
  readonly #cache = new Map<number, StoredChunk>();
  readonly #cachedRows: number;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
    this.#cachedRows = parts.frugal ? fewRows : cachedRows;
    this.cacheBytes = parts.cacheBytes;
    this.rows = parts.map.rows;
    this.liveRows = parts.liveRows;
    this.dimensions = parts.dimensions;
    this.lexical = parts.lexical;
  }

  get sample(): readonly SampledRow[] | undefined {
    return this.#parts.sample;
  }

  get rowMemory(): object | undefined {
    return this.#parts.resident.packed;
  }

  /** Its rows in memory, which a later version takes over. */
  get resident(): ResidentRows {
    return this.#parts.resident;
  }

  /**
   * This snapshot for `attachSnapshot` in other threads. Loads vectors, rows and postings into memory, as far as they
   * fit. Undefined where other threads cannot read the index.
   */
  async share(): Promise<SharedSnapshot | undefined> {
    const { origin, map, live, liveRows, rowIds, dimensions, vectors, resident, rowFiles, sample } = this.#parts;
    if (!origin) return undefined;
    const { segments: packed, ...place } = origin;
    const [search, segments] = await Promise.all([vectors.share(), packed(), resident.load()]);
    const rows = { runs: map.runs, live, liveRows, rowIds: rowIds.share(), dimensions, sample };
    return { ...place, ...rows, segments, search, rows: resident.share(), rowFiles: rowFiles?.share() };
  }

  isLive(ordinal: number): boolean {
    return this.#parts.live[ordinal] === 1;
  }

  documentRange(ordinal: number): readonly [first: number, end: number] {
    return this.lexical.documentRange(ordinal);
  }

  async searchVectors(
    query: Int8Array,
    limit: number,
    { within, least, signal }: VectorOptions = {},
  ): Promise<VectorHits> {
    signal?.throwIfAborted();
    if (query.length !== this.dimensions) {
      throw new IbidError('INDEX_MISMATCH', `the query has ${query.length} dimensions, the index ${this.dimensions}`, {
        hint: 'Use the embedder the index was built with.',
      });
    }
    const found = await this.#parts.vectors.search(query, limit, { within: within?.ordinals, least });
    signal?.throwIfAborted();
    return found;
  }

  /**
   * The result of `searchVectors` for each query. Where vectors are not kept in memory, one pass over them serves all
   * queries.
   */
  async searchEach(
    queries: readonly Int8Array[],
    limit: number,
    { signal }: CallOptions = {},
  ): Promise<readonly VectorHits[]> {
    signal?.throwIfAborted();
    return await this.#parts.vectors.searchEach(queries, limit, signal);
  }

  async vectorsAt(ordinals: ArrayLike<number>): Promise<Int8Array> {
    this.#check(ordinals);
    return this.#parts.vectors.at(ordinals);
  }

  async filter(where: string): Promise<RowSet> {
    const sql = `(${rewriteFilter(where)})`; // without these the database ignores what follows a whole condition
    const { chunks, map, live } = this.#parts;
    const found: number[] = [];
    try {
      for await (const batch of chunks.scan({ columns: ['seq'], where: sql, lent: true })) {
        for (const seq of wholeNumbers(batch, 'seq')) found.push(map.ordinalOf(seq));
      }
    } catch (error) {
      const cause = error instanceof IbidError ? error.cause : error;
      const why = databaseMessageOf(cause);
      if (/invalid input|schema error|planning|execution error|sql|no field named/i.test(why)) {
        throw refusedFilter(where, why, cause);
      }
      throw error;
    }
    return new OrdinalSet(Uint32Array.from(found.filter((ordinal) => live[ordinal] === 1)).sort());
  }

  async fetch(ordinals: ArrayLike<number>): Promise<readonly StoredChunk[]> {
    this.#check(ordinals);
    if (this.#parts.resident.isLoaded) return this.#residents(ordinals, (ordinal) => this.#parts.resident.get(ordinal));
    const found = new Map<number, StoredChunk>();
    const missing: number[] = [];
    for (const ordinal of new Set(Array.from(ordinals))) {
      const known = this.#cache.get(ordinal);
      if (known === undefined) missing.push(ordinal);
      else {
        found.set(ordinal, known);
        this.#cache.delete(ordinal); // moved to the end, because the first ones are dropped first
        this.#cache.set(ordinal, known);
      }
    }
    if (missing.length > 0) {
      for (const [ordinal, chunk] of await this.#read(missing)) {
        found.set(ordinal, chunk);
        this.#cache.set(ordinal, chunk);
      }
      for (const oldest of this.#cache.keys()) {
        if (this.#cache.size <= this.#cachedRows) break;
        this.#cache.delete(oldest);
      }
    }
    return Array.from(ordinals, (ordinal) => found.get(ordinal)!);
  }

  async rowsAt(ordinals: ArrayLike<number>): Promise<readonly ChunkRow[]> {
    if (!this.#parts.resident.isLoaded) return (await this.fetch(ordinals)).map(rowOf);
    this.#check(ordinals);
    return this.#residents(ordinals, (ordinal) => this.#parts.resident.row(ordinal));
  }

  #residents<T>(ordinals: ArrayLike<number>, get: (ordinal: number) => T | undefined): T[] {
    this.#cache.clear();
    return Array.from(ordinals, (ordinal) => {
      const found = get(ordinal);
      if (found === undefined) throw outdated();
      return found;
    });
  }

  async #read(ordinals: readonly number[]): Promise<Map<number, StoredChunk>> {
    const { rowFiles, map } = this.#parts;
    const read = new Map<number, StoredChunk>();
    const copies = await rowFiles?.read(ordinals.map((ordinal) => map.seqOf(ordinal)));
    for (const [seq, chunk] of copies ?? []) read.set(map.ordinalOf(seq), chunk);
    const left = ordinals.filter((ordinal) => !read.has(ordinal));
    if (left.length > 0) await this.#take(left, read);
    if (read.size < ordinals.length) throw outdated();
    return read;
  }

  async #take(ordinals: readonly number[], read: Map<number, StoredChunk>): Promise<void> {
    const { rowIds, rowFiles, map, resident } = this.#parts;
    const ids = ordinals.map((ordinal) => rowIds.of(map.seqOf(ordinal))).sort((a, b) => a - b);
    const rows = await this.#parts.chunks.take(ids, ['seq', ...chunkColumns]);
    const seqs = rows.getChild('seq')!;
    for (const [i, chunk] of readChunks(rows).entries()) read.set(map.ordinalOf(Number(seqs.get(i))), chunk);
    const bytes = rows.batches.reduce((sum, { data }) => sum + data.byteLength, 0);
    if (!rowFiles) resident.noteRead(bytes, rows.numRows); // copies are as good as rows in memory
    giveBack(rows);
  }

  #check(ordinals: ArrayLike<number>): void {
    for (let i = 0; i < ordinals.length; i++) {
      if (this.#parts.live[ordinals[i]!] !== 1) {
        throw new IbidError('INVALID_ARGUMENT', `row ${ordinals[i]} is not a live row of this snapshot`);
      }
    }
  }
}
