import { Index, type Table } from '@lancedb/lancedb';
import { wholeNumbers } from './columns.ts';
import { guard } from './failure.ts';
import { countRows, type RowRun, SeqMap, seqsOf } from './runs.ts';
import type { Tables } from './schema.ts';
import { readSegments, replaceByMerged, segmentsToMerge } from './segments.ts';
import { scan } from './table-rows.ts';

/** Maximum number of fragments: more make every scan slower. */
const mostFragments = 8;
const mostVersions = 64;
/** Bytes that only old versions need may reach this number, or a fifth of the table. */
const leastWasted = 2 ** 20;
/**
 * Least number of rows for an index on `uri`. At a million rows a scan finds 400 documents in 40 ms and the index in
 * 13 ms, but making the index takes 112 MiB.
 */
const indexFromRows = 4_000_000;

export interface UpkeepOptions {
  /** Versions younger than this stay, for readers that still use them. */
  readonly retainMs: number;
  /** Bytes of the files of a table, including old versions; 0 when unknown. */
  readonly dataBytes: (table: string) => Promise<number>;
  /** Calls `use` with a table whose reads are not cached. */
  readonly uncached: (table: Table, use: (table: Table) => Promise<void>) => Promise<void>;
}

/** Merges segments, compacts tables, prunes old versions and builds indexes, each only where it helps. */
export async function maintain(
  tables: Tables,
  nextSegment: () => Promise<number>,
  options: UpkeepOptions,
): Promise<void> {
  await mergeAll(tables, nextSegment);
  for (const table of [tables.chunks, tables.lexical, tables.documents, tables.blobs]) {
    await guard(`cannot tidy up ${table.name}`, () => compact(table, options));
  }
  if ((await guard('cannot count rows', () => tables.chunks.countRows())) >= indexFromRows) {
    await guard('cannot index uris', () => indexUris(tables.chunks));
  }
}

async function mergeAll({ chunks, lexical }: Tables, nextSegment: () => Promise<number>): Promise<void> {
  let segments = await readSegments(lexical);
  const live = await guard('cannot count rows', () => chunks.countRows());
  const all = segments.reduce((sum, { runs }) => sum + countRows(runs), 0);
  if (segments.length < 2 && all - live < 100) return;
  const map = new SeqMap(segments.flatMap(({ runs }) => runs));
  const alive = new Uint8Array(map.rows);
  for await (const batch of scan(chunks, { columns: ['seq'], lent: true })) {
    for (const seq of wholeNumbers(batch, 'seq')) {
      const ordinal = map.ordinalOf(seq);
      if (ordinal >= 0) alive[ordinal] = 1;
    }
  }
  const isLive = (seq: number): boolean => alive[map.ordinalOf(seq)] === 1;
  for (;;) {
    const sizes = segments.map(({ runs }) => countRows(runs));
    const dead = segments.map(({ runs }, i) => sizes[i]! - countLive(runs, isLive));
    const range = segmentsToMerge(sizes, dead);
    if (range === undefined) return;
    await replaceByMerged(lexical, segments.slice(...range), await nextSegment(), isLive);
    segments = await readSegments(lexical);
  }
}

function countLive(runs: readonly RowRun[], isLive: (seq: number) => boolean): number {
  let count = 0;
  for (const seq of seqsOf(runs)) if (isLive(seq)) count++;
  return count;
}

/** Compacts a table with many fragments or dead rows, and prunes one with many bytes of old versions. */
export async function compact(table: Table, { retainMs, dataBytes, uncached }: UpkeepOptions): Promise<void> {
  const versions = await table.listVersions();
  const latest = versions.at(-1)?.metadata ?? {};
  const fragments = Number(latest.total_fragments ?? 0);
  const deleted = Number(latest.total_deletion_file_rows ?? 0);
  const rows = Number(latest.total_data_file_rows ?? 0);
  const used = Number(latest.total_files_size ?? 0);
  const wasted = (await dataBytes(table.name)) - used;
  const isTidy =
    fragments <= mostFragments &&
    deleted * 5 <= rows &&
    versions.length <= mostVersions &&
    wasted <= Math.max(leastWasted, used / 5);
  if (isTidy) return;
  await uncached(table, async (rewritten) => {
    const { compaction } = await rewritten.optimize({ cleanupOlderThan: new Date(Date.now() - retainMs) });
    // The first call keeps the version before it, and so the old fragments. The second call prunes that version.
    if (compaction.fragmentsRemoved > 0)
      await rewritten.optimize({ cleanupOlderThan: new Date(Date.now() - retainMs) });
  });
}

async function indexUris(table: Table): Promise<void> {
  const indices = await table.listIndices();
  if (indices.some(({ columns }) => columns.includes('uri'))) return; // `optimize` updates the index
  await table.createIndex('uri', { config: Index.btree() });
}
