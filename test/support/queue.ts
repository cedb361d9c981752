import { onTestFinished } from 'vitest';
import type { SearchIndex } from '../../src/index.ts';
import { runWorker, type WorkerOptions } from '../../src/queue.ts';
import { hasRedis, type StartedRedis, startRedis } from './redis.ts';
import { tempFolder } from './temp.ts';

export const files: Record<string, string> = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [
    `docs/note-${i}.${['md', 'txt', 'html'][i % 3]}`,
    `# Note ${i}\n\n${`The pump ${i} of quay ${i % 7} is serviced in week ${i + 3}. `.repeat(1 + (i % 9))}`,
  ]),
);
files['docs/table.csv'] = 'name,depth\nquay 1,4.5\nquay 2,6.25\n';
files['docs/broken.pdf'] = '%PDF-1.7\nnothing of a PDF\n';

export async function exported(index: SearchIndex): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  for await (const chunk of index.export({ vectors: true })) lines.push(chunk);
  return lines;
}

/** A Redis of its own until the test ends. @param more of its options */
export async function ownRedis(...more: readonly string[]): Promise<StartedRedis> {
  const redis = await startRedis(tempFolder(), ...more);
  onTestFinished(() => redis.kill());
  return redis;
}

/** A worker in this process until the test ends. */
export async function work(url: string, options: WorkerOptions = {}): Promise<void> {
  const stop = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = runWorker(url, { ...options, signal: stop.signal, onReady: resolve });
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  await Promise.race([promise, running]);
}

/** For the name of a suite: why its tests are left out. */
export const why: string = hasRedis ? '' : ' (skipped: no redis-server)';
