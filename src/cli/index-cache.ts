import { resolve } from 'node:path';
import type { CacheOptions } from '../index.ts';
import { isRemoteAddress } from './config/remote.ts';
import type { Settings } from './config/settings.ts';

/** The configured folder for copies of remote indexes. */
export function cacheFolder({ config, file }: Settings): string | undefined {
  return config.indexCache && resolve(file?.folder ?? '.', config.indexCache.folder);
}

/** Where an index is kept to be read; undefined for one that is here. */
export function cacheOf(address: string, folder: string | undefined, { config }: Settings): CacheOptions | undefined {
  if (folder === undefined || !isRemoteAddress(address) || address.startsWith('memory:')) return undefined;
  const { megabytes } = config.indexCache ?? {};
  // an empty name is refused, not the working folder
  return { folder: folder && resolve(folder), ...(megabytes === undefined ? {} : { maxBytes: megabytes * 2 ** 20 }) };
}
