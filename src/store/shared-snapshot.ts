import type { SegmentSource } from '../lexical/contract.ts';
import { LexicalReader, type LexicalReaderOptions } from '../lexical/reader.ts';
import { SignCode } from '../vector/sign-code.ts';
import type { Address } from './address.ts';
import type { Database } from './database.ts';
import { DiskSearch } from './disk-search.ts';
import { attachVectors } from './held-vectors.ts';
import type { SharedRows } from './packed-rows.ts';
import { PinnedTable } from './pinned.ts';
import { type PackedBlocks, packedReader } from './resident-blocks.ts';
import { ResidentRows } from './resident-rows.ts';
import { RowFiles, type SharedRowFiles } from './row-files.ts';
import { RowIds, type SharedRowIds } from './row-ids.ts';
import type { SampledRow } from './row-sample.ts';
import { type RowRun, SeqMap } from './runs.ts';
import { copyReaders, type SegmentCopy } from './segment-copies.ts';
import { storedBlocks } from './segments.ts';
import { StoreSnapshot } from './snapshot.ts';
import { ResidentSearch, type SharedSearch } from './vector-search.ts';

/** A table at one version. */
interface TableVersion {
  readonly name: string;
  readonly version: number;
}

/** A segment for other threads: without `blocks`, they are read from the table. */
export interface SharedSegment {
  readonly base: number;
  readonly header: Uint8Array;
  readonly id?: number | undefined;
  readonly blocks?: PackedBlocks | undefined;
  readonly copy?: SegmentCopy | undefined;
}

/** Where a snapshot comes from, for threads that read what is not in memory. */
export interface SnapshotOrigin {
  readonly address: Address;
  readonly chunks: TableVersion;
  readonly lexical: TableVersion;
  /** False where the tables have not been compared with their checksums yet: all came from copies. */
  readonly isVerified: boolean;
}

/**
 * A snapshot as `postMessage` takes it. Vectors, rows and blocks of postings are in shared memory; the rest, about two
 * bytes a chunk, is copied.
 */
export interface SharedSnapshot extends SnapshotOrigin {
  readonly runs: readonly RowRun[];
  readonly live: Uint8Array;
  readonly liveRows: number;
  readonly rowIds: SharedRowIds;
  readonly dimensions: number;
  readonly sample: readonly SampledRow[] | undefined;
  readonly segments: readonly SharedSegment[];
  readonly search: SharedSearch;
  readonly rows: SharedRows | undefined;
  readonly rowFiles: SharedRowFiles | undefined;
}

export interface AttachOptions {
  /** Number of this thread, from 1 on: no two threads that share a snapshot have the same. */
  readonly thread: number;
  /** Opens the database when something must be read from it. */
  readonly database: () => Promise<Database>;
  readonly caches?: LexicalReaderOptions | undefined;
  readonly cacheBytes?: number | undefined;
  /** What this thread attached before: its caches hold for what has not changed. */
  readonly before?: StoreSnapshot | undefined;
}

/** The snapshot of another thread. */
export function attachSnapshot(shared: SharedSnapshot, options: AttachOptions): StoreSnapshot {
  const { live, liveRows, dimensions } = shared;
  const map = new SeqMap(shared.runs);
  const newest = async (name: string) => {
    const database = await options.database();
    if (!shared.isVerified) await database.verify([name]);
    return await database.open(name);
  };
  const pinned = async ({ name, version }: TableVersion) => {
    const table = await newest(name);
    await table.checkout(version);
    return table;
  };
  const chunks = new PinnedTable(
    () => pinned(shared.chunks),
    () => newest(shared.chunks.name),
    async (error) => (await options.database()).explained(error, [shared.chunks.name]),
  );
  const rowFiles = shared.rowFiles && RowFiles.attach(shared.rowFiles);
  const rows = { chunks, map, live, liveRows, rowIds: RowIds.attach(shared.rowIds), dimensions, rowFiles };
  let stored: ReturnType<typeof storedBlocks> | undefined;
  const readStored = (id: number): SegmentSource['readBlocks'] => {
    return async (indices) => {
      stored ??= pinned(shared.lexical).then(storedBlocks);
      stored.catch(() => {
        stored = undefined; // the next query tries again
      });
      return (await stored).read(id, indices);
    };
  };
  const segments = shared.segments.map(({ base, header, id = -1, blocks, copy }) => ({
    base,
    header,
    readBlocks: blocks ? packedReader(blocks) : readStored(id),
    ...copyReaders(copy),
  }));
  const { vectors, calibration, exactBytes } = shared.search;
  return new StoreSnapshot({
    ...rows,
    lexical: LexicalReader.open(segments, (ordinal) => live[ordinal] === 1, options.caches),
    vectors: vectors
      ? new ResidentSearch(rows, attachVectors(vectors, options.thread), calibration, exactBytes)
      : new DiskSearch(rows, new SignCode(dimensions), calibration, exactBytes),
    resident: ResidentRows.attach(chunks, map, shared.rows, options.before?.resident),
    sample: shared.sample,
    cacheBytes: options.cacheBytes,
  });
}
