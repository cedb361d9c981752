import { serveThreadPool } from '../core/thread-pool-peer.ts';
import type { Embedder } from '../embed/contract.ts';
import type { Snapshot } from '../store/contract.ts';
import { ScopedSnapshot } from '../store/scoped-snapshot.ts';
import { attachSnapshot } from '../store/shared-snapshot.ts';
import type { StoreSnapshot } from '../store/snapshot.ts';
import { type SearchResult, searchWithPredictors } from './search.ts';
import type { SnapshotContext, ThreadSearch } from './search-threads.ts';
import { caches } from './thread-caches.ts';
import { databaseOf } from './thread-databases.ts';

/** An embedder that knows the vector of the only query. */
function embedderOf(vector: Int8Array): Embedder {
  return {
    id: 'given',
    dimensions: vector.length,
    limits: { documents: 0, chunks: 0, tokens: 0, tokensPerDocument: 0 },
    embedDocuments: async () => [],
    embedQuery: async () => vector,
  };
}

let before: StoreSnapshot | undefined;

/** Scopes that are kept of a snapshot; further ones take the place of the oldest. */
const MOST_SCOPES = 16;
const scopes = new WeakMap<StoreSnapshot, Map<string, Promise<Snapshot>>>();

function scopeOf(snapshot: StoreSnapshot, where: string): Promise<Snapshot> {
  const known = scopes.get(snapshot) ?? new Map<string, Promise<Snapshot>>();
  scopes.set(snapshot, known);
  const scoped = known.get(where) ?? ScopedSnapshot.open(snapshot, where);
  known.delete(where); // to the end: the first ones are dropped first
  known.set(where, scoped);
  scoped.catch(() => known.delete(where)); // a failed filter is tried again
  for (const oldest of known.keys()) {
    if (known.size <= MOST_SCOPES) break;
    known.delete(oldest);
  }
  return scoped;
}

serveThreadPool<SnapshotContext, StoreSnapshot, ThreadSearch, SearchResult>({
  attach({ shared, threads }, thread) {
    before = attachSnapshot(shared, { thread, before, database: () => databaseOf(shared), ...caches(threads) });
    return before;
  },
  async answer(whole, { query, scope, vector, options }, signal) {
    const snapshot = scope === undefined ? whole : await scopeOf(whole, scope);
    return await searchWithPredictors(snapshot, vector && embedderOf(vector), query, { ...options, signal });
  },
});
