import type { AttachOptions } from '../store/shared-snapshot.ts';

/**
 * Of a shard's rows. The postings of a common word take a byte or two each: so many bytes keep a dozen such words, and
 * the words of some fifty queries beside them. With two thirds of it they drove each other out.
 */
const POSTINGS_BYTES_PER_ROW = 24;

/**
 * Caches of one of several threads, or of one of several shards: together they hold about what one thread would.
 * @param rows of the shard: a large one keeps its common words, however many shards there are
 */
export function caches(of: number, rows: number = 0): Pick<AttachOptions, 'caches' | 'cacheBytes'> {
  const share = (megabytes: number): number => Math.max(4, megabytes / of) * 2 ** 20;
  return {
    caches: { blockCacheBytes: share(32), postingsCacheBytes: Math.max(share(32), POSTINGS_BYTES_PER_ROW * rows) },
    cacheBytes: share(64),
  };
}
