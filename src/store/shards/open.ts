import { wholeOf } from '../../core/arguments.ts';
import { IbidError } from '../../core/errors.ts';
import { isIndexFolder, parseAddress } from '../address.ts';
import { Database } from '../database.ts';
import type { WriterOptions } from '../index-writer.ts';
import type { ReadStoreOptions } from '../store.ts';
import { indexOfShard, layoutDamage, MOST_SHARDS, nameOf, readLayout, shardFolders } from './layout.ts';
import { ShardedStore } from './store.ts';
import { ShardedWriter } from './writer.ts';

const connected =
  (create: boolean) =>
  (folder: string): Promise<Database> =>
    Database.connect(parseAddress(folder), { create });

/** One shard of an index, as the index that it is. */
export interface Shard {
  readonly name: string;
  readonly folder: string;
  /** One whose folder is gone has no tables. @throws IbidError FILE_UNREADABLE */
  connect(): Promise<Database>;
}

/** Of an index that consists of shards; empty for any other. @throws IbidError INDEX_DAMAGED, INDEX_SCHEMA */
export function shardsOf({ address }: Database): readonly Shard[] {
  const layout = address.kind === 'local' ? readLayout(address.directory) : undefined;
  if (address.kind !== 'local' || !layout) return [];
  const connect = connected(true);
  return shardFolders(address.directory, layout).map((folder, i) => ({
    ...{ name: nameOf(i), folder },
    connect: () => connect(folder),
  }));
}

/** The damage of the list of shards itself: no shard can be looked at without the list. */
export function damageOfLayout({ address }: Database): ReturnType<typeof layoutDamage> {
  return address.kind === 'local' ? layoutDamage(address.directory) : undefined;
}

/**
 * Refuses a shard in its index, which would look for most files of a folder in other shards.
 * @throws IbidError INVALID_ARGUMENT
 */
export function refuseShard({ address }: Database): void {
  const index = address.kind === 'local' ? indexOfShard(address.directory) : undefined;
  if (address.kind !== 'local' || index === undefined) return;
  throw new IbidError('INVALID_ARGUMENT', `${address.directory} is a shard of the index ${index}`, {
    hint: `Give the folder of the index: ${index}.`,
  });
}

/** @returns undefined for an index that does not consist of shards */
export async function openShardedStore(
  { address }: Database,
  options: ReadStoreOptions,
): Promise<ShardedStore | undefined> {
  if (address.kind !== 'local' || !readLayout(address.directory)) return undefined;
  return await ShardedStore.open(address, { ...options, connect: connected(false) });
}

interface ShardingOptions {
  readonly shards?: number | undefined;
  readonly reshard?: boolean | undefined;
  readonly refill?: boolean | undefined;
}

/**
 * Whether an index may be written with a number of shards.
 * @returns false for an index that does not consist of shards, and shall not
 * @throws IbidError INVALID_ARGUMENT for shards in an object store, INDEX_MISMATCH for another number of shards
 */
export function checkSharding({ address }: Database, { shards, reshard = false }: ShardingOptions): boolean {
  const layout = address.kind === 'local' ? readLayout(address.directory) : undefined;
  if (shards !== undefined) wholeOf(shards, 'shards', 1, MOST_SHARDS);
  else if (!layout) return false;
  if (address.kind !== 'local')
    throw new IbidError('INVALID_ARGUMENT', 'only an index in a local folder has shards', {
      hint: 'Leave out `shards`; `openIndexes` reads indexes on several machines as one.',
    });
  if (!layout && isIndexFolder(address.directory))
    throw new IbidError('INDEX_MISMATCH', 'this index does not consist of shards', {
      hint: 'Make an index with shards in another folder.',
    });
  if (layout && shards !== undefined && shards !== layout.count && !reshard)
    throw new IbidError('INDEX_MISMATCH', `the index has ${layout.count} shards, not ${shards}`, {
      hint: 'For the other number, ingest with `rebuild: true`; else leave it out.',
    });
  return true;
}

/** As `checkSharding`. @returns undefined for an index that does not consist of shards, and shall not */
export async function openShardedWriter(
  database: Database,
  { reshard, ...options }: WriterOptions & ShardingOptions,
): Promise<ShardedWriter | undefined> {
  const { address } = database;
  const { shards } = options;
  if (!checkSharding(database, { shards, reshard }) || address.kind !== 'local') return undefined;
  const writer = await ShardedWriter.open(address.directory, { ...options, connect: connected(true) });
  try {
    checkSharding(database, { shards, reshard }); // while this run waited for the lock, another may have made the index
    return writer;
  } catch (error) {
    await writer.close();
    throw error;
  }
}
