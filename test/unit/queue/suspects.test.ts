import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { lossOf, SharedLock } from '../../../src/queue/suspects.ts';
import { ingestQueue, queueState } from '../../../src/queue.ts';
import { ownRedis, why } from '../../support/queue.ts';
import { hasRedis } from '../../support/redis.ts';
import { tempFolder } from '../../support/temp.ts';

const program = join(import.meta.dirname, '../../support/mortal-worker.ts');

/** A worker that is started again whenever it dies. @returns how often it has */
function mortalWorker(url: string, lockMs: number): () => number {
  let deaths = 0;
  let isOver = false;
  const start = (): void => {
    const child = spawn(process.execPath, [program, url, `${lockMs}`], { stdio: ['ignore', 'ignore', 'inherit'] });
    void once(child, 'exit').then(([, signal]) => {
      if (isOver) return;
      expect(signal).toBe('SIGKILL');
      deaths++;
      start();
    });
    onTestFinished(async () => {
      isOver = true;
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
  };
  start();
  return () => deaths;
}

describe(`a file that ends its workers${why}`, { timeout: 120_000 }, () => {
  it.skipIf(!hasRedis)('costs three of them, and the others of its batch are read', async () => {
    const names = [...Array.from({ length: 40 }, (_, i) => `note-${i}`), 'deadly'];
    const folder = tempFolder(Object.fromEntries(names.map((name) => [`docs/${name}.md`, `The pump of ${name}.`])));
    const { url } = await ownRedis();
    const deaths = mortalWorker(url, 500);
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    const readHere: string[] = [];
    const queue = ingestQueue(url, { onReadHere: (reason) => readHere.push(reason) });
    const { added, failed } = await index.ingest([join(folder, 'docs')], { queue });
    expect({ added, deaths: deaths(), readHere }).toEqual({ added: 40, deaths: 3, readHere: [] });
    expect(failed).toMatchObject([
      { uri: 'docs/deadly.md', message: expect.stringContaining('each worker that had it') },
    ]);
    const { letters } = await queueState(url);
    expect(letters).toMatchObject([{ uris: ['docs/deadly.md'], reason: expect.stringContaining('was lost: killed') }]);
  });
});

it('work that suffers none beside it waits for what was asked before, and what is asked later waits for it', async () => {
  const lock = new SharedLock();
  const told: string[] = [];
  const work = (name: string, ms: number) => async (): Promise<void> => {
    told.push(`${name} begins`);
    await delay(ms);
    told.push(`${name} ends`);
  };
  const failing = lock.shared(() => Promise.reject(new Error('it is damaged')));
  const all = [
    lock.shared(work('a', 40)),
    lock.shared(work('b', 20)),
    lock.exclusive(work('c', 20)),
    lock.exclusive(work('d', 0)),
    lock.shared(work('e', 0)),
  ];
  await expect(failing).rejects.toThrow('it is damaged');
  await Promise.all(all);
  const [c, d, e] = ['c', 'd', 'e'].map((name) => [`${name} begins`, `${name} ends`]);
  expect(told).toEqual(['a begins', 'b begins', 'b ends', 'a ends', ...c!, ...d!, ...e!]);
});

it('a worker says of a batch that it is split, and of a file that it is given up', () => {
  const file = { uri: 'a.md', path: '/a.md', mtimeMs: 0 };
  expect(lossOf({ files: [file, file] }).message).toBe('a worker was lost with it; its files are read one by one');
  for (const batch of [{ files: [file] }, {}, undefined])
    expect(lossOf(batch).message).toBe('each worker that had it was lost: killed, or out of memory');
});
