import { join } from 'node:path';
import { IbidError } from '../../core/errors.ts';
import { parseAddress } from '../address.ts';
import { Database } from '../database.ts';
import { type LockOptions, lockFolder } from '../lock.ts';
import { TableStore } from '../store.ts';
import {
  holdsDocuments,
  layoutDamage,
  MOST_SHARDS,
  type ShardLayout,
  setsOnDisk,
  shardFolder,
  shardOf,
  shardsOnDisk,
  writeLayout,
} from './layout.ts';

/**
 * Makes the file of the layout again from the shards. The lowest set with documents is the one that readers saw, or saw
 * last: a run makes the next one beside it. The number of shards is the lowest by which each document is in its shard.
 * @throws IbidError INDEX_DAMAGED when no number of shards agrees with the documents; INDEX_LOCKED
 */
export async function mendLayout(directory: string, options: LockOptions): Promise<void> {
  const lock = await lockFolder(join(directory, 'locks'), options);
  try {
    if (!layoutDamage(directory)) return; // another process was faster
    for (const set of await setsOnDisk(directory)) {
      if (!holdsDocuments(directory, set)) continue;
      const layout = await layoutOf(directory, set);
      if (layout) return writeLayout(directory, layout);
    }
  } finally {
    await lock.release();
  }
  throw new IbidError('INDEX_DAMAGED', `the shards in ${directory} do not belong together`, {
    hint: 'Remove the index and ingest again; the documents are not touched.',
  });
}

async function layoutOf(directory: string, set: number): Promise<ShardLayout | undefined> {
  const uris = new Map<number, readonly string[]>();
  const there = shardsOnDisk(directory, set);
  for (const shard of there) uris.set(shard, await urisOf(shardFolder(directory, set, shard)));
  const belong = (count: number): boolean =>
    [...uris].every(([shard, inShard]) => inShard.every((uri) => shardOf(uri, count) === shard));
  for (let count = (there.at(-1) ?? 0) + 1; count <= MOST_SHARDS; count++) if (belong(count)) return { count, set };
  return undefined;
}

/** None of a shard that is damaged itself, which the next check names. */
async function urisOf(folder: string): Promise<readonly string[]> {
  try {
    await using store = await TableStore.open(await Database.connect(parseAddress(folder), { create: false }), {});
    return [...(await store.manifest()).values()].map(({ uri }) => uri);
  } catch (error) {
    if (error instanceof IbidError) return [];
    throw error;
  }
}
