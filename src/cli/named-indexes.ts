import { join } from 'node:path';
import { IbidError, type OpenIndexOptions, openIndex, type SearchIndex } from '../index.ts';
import { isRemoteAddress } from './config/remote.ts';
import type { Settings } from './config/settings.ts';
import { tellWarning } from './errors.ts';
import { cacheFolder, cacheOf } from './index-cache.ts';
import { type IndexPlace, locateIndex } from './locate-index.ts';
import { boundReadAhead } from './memory.ts';
import { openServers } from './servers.ts';
import { openServices } from './services.ts';

/** Flags of commands that work with several indexes. */
export interface IndexesFlags {
  readonly index?: readonly string[];
  /** Where copies of remote indexes are kept. @default as configured */
  readonly indexCache?: string;
  readonly settings: Settings;
}

export type NamedPlaces = readonly (readonly [name: string, place: IndexPlace])[];

interface OpenedIndexes extends AsyncDisposable {
  readonly indexes: Readonly<Record<string, SearchIndex>>;
}

/** Opens the indexes a server is for, with the services and servers of the configuration. */
export async function openNamed(
  places: NamedPlaces,
  { settings, indexCache = cacheFolder(settings) }: IndexesFlags,
  signal: AbortSignal,
  options: Pick<OpenIndexOptions, 'create' | 'threads'> = {},
): Promise<OpenedIndexes> {
  await using opened = new AsyncDisposableStack();
  if (settings.keysFailure) tellWarning(settings.keysFailure);
  const { services } = opened.use(await openServices(settings));
  const { models, embedder } = opened.use(await openServers(settings));
  const indexes: Record<string, SearchIndex> = {};
  for (const [name, { address, base }] of places) {
    boundReadAhead(address);
    const cache = cacheOf(address, indexCache, settings);
    indexes[name] = opened.use(
      await openIndex(address, { signal, services, models, base, embedder, cache, ...options }),
    );
  }
  const kept = opened.move();
  return { indexes, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/**
 * `name=address` or `address`, which is then called by its number or, alone, `default`.
 * @throws IbidError INVALID_ARGUMENT
 */
export function placesOf({ index: given = [], settings }: IndexesFlags): NamedPlaces {
  if (given.length === 0) return [['default', locateIndex({ settings })]];
  const named = given.map((text, i): readonly [string, IndexPlace] => {
    const [, name, address] = /^([\p{L}\p{N}][\p{L}\p{N}._-]*)=(.+)$/u.exec(text) ?? [];
    const alone = given.length === 1 ? 'default' : String(i + 1);
    return [name ?? alone, locateIndex({ index: address ?? text, settings })];
  });
  const twice = named.find(([name], i) => named.findIndex(([other]) => other === name) !== i);
  if (twice) throw new IbidError('INVALID_ARGUMENT', `two indexes are called "${twice[0]}"`);
  return named;
}

/** The file of tokens: the one that is named, else one in the first local index, if there is one. */
export function tokensFile(named: string | undefined, places: NamedPlaces): string | undefined {
  if (named !== undefined) return named;
  const local = places.find(([, { address }]) => !isRemoteAddress(address));
  return local && join(local[1].address, 'tokens.json');
}

/** The same. @throws IbidError INVALID_ARGUMENT where there is none @param what is kept there, or beside it */
export function mustHaveTokensFile(file: string | undefined, what: string): string {
  if (file === undefined)
    throw new IbidError('INVALID_ARGUMENT', `${what} of remote indexes need a file`, {
      hint: 'Name it with --tokens.',
    });
  return file;
}
