import { getCompileCacheDir } from 'node:module';

/**
 * The environment that lets a process of ours use the compile cache of this one, where this one has a cache: half of
 * the start of such a process is compiling.
 */
export function compileCacheEnvironment(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
