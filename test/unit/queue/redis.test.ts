import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { ingestQueue, queueState, runWorker } from '../../../src/queue.ts';
import { files, ownRedis, why, work } from '../../support/queue.ts';
import { hasRedis } from '../../support/redis.ts';
import { tempFolder } from '../../support/temp.ts';

describe(`an ingest whose Redis is full, gone or refuses${why}`, { timeout: 120_000 }, () => {
  it.skipIf(!hasRedis)('survives the end of its Redis', async () => {
    const folder = tempFolder(files);
    const redis = await ownRedis();
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    const run = index.ingest([join(folder, 'docs')], { queue: ingestQueue(redis.url) }).then((done) => done);
    await new Promise((resolve) => setTimeout(resolve, 300)); // batches wait
    await redis.kill();
    await redis.start();
    await work(redis.url);
    expect((await run).added).toBe(61);
  });

  it.skipIf(!hasRedis)('says that its Redis is full, and goes on when it has room', async () => {
    const folder = tempFolder(files);
    const redis = await ownRedis('--maxmemory', '100kb');
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    const told: string[] = [];
    const full = Promise.withResolvers<void>();
    const notes = {
      onRefused: (reason: string) => {
        told.push(reason);
        full.resolve();
      },
      onBack: () => void told.push('back'),
    };
    const run = index.ingest([join(folder, 'docs')], { queue: ingestQueue(redis.url, notes) }).then((done) => done);
    await full.promise;
    await new Promise((resolve) => setTimeout(resolve, 4500)); // further looks are refused too
    const admin = new Redis(redis.url);
    await admin.config('SET', 'maxmemory', '0');
    admin.disconnect();
    await work(redis.url);
    expect((await run).added).toBe(61);
    expect(told).toEqual([expect.stringMatching(/^OOM .*maxmemory/), 'back']);
  });

  it.skipIf(!hasRedis)('a run ends although its Redis is full', async () => {
    const folder = tempFolder(files);
    const redis = await ownRedis('--maxmemory', '100kb');
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    const stop = new AbortController();
    const queue = ingestQueue(redis.url, { onRefused: () => stop.abort(new Error('enough')) });
    const run = index.ingest([join(folder, 'docs')], { queue, signal: stop.signal }).then();
    await expect(run).rejects.toThrow('enough');
  });

  it.skipIf(!hasRedis)('a run ends although its Redis is gone', { timeout: 30_000 }, async () => {
    const folder = tempFolder(files);
    const redis = await ownRedis();
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    const stop = new AbortController();
    const queued = Promise.withResolvers<number>();
    const notes = { onNoWorker: queued.resolve };
    const signal = stop.signal;
    const run = index.ingest([join(folder, 'docs')], { queue: ingestQueue(redis.url, notes), signal }).then();
    run.catch(() => {});
    await queued.promise;
    await redis.kill();
    await new Promise((resolve) => setTimeout(resolve, 500)); // the connection is lost
    stop.abort(new Error('enough'));
    await expect(run).rejects.toThrow('enough');
  });

  it.skipIf(!hasRedis)('a worker ends although its Redis is gone', { timeout: 20_000 }, async () => {
    const redis = await ownRedis();
    const stop = new AbortController();
    const { promise: ready, resolve: onReady } = Promise.withResolvers<void>();
    const running = runWorker(redis.url, { signal: stop.signal, onReady });
    await ready;
    await redis.kill();
    await new Promise((resolve) => setTimeout(resolve, 500)); // the connection is lost
    stop.abort();
    await running;
  });

  it.skipIf(!hasRedis)('says that its Redis wants another password', { timeout: 30_000 }, async () => {
    const redis = await ownRedis('--requirepass', 'secret');
    const { host } = new URL(redis.url);
    for (const url of [redis.url, `redis://:other@${host}`])
      await expect(queueState(url)).rejects.toMatchObject({
        code: 'CONNECTION_FAILED',
        message: expect.stringMatching(`^the Redis at ${host} does not let us in: (NOAUTH|WRONGPASS)`),
      });
    expect((await queueState(`redis://:secret@${host}`)).dead).toBe(0);
  });

  it('refuses what is no address of a Redis, and says when none answers', { timeout: 30_000 }, async () => {
    const folder = tempFolder({ 'docs/a.md': 'The pump.' });
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    const ingest = (url: string): Promise<unknown> =>
      index.ingest([join(folder, 'docs')], { queue: ingestQueue(url) }).then((done) => done);
    await expect(ingest('http://127.0.0.1')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(ingest('redis://127.0.0.1:99999')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('port'),
    });
    await expect(ingest('redis://user:secret@127.0.0.1:1')).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      message: 'no Redis answers at 127.0.0.1:1',
    });
  });
});
