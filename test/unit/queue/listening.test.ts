import { join } from 'node:path';
import { Worker } from 'bullmq';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { queueName } from '../../../src/queue/contract.ts';
import { ingestQueue, queueState } from '../../../src/queue.ts';
import { ownRedis, why, work } from '../../support/queue.ts';
import { hasRedis } from '../../support/redis.ts';
import { tempFolder } from '../../support/temp.ts';

/** A worker that takes nothing of this version, until the test ends. */
async function listenAt(url: string, name: string): Promise<void> {
  const worker = new Worker(name, async () => undefined, { connection: { url, maxRetriesPerRequest: null } });
  onTestFinished(() => worker.close());
  await worker.waitUntilReady();
}

describe(`workers that listen${why}`, { timeout: 60_000 }, () => {
  it.skipIf(!hasRedis)('those of another version of ibid are counted apart', async () => {
    const { url } = await ownRedis();
    await listenAt(url, queueName.replace(/-\d+-/, '-1-'));
    await listenAt(url, 'mails');
    await expect.poll(() => queueState(url)).toMatchObject({ workers: 0, otherWorkers: 1 });
    await work(url);
    await expect.poll(() => queueState(url)).toMatchObject({ workers: 1, otherWorkers: 1 });
  });

  it.skipIf(!hasRedis)('those of another database are none', async () => {
    const { url } = await ownRedis();
    await work(`${url}/1`);
    await expect.poll(() => queueState(`${url}/1`)).toMatchObject({ workers: 1, otherWorkers: 0 });
    expect(await queueState(url)).toMatchObject({ workers: 0, otherWorkers: 0 });
  });

  it.skipIf(!hasRedis)('a run that waits says how many are of another version', async () => {
    const folder = tempFolder({ 'docs/a.md': 'The pump.' });
    const { url } = await ownRedis();
    await listenAt(url, queueName.replace(/-\d+-/, '-1-'));
    await work(`${url}/1`);
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    const told = Promise.withResolvers<number>();
    const run = index.ingest([join(folder, 'docs')], { queue: ingestQueue(url, { onNoWorker: told.resolve }) });
    const summary = run.then((done) => done);
    expect(await told.promise).toBe(1);
    await work(url);
    expect((await summary).added).toBe(1);
  });
});
