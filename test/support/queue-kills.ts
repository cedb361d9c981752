import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openIndex } from '../../src/index.ts';
import { seededRandom } from '../../src/internal.ts';
import { startRedis } from './redis.ts';

export interface QueueKills {
  readonly kills: Readonly<Record<'worker' | 'run' | 'redis', number>>;
  /** Runs that ended by themselves between two kills. */
  readonly completed: number;
  readonly documents: number;
  readonly wrong: readonly string[];
}

const cli = join(import.meta.dirname, '../../src/cli/main.ts');

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [cli, ...args], { stdio: 'ignore' });
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function exported(address: string): Promise<readonly string[]> {
  await using index = await openIndex(address);
  const lines: string[] = [];
  for await (const chunk of index.export()) lines.push(JSON.stringify(chunk));
  return lines.sort();
}

/**
 * Ingests a changing folder through a queue while workers, the run that commits, and Redis are killed at random moments;
 * then compares the index with one that a single process makes of the same folder.
 */
export async function killQueue(kills: number, seed: number, documents: number): Promise<QueueKills> {
  const random = seededRandom(seed);
  const home = mkdtempSync(join(tmpdir(), 'ibid-queue-'));
  const [docs, index, alone] = [join(home, 'docs'), join(home, 'index'), join(home, 'alone')];
  mkdirSync(docs);
  mkdirSync(join(home, 'redis'));
  const write = (i: number, version: number): void => {
    const line = `The pump ${i} of quay ${i % 17} is serviced in week ${version}. `;
    writeFileSync(join(docs, `note-${i}.md`), `# Note ${i}\n\n${line.repeat(20 + ((i * 7) % 60))}`);
  };
  for (let i = 0; i < documents; i++) write(i, 0);
  const redis = await startRedis(join(home, 'redis'));
  const worker = (): ChildProcess => start('worker', '--queue', redis.url, '--concurrency', '2', '--quiet');
  const ingest = (): ChildProcess => start('ingest', docs, '--index', index, '--queue', redis.url, '--quiet');
  const workers = [worker(), worker()];
  let run = ingest();
  const counts = { worker: 0, run: 0, redis: 0 };
  const wrong: string[] = [];
  let completed = 0;
  try {
    for (let kill = 1; kill <= kills; kill++) {
      await Promise.race([delay(100 + random() * 2500), once(run, 'exit')]);
      if (run.exitCode !== null) {
        completed++;
        if (run.exitCode !== 0) wrong.push(`a run ended with status ${run.exitCode}`);
        for (let i = 0; i < documents; i++) if (random() < 0.3) write(i, kill);
        run = ingest();
        await delay(random() * 2500);
      }
      const what = (['worker', 'worker', 'run', 'redis'] as const)[Math.floor(random() * 4)]!;
      counts[what]++;
      if (what === 'worker') {
        const at = Math.floor(random() * workers.length);
        await killed(workers[at]!);
        workers[at] = worker();
      } else if (what === 'run') {
        await killed(run);
        run = ingest();
      } else {
        await redis.kill();
        await delay(random() * 500);
        await redis.start();
      }
    }
    if (run.exitCode === null && run.signalCode === null) await once(run, 'exit');
    const last = ingest();
    const [status] = (await once(last, 'exit')) as [number | null];
    if (status !== 0) wrong.push(`the last run ended with status ${status}`);
    await once(start('ingest', docs, '--index', alone, '--quiet'), 'exit');
    const [made, wanted] = [await exported(index), await exported(alone)];
    const missing = wanted.filter((line, i) => line !== made[i]).length;
    if (made.length !== wanted.length || missing > 0)
      wrong.push(`${made.length} chunks, ${wanted.length} wanted, ${missing} differ`);
    return { kills: counts, completed, documents, wrong };
  } finally {
    await Promise.all([...workers, run].map(killed));
    await redis.kill();
    rmSync(home, { recursive: true, force: true });
  }
}
