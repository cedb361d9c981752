import { serveThreadPool } from '../../core/thread-pool-peer.ts';
import { attachSnapshot } from '../../store/shared-snapshot.ts';
import type { StoreSnapshot } from '../../store/snapshot.ts';
import { caches } from '../thread-caches.ts';
import { databaseOf } from '../thread-databases.ts';
import { SnapshotShard } from './shard.ts';
import type { ShardContext, ShardQuestion } from './shard-threads.ts';

let before = new Map<string, StoreSnapshot>();

serveThreadPool<ShardContext, ReadonlyMap<string, SnapshotShard>, ShardQuestion, unknown>({
  attach({ shards, of }, thread) {
    const attached = new Map(
      shards.map(({ name, shared }) => [
        name,
        attachSnapshot(shared, {
          thread,
          before: before.get(name),
          database: () => databaseOf(shared),
          ...caches(of),
        }),
      ]),
    );
    before = attached;
    return new Map(Array.from(attached, ([name, snapshot]) => [name, new SnapshotShard(name, snapshot)]));
  },
  async answer(shards, question, signal) {
    const shard = shards.get(question.shard);
    if (!shard) throw new TypeError(`there is no shard ${question.shard} here`);
    switch (question.kind) {
      case 'totals':
        return await shard.totals();
      case 'terms':
        return await shard.terms(question.request, { signal });
      case 'dictionary':
        return await shard.dictionary(question.request, { signal });
      case 'candidates':
        return await shard.candidates(question.request, { signal });
    }
  },
});
