import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import { openLocalEmbedder } from '../../../src/embed/local/embedder.ts';
import { openIndex } from '../../../src/index.ts';
import { searchWithPredictors } from '../../../src/retrieve/search.ts';
import { BestSoFar } from '../../../src/retrieve/shards/best-so-far.ts';
import type { ShardAsker } from '../../../src/retrieve/shards/contract.ts';
import { SnapshotShard } from '../../../src/retrieve/shards/shard.ts';
import { ShardThreads } from '../../../src/retrieve/shards/shard-threads.ts';
import { type AskedShard, searchShards } from '../../../src/retrieve/shards/united-search.ts';
import { MODEL_BLOB } from '../../../src/search-index/ingest-session.ts';
import { openStore } from '../../../src/store/index.ts';
import { UnitedSnapshot } from '../../../src/store/shards/united-snapshot.ts';
import { notes, questions, variants } from '../../support/sea-notes.ts';
import { tempFolder } from '../../support/temp.ts';

const timeoutMs = 60_000;

async function opened(shards: number, threads = 1) {
  const base = tempFolder(notes(0, 60));
  const address = join(base, '.ibid');
  await using index = await openIndex(address, { create: true, base, shards });
  await index.ingest([join(base, 'docs')]);
  const store = await openStore(address, { threads: threads > 1 ? threads + 1 : 1 });
  const snapshot = await store.snapshot();
  if (!(snapshot instanceof UnitedSnapshot)) throw new Error('no shards');
  const embedder = openLocalEmbedder((await store.getBlob(MODEL_BLOB))!);
  const askers = snapshot.parts.map(({ name, base, snapshot }): AskedShard => {
    return { base, asker: new SnapshotShard(name, snapshot) };
  });
  return { snapshot, embedder, askers, close: () => store.close() };
}

describe('shards that are asked one by one', () => {
  it.each([1, 2, 7])('give the hits, scores and traces of one index: %i shards', async (shards) => {
    const { snapshot, embedder, askers, close } = await opened(shards);
    for (const query of questions)
      for (const options of variants) {
        const one = await searchWithPredictors(snapshot, embedder, query, options);
        const many = await searchShards(snapshot, askers, embedder, query, { ...options, timeoutMs });
        expect({ query, options, ...many }).toEqual({ query, options, ...one });
      }
    await close();
  });

  it('leave out what shards before them beat', async () => {
    const { snapshot, embedder, askers, close } = await opened(7);
    const counts = { body: 5, window: 3, dense: 4, read: 50 };
    const found = { alone: 0, chained: 0 };
    for (const query of questions)
      for (const variant of variants) {
        const options = { ...variant, candidates: counts };
        const best = new BestSoFar(counts);
        let before = Promise.resolve();
        const chained = snapshot.parts.map(({ name, base, snapshot: part }, i): AskedShard => {
          const shard = new SnapshotShard(name, part);
          const candidates: ShardAsker['candidates'] = async (request, call) => {
            const turn = before;
            const done = Promise.withResolvers<void>();
            before = done.promise;
            await turn;
            const reply = await shard.candidates(request, call, best).finally(done.resolve);
            found.chained += reply.ordinals.length;
            found.alone += (await askers[i]!.asker.candidates(request, call)).ordinals.length;
            return reply;
          };
          const { totals, terms, dictionary } = SnapshotShard.prototype;
          return {
            base,
            asker: {
              name,
              candidates,
              totals: totals.bind(shard),
              terms: terms.bind(shard),
              dictionary: dictionary.bind(shard),
            },
          };
        });
        const one = await searchWithPredictors(snapshot, embedder, query, options);
        const many = await searchShards(snapshot, chained, embedder, query, { ...options, timeoutMs });
        expect({ query, options, ...many }).toEqual({ query, options, ...one });
      }
    expect(found.chained).toBeLessThan(0.9 * found.alone);
    await close();
  });

  it('answer in threads as in one', async () => {
    const { snapshot, embedder, close } = await opened(3, 2);
    const threads = new ShardThreads(2);
    expect(await threads.ready(snapshot)).toBe(true);
    for (const query of questions)
      for (const options of variants) {
        const one = await searchWithPredictors(snapshot, embedder, query, options);
        expect({ query, options, ...(await threads.search(snapshot, embedder, query, options)) }).toEqual({
          query,
          options,
          ...one,
        });
      }
    await expect(threads.search(snapshot, embedder, 'rope', { where: 'no_such = 1' })).rejects.toMatchObject({
      code: 'INVALID_FILTER',
    });
    const abort = new AbortController();
    const search = threads.search(snapshot, embedder, 'rope', { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(search).rejects.toThrow('enough');
    await threads.close();
    await close();
  });

  it('are named when they fail or are late, and the others answer', async () => {
    const { snapshot, embedder, askers, close } = await opened(3);
    const [first, second, third] = askers as [AskedShard, AskedShard, AskedShard];
    const failing = (asker: ShardAsker, fail: () => Promise<never>): ShardAsker => ({
      name: asker.name,
      totals: () => asker.totals({}),
      terms: (request, options) => asker.terms(request, options),
      dictionary: (request, options) => asker.dictionary(request, options),
      candidates: fail,
    });
    const broken = async (): Promise<never> => {
      throw new IbidError('CONNECTION_FAILED', 'the line is dead');
    };
    const late = async (): Promise<never> => {
      await sleep(20_000, undefined, { ref: false });
      throw new Error('too late');
    };
    const shards = [
      { ...first, asker: failing(first.asker, broken) },
      second,
      { ...third, asker: failing(third.asker, late) },
    ];
    const startedAt = performance.now();
    const found = await searchShards(snapshot, shards, embedder, 'which rope holds the quay?', { timeoutMs: 300 });
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(found.missing?.map(({ name, error }) => [name, error.code])).toEqual([
      ['0000', 'CONNECTION_FAILED'],
      ['0002', 'TIMEOUT'],
    ]);
    expect(found.hits.length).toBeGreaterThan(0);
    const none = [shards[0]!];
    await expect(searchShards(snapshot, none, embedder, 'rope', { timeoutMs: 300 })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
    });
    await close();
  });

  it('are not late because another one was, or because the vector of the query took its time', async () => {
    const { snapshot, embedder, askers, close } = await opened(3);
    const slow = (
      { base, asker }: AskedShard,
      ms: { readonly terms: number; readonly candidates: number },
    ): AskedShard => {
      const delayedBy = async <T>(wait: number, reply: () => Promise<T>): Promise<T> => {
        await sleep(wait, undefined, { ref: false });
        return await reply();
      };
      const { name } = asker;
      return {
        base,
        asker: {
          name,
          totals: (options) => asker.totals(options),
          terms: (...asked) => delayedBy(ms.terms, () => asker.terms(...asked)),
          dictionary: (...asked) => asker.dictionary(...asked),
          candidates: (...asked) => delayedBy(ms.candidates, () => asker.candidates(...asked)),
        },
      };
    };
    const delayed = {
      ...embedder,
      embedQuery: async (...asked: Parameters<typeof embedder.embedQuery>) => {
        await sleep(1500);
        return await embedder.embedQuery(...asked);
      },
    };
    const shards = [
      slow(askers[0]!, { terms: 20_000, candidates: 0 }),
      slow(askers[1]!, { terms: 0, candidates: 200 }),
      slow(askers[2]!, { terms: 0, candidates: 200 }),
    ];
    const found = await searchShards(snapshot, shards, delayed, 'which rope holds the quay?', { timeoutMs: 1000 });
    expect(found.missing?.map(({ name, error }) => [name, error.code])).toEqual([['0000', 'TIMEOUT']]);
    await close();
  });

  it('end without the process while the database works in their threads', () => {
    const child = join(import.meta.dirname, 'closing-child.ts');
    const folder = tempFolder(notes(0, 60));
    const { status, signal, stdout } = spawnSync(process.execPath, ['--no-warnings', child, folder], {
      encoding: 'utf8',
    });
    expect({ status, signal }).toEqual({ status: 0, signal: null });
    const { closed, ended } = JSON.parse(stdout) as { closed: number; ended: number }; // our own child
    expect(closed).toBe(20);
    expect(ended).toBeGreaterThan(20);
  });
});
