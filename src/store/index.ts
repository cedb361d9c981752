/**
 * Where an index lives: documents, chunks, vectors and the inverted index in LanceDB tables.
 *
 *     const writer = await openWriter('.ibid', { fingerprint: { embedder: 'local-1', dimensions: 256 } });
 *     await writer.current.replaceDocuments(records);
 *     await writer.finish();
 *     await writer.close();
 *
 *     const store = await openStore('.ibid');
 *     const snapshot = await store.snapshot();
 *     const { ordinals } = await snapshot.searchVectors(query, 10, { within: await snapshot.filter("format = 'pdf'")
 * });
 *     const chunks = await snapshot.fetch(ordinals);
 */
import { parseAddress } from './address.ts';
import { Database, type DatabaseOptions } from './database.ts';
import type { IndexWriter, Store } from './index-contract.ts';
import type { WriterOptions } from './index-writer.ts';
import { openShardedStore, openShardedWriter } from './shards/open.ts';
import { type ReadStoreOptions, TableStore } from './store.ts';
import { openTableWriter } from './waking-writer.ts';

export { isIndexFolder, scratchFolder } from './address.ts';
export type { Database } from './database.ts';
export type { DocumentWriter, IndexWriter, NextGeneration, PassSnapshot, Store } from './index-contract.ts';
export { type CacheOptions, Replica } from './replica.ts';
export { mendLayout } from './shards/mend-layout.ts';
export { checkSharding, damageOfLayout, refuseShard, type Shard, shardsOf } from './shards/open.ts';
export { checkFingerprint, type Fingerprint } from './state.ts';
export { keptNote } from './store.ts';

export type StoreOptions = DatabaseOptions & ReadStoreOptions;
export type OpenWriterOptions = DatabaseOptions &
  WriterOptions & {
    /** Number of shards of a new index, or of the next generation of one that consists of shards. */
    readonly shards?: number | undefined;
    /** Whether the number of shards may change. @default false */
    readonly reshard?: boolean | undefined;
    /** Whether a shard that is gone is made anew, empty: only an ingest can fill it again. @default false */
    readonly refill?: boolean | undefined;
  };

/** An address, or a connection made by `connectDatabase` that several stores and writers share. */
export type IndexLocation = string | Database;

/**
 * Connects; reads nothing. The data of `memory://` exists while its connection is open, so store and writer must share
 * one.
 * @param create whether a missing local folder is made
 */
export function connectDatabase(
  address: string,
  options: DatabaseOptions & { create?: boolean } = {},
): Promise<Database> {
  return Database.connect(parseAddress(address), { ...options, create: options.create ?? true });
}

/**
 * Opens an index for reading.
 * @param place a folder, or another address that LanceDB supports (`s3://`, `gs://`, `az://`, `db://`)
 * @throws IbidError INDEX_NOT_FOUND, INDEX_SCHEMA, INDEX_MISMATCH, INDEX_DAMAGED
 */
export async function openStore(place: IndexLocation, options: StoreOptions = {}): Promise<Store> {
  const database = typeof place === 'string' ? await connectDatabase(place, { ...options, create: false }) : place;
  return (await openShardedStore(database, options)) ?? (await TableStore.open(database, options));
}

/**
 * Opens an index for writing. Makes the index when there is none and the fingerprint has embedder and dimensions.
 * @throws IbidError INDEX_LOCKED when another process writes for longer than `waitMs`
 */
export async function openWriter(place: IndexLocation, options: OpenWriterOptions = {}): Promise<IndexWriter> {
  const database = typeof place === 'string' ? await connectDatabase(place, options) : place;
  for (;;) {
    const writer = (await openShardedWriter(database, options)) ?? (await openTableWriter(database, options));
    if (writer) return writer; // else another run has made an index of shards meanwhile
  }
}
