import type { AttachOptions } from '../store/shared-snapshot.ts';

/** Caches of one of several threads: together they hold about what one thread would. */
export function caches(threads: number): Pick<AttachOptions, 'caches' | 'cacheBytes'> {
  const share = (megabytes: number): number => Math.max(4, megabytes / threads) * 2 ** 20;
  return {
    caches: { blockCacheBytes: share(32), postingsCacheBytes: share(32) },
    cacheBytes: share(64),
  };
}
