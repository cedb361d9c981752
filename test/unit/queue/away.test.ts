import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { connectQueue } from '../../../src/queue/connect.ts';
import { ingestQueue, runWorker } from '../../../src/queue.ts';
import { ownRedis } from '../../support/queue.ts';
import { hasRedis } from '../../support/redis.ts';
import { tempFolder } from '../../support/temp.ts';

const cli = join(import.meta.dirname, '../../../src/cli/main.ts');

describe.skipIf(!hasRedis)('a Redis that goes while a run or a worker needs it', { timeout: 120_000 }, () => {
  it('is told as gone, and as back, once each', async () => {
    const redis = await ownRedis();
    const told: string[] = [];
    const gone = Promise.withResolvers<void>();
    const back = Promise.withResolvers<void>();
    const { queue } = await connectQueue(redis.url, {
      onGone: () => {
        told.push('gone');
        gone.resolve();
      },
      onBack: () => {
        told.push('back');
        back.resolve();
      },
    });
    await redis.kill();
    await gone.promise;
    await delay(2500); // further attempts fail
    await redis.start();
    await back.promise;
    await queue.close();
    expect(told).toEqual(['gone', 'back']);
  });

  it('is not told as gone where it was back at once, or where the queue is closed', async () => {
    const redis = await ownRedis();
    const told: string[] = [];
    const notes = { onGone: () => void told.push('gone'), onBack: () => void told.push('back') };
    const { queue, giveUp } = await connectQueue(redis.url, notes);
    const other = new Redis(redis.url);
    expect(await other.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes')).toBeGreaterThan(0);
    other.disconnect();
    await queue.count(); // it is connected again
    await giveUp();
    await queue.close();
    await delay(4000); // longer than it takes until it is told
    expect(told).toEqual([]);
  });

  it.each([
    ['an ingest', ['ingest', 'docs'], 'no worker listens'],
    ['a worker', ['worker'], 'waiting for work'],
  ])('is told by the command: %s', async (_, args, begun) => {
    const redis = await ownRedis();
    const cwd = tempFolder({ 'docs/a.md': 'The pump.' });
    const child = execFile(process.execPath, [cli, ...args, '--queue', redis.url], { cwd });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stderr!.on('data', (piece: string) => {
      said += piece;
    });
    const says = (words: string): Promise<void> =>
      expect.poll(() => said, { timeout: 30_000, interval: 100 }).toContain(words);
    await says(begun);
    await redis.kill();
    await says('Redis does not answer');
    await redis.start();
    await says('Redis is back');
  });
});

describe.skipIf(!hasRedis)('a queue without a worker', { timeout: 120_000 }, () => {
  it('is told once, and again after a worker has come and gone', async () => {
    const redis = await ownRedis();
    const folder = tempFolder({ 'docs/a.md': 'The pump.' });
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    let told = 0;
    const lonely = Promise.withResolvers<void>();
    const onNoWorker = (): void => {
      told++;
      lonely.resolve();
    };
    const run = index.ingest([join(folder, 'docs')], { queue: ingestQueue(redis.url, { onNoWorker }) }).then();
    await lonely.promise;
    await delay(5000);
    expect(told).toBe(1);
    const stop = new AbortController();
    const worker = runWorker(redis.url, { signal: stop.signal });
    await run;
    stop.abort();
    await worker;
  });
});
