import { IbidError } from '../../core/errors.ts';
import { serveThreadPool } from '../../core/thread-pool-peer.ts';
import { attachSnapshot } from '../../store/shared-snapshot.ts';
import type { StoreSnapshot } from '../../store/snapshot.ts';
import { caches } from '../thread-caches.ts';
import { databaseOf } from '../thread-databases.ts';
import { BestSoFar } from './best-so-far.ts';
import { SnapshotShard } from './shard.ts';
import type { ShardContext, ShardOutcome, ShardQuestion } from './shard-threads.ts';

let before = new Map<string, StoreSnapshot>();

serveThreadPool<ShardContext, ReadonlyMap<string, SnapshotShard>, ShardQuestion, readonly ShardOutcome[]>({
  attach({ shards, of }, thread) {
    const attached = new Map(
      shards.map(({ name, shared }) => [
        name,
        attachSnapshot(shared, {
          thread,
          before: before.get(name),
          database: () => databaseOf(shared),
          ...caches(of, shared.liveRows),
        }),
      ]),
    );
    before = attached;
    return new Map(Array.from(attached, ([name, snapshot]) => [name, new SnapshotShard(name, snapshot)]));
  },
  async answer(shards, question, signal) {
    const replies: ShardOutcome[] = [];
    const best = question.kind === 'candidates' ? new BestSoFar(question.request.counts) : undefined;
    for (const name of question.shards) {
      const shard = shards.get(name);
      if (!shard) throw new TypeError(`there is no shard ${name} here`);
      signal.throwIfAborted();
      replies.push(await outcomeOf(ask(shard, question, signal, best)));
    }
    return replies;
  },
});

/** A shard that fails takes no other with it. */
async function outcomeOf(work: Promise<unknown>): Promise<ShardOutcome> {
  try {
    return { value: await work };
  } catch (error) {
    if (!(error instanceof IbidError)) throw error;
    const { code, message, hint } = error;
    return { error: { code, message, hint } };
  }
}

async function ask(
  shard: SnapshotShard,
  question: ShardQuestion,
  signal: AbortSignal,
  best: BestSoFar | undefined,
): Promise<unknown> {
  switch (question.kind) {
    case 'totals':
      return await shard.totals();
    case 'terms':
      return await shard.terms(question.request, { signal });
    case 'dictionary':
      return await shard.dictionary(question.request, { signal });
    case 'candidates':
      return await shard.candidates(question.request, { signal }, best);
  }
}
