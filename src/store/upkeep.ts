import { Index, type Table } from '@lancedb/lancedb';
import { wholeNumbers } from './columns.ts';
import { guard, scan } from './database.ts';
import { countRows, type RowRun, SeqMap, seqsOf } from './runs.ts';
import type { Tables } from './schema.ts';
import { readSegments, replaceByMerged, segmentsToMerge } from './segments.ts';

/** More fragments than this slow every scan down. */
const mostFragments = 8;
const mostVersions = 64;
/** Bytes of files that only old versions need are let be up to this, or to a fifth of the table. */
const leastWasted = 2 ** 20;
/**
 * From here on an index on `uri` is worth its bytes. At a million rows a scan finds 400 documents in 40 ms, the index
 * in 13; making it took 112 MiB.
 */
const indexFromRows = 4_000_000;

export interface UpkeepOptions {
  /** Versions younger than this stay, for readers that still look at them. */
  readonly retainMs: number;
  /** Bytes of the files a table has, old versions included; 0 where that is not to be had. */
  readonly dataBytes: (table: string) => Promise<number>;
  /** Lets a table be rewritten without caching what is read for it. */
  readonly uncached: (table: Table, use: (table: Table) => Promise<void>) => Promise<void>;
}

/** Merges segments, compacts tables, prunes old versions and builds indexes: each only where it pays. */
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

/** Compacts a table of many fragments or dead rows, and prunes it when old versions waste much. */
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
    // what was compacted away is still needed by a version that this very call made obsolete
    if (compaction.fragmentsRemoved > 0)
      await rewritten.optimize({ cleanupOlderThan: new Date(Date.now() - retainMs) });
  });
}

async function indexUris(table: Table): Promise<void> {
  const indices = await table.listIndices();
  if (indices.some(({ columns }) => columns.includes('uri'))) return; // `optimize` keeps it up to date
  await table.createIndex('uri', { config: Index.btree() });
}
