import { expect, it } from 'vitest';
import { caches } from '../../../src/retrieve/thread-caches.ts';

const MiB = 2 ** 20;

it('share what one thread would hold, and let a large shard keep its common words', () => {
  expect(caches(2)).toEqual({
    caches: { blockCacheBytes: 16 * MiB, postingsCacheBytes: 16 * MiB },
    cacheBytes: 32 * MiB,
  });
  expect(caches(16, 1000).caches).toEqual({ blockCacheBytes: 4 * MiB, postingsCacheBytes: 4 * MiB });
  expect(caches(16, 625_000).caches).toEqual({ blockCacheBytes: 4 * MiB, postingsCacheBytes: 15_000_000 });
});
