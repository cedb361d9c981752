import { connectDatabase, type Database } from '../store/index.ts';
import type { SharedSnapshot } from '../store/shared-snapshot.ts';

/** A thread reads little from the database: what is in memory comes from its owner. */
const connection = { create: false, indexCacheBytes: 8 * 2 ** 20, metadataCacheBytes: 8 * 2 ** 20 };

/** The connections of this thread, by address. */
const databases = new Map<string, Promise<Database>>();

/** The connection of this thread to the database of a snapshot. */
export function databaseOf({ address }: SharedSnapshot): Promise<Database> {
  const place = address.kind === 'local' ? address.directory : address.uri;
  let database = databases.get(place);
  if (!database) {
    database = connectDatabase(place, connection);
    database.catch(() => databases.delete(place)); // the next read tries again
    databases.set(place, database);
  }
  return database;
}
