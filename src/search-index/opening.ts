import { dirname, isAbsolute, resolve } from 'node:path';
import { namedOf, numberOf, objectsOf, optionsOf, positiveOf, textOf, wholeOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { checkEmbedder } from '../embed/own.ts';
import type { Searcher } from '../retrieve/search.ts';
import { resolveTuning } from '../retrieve/tuning.ts';
import { parseAddress } from '../store/address.ts';
import {
  type CacheOptions,
  connectDatabase,
  type Database,
  keptNote,
  openStore,
  Replica,
  type Store,
} from '../store/index.ts';
import { resolveChunkOptions } from '../text/chunk/options.ts';
import { checkOutside } from './index-place.ts';
import { openIndexesOptions, openIndexOptions } from './known-options.ts';
import { type IndexAddress, isOwnEmbedder, type OpenIndexesOptions, type OpenIndexOptions } from './options.ts';
import { BASE } from './parts.ts';
import { readOptions } from './session.ts';

/** The database of an index, and the folder that the uris of its files are relative to. */
interface OpenedDatabase {
  readonly database: Database;
  /** Absent while there is no index, and for a damaged one. */
  readonly store: Store | undefined;
  /** Of a remote index with a cache. */
  readonly replica: Replica | undefined;
  readonly base: string;
}

/** @throws IbidError INVALID_ARGUMENT, INDEX_NOT_FOUND, INDEX_SCHEMA */
async function openDatabase(address: string, options: OpenIndexOptions): Promise<OpenedDatabase> {
  textOf(address, 'the address of the index');
  resolveChunkOptions(options.chunking); // reports a wrong option now, not after the first hundred files
  resolveTuning(options.tuning ?? {});
  if (isOwnEmbedder(options.embedder)) checkEmbedder(options.embedder);
  const { create = false, storageOptions, apiKey, cache, threads = 1, waitMs = 0, signal } = options;
  wholeOf(threads, 'threads', 1, 64);
  numberOf(waitMs, 'waitMs', 0, Infinity); // with NaN a writer would wait for ever
  for (const name of Object.keys(storageOptions ?? {}))
    if (storageOptions?.[name] !== undefined) textOf(storageOptions[name], `storageOptions.${name}`);
  if (cache) checkCache(cache);
  signal?.throwIfAborted();
  const place = parseAddress(address);
  if (place.kind === 'local') checkOutside(place.directory);
  const database = await connectDatabase(address, { create, storageOptions, apiKey });
  if (cache && database.address.kind !== 'remote') {
    throw new IbidError('INVALID_ARGUMENT', 'only a remote index has a cache', { hint: 'Leave out `cache`.' });
  }
  const replica = cache && (await Replica.open(database, cache));
  let store: Store | undefined;
  try {
    await replica?.ready({ signal });
    store = await openStore(replica?.database ?? database, readOptions(threads));
  } catch (error) {
    const code = error instanceof IbidError ? error.code : undefined;
    // A damaged index opens, to be checked and repaired; each use of it says that it is damaged.
    if (code !== 'INDEX_DAMAGED' && !(create && code === 'INDEX_NOT_FOUND')) {
      await replica?.close(); // nobody else would end its copying
      throw error;
    }
  }
  if (signal?.aborted) {
    await Promise.all([store?.close(), replica?.close()]);
    throw signal.reason;
  }
  const remembered = store ? await store.getMeta(BASE) : await keptNote(database, BASE);
  const folder = database.address.kind === 'local' ? database.address.directory : undefined;
  // an index that was copied from a folder to an object store has noted its base relative to that folder
  const isKnown = typeof remembered === 'string' && (folder !== undefined || isAbsolute(remembered));
  const known = isKnown ? resolve(folder ?? '.', remembered) : undefined;
  const base = known ?? resolve(options.base ?? (folder?.endsWith('.ibid') ? dirname(folder) : '.'));
  return { database, store, replica, base };
}

function checkCache({ folder, maxBytes = 1, refreshMs = 0 }: CacheOptions): void {
  if (textOf(folder, 'cache.folder').trim() === '')
    throw new IbidError('INVALID_ARGUMENT', 'the folder of the cache is empty', { hint: 'Name a folder.' });
  // with NaN the cache would have no bound
  positiveOf(maxBytes, 'cache.maxBytes');
  numberOf(refreshMs, 'cache.refreshMs', 0, Infinity);
}

export type OpenPlace = OpenedDatabase & { readonly address: string; readonly joined?: Searcher };

/** One index, or several as one; what opens several brings what speaks HTTP. */
export async function openPlace(
  address: IndexAddress,
  options: OpenIndexOptions & OpenIndexesOptions,
): Promise<OpenPlace> {
  objectsOf(optionsOf(options, isList(address) ? openIndexesOptions : openIndexOptions), [
    'cache',
    'chunking',
    'models',
    'reader',
    'services',
    'storageOptions',
    'tuning',
  ]);
  namedOf(options.tuning ?? {}, ['weights', 'candidates'], 'tuning');
  const [services, models] = [
    ['audio', 'messages', 'search', 'unavailable'],
    ['reranker', 'transcriber', 'web', 'writer'],
  ] as const;
  objectsOf(namedOf(options.services ?? {}, services, 'services'), services, 'services');
  for (const name of ['audio', 'messages', 'search'] as const)
    if (options.services?.[name] && typeof options.services[name].close !== 'function')
      throw new IbidError('INVALID_ARGUMENT', `services.${name} is no client of a service`, {
        hint: 'Make one with `ibid/wire`: createSearchService, createMessagesService or createAudioService.',
      });
  objectsOf(namedOf(options.models ?? {}, models, 'models'), models, 'models');
  if (typeof options.embedder !== 'string') objectsOf(options, ['embedder']);
  if (!isList(address)) return { ...(await openDatabase(address, options)), address };
  const opened = await (await import('./open-joined.ts')).openJoined(address, options);
  return { ...opened, joined: opened.store, replica: undefined, address: nameOf(address) };
}

/** All of them, as one text; a token is no part of it. */
const nameOf = (addresses: Exclude<IndexAddress, string>): string =>
  addresses
    .map((one) => (typeof one === 'string' ? one : one.index === undefined ? one.url : `${one.url} ${one.index}`))
    .join(', ');

/** JavaScript may pass anything: what is no list is looked at as one address, and refused there. */
function isList(address: IndexAddress): address is Exclude<IndexAddress, string> {
  return Array.isArray(address);
}
