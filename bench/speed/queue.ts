// An ingest through a queue with one worker and with two, each worker with its parser processes bound to one processor,
// where the system has `taskset`: fresh index, fresh processes, the two in turn. A worker is ready before the clock
// starts, and has read no document. The run shares the processors with its workers.
//
// Beside the seconds of the clock stand processor seconds: R of the run, W of the workers. On machines of their own
// with a processor each, n workers end no sooner than max(R, W / n), and on this machine no sooner than (R + W) / 2.
//
//   node bench/speed/queue.ts [--documents=3000] [--docs=folder] [--rounds=3] [--write]
//
// Without `--docs` the documents are made. `--write` keeps the figures in bench/results/queue-speed.json.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { hasRedis, startRedis } from '../../test/support/redis.ts';
import { readFlags } from '../support/flags.ts';
import { givenFlags, median, writeResults } from '../support/report.ts';
import { writeDocuments } from '../support/synthetic.ts';

const { values } = readFlags(import.meta.filename, {
  options: {
    documents: { type: 'string', default: '3000' },
    docs: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const documents = Number(values.documents);
const PARAGRAPHS = 10;
const cli = join(import.meta.dirname, '../../src/cli/main.ts');

interface Round {
  readonly seconds: number;
  /** Processor seconds of the run and of all workers, with their children; 0 where the system does not tell. */
  readonly run: number;
  readonly workers: number;
  /** Processor seconds of whatever ran at normal priority meanwhile: run and workers lower theirs, and give way. */
  readonly others: number;
  readonly chunks: number;
}

const canBind = spawnSync('taskset', ['-c', '0', 'true']).status === 0;

async function startWorker(url: string, processor: number): Promise<ChildProcess> {
  const command = [process.execPath, cli, 'worker', '--queue', url, '--concurrency', '1'];
  const bound = canBind ? ['taskset', '-c', String(processor), ...command] : command; // `taskset` becomes the worker
  const child = spawn(bound[0]!, bound.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  for await (const piece of child.stderr!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    told += piece;
    if (told.includes('waiting for work')) break;
  }
  child.stderr!.resume();
  return child;
}

function normalPrioritySeconds(): number {
  try {
    return Number(/^cpu +(\d+)/.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0) / 100;
  } catch {
    return 0;
  }
}

/** Of processes with their threads and all children, also those that have ended and were waited for. */
function processorSeconds(pids: readonly (number | undefined)[]): number {
  const children = new Map<number, number[]>();
  const seconds = new Map<number, number>();
  let names: readonly string[] = [];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {} // the system does not tell
  for (const name of names) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number);
      const parent = fields[1]!;
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
      seconds.set(
        Number(name),
        fields.slice(11, 15).reduce((sum, ticks) => sum + ticks / 100, 0),
      );
    } catch {} // it has ended
  }
  const of = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + of(child), seconds.get(pid) ?? 0);
  return pids.reduce<number>((sum, pid) => sum + (pid === undefined ? 0 : of(pid)), 0);
}

async function round(home: string, docs: string, workers: number): Promise<Round> {
  const folder = mkdtempSync(join(home, 'round-'));
  const redis = await startRedis(folder);
  const working = await Promise.all(Array.from({ length: workers }, (_, i) => startWorker(redis.url, i)));
  try {
    const run = spawn(
      process.execPath,
      [cli, 'ingest', docs, '--index', join(folder, 'index'), '--queue', redis.url, '--quiet', '--json'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const startedAt = performance.now();
    const before = normalPrioritySeconds();
    const atStart = processorSeconds(working.map(({ pid }) => pid));
    let said = '';
    let ofRun = 0;
    const watch = setInterval(() => {
      ofRun = processorSeconds([run.pid]) || ofRun;
    }, 250);
    run.stdout!.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
    });
    const [status] = (await once(run, 'close')) as [number | null];
    clearInterval(watch);
    if (status !== 0) throw new Error(`the run ended with status ${status}`);
    const seconds = (performance.now() - startedAt) / 1000;
    const others = normalPrioritySeconds() - before;
    const { chunks } = JSON.parse(said) as { chunks: number }; // the summary of `--json`
    const ofWorkers = processorSeconds(working.map(({ pid }) => pid)) - atStart;
    return { seconds, chunks, run: ofRun, workers: ofWorkers, others };
  } finally {
    for (const worker of working) worker.kill('SIGKILL');
    await redis.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (!hasRedis) throw new Error('redis-server is not installed');
const home = mkdtempSync(join(tmpdir(), 'ibid-queue-speed-'));
const given = values.docs;
const docs = given === undefined ? join(home, 'docs') : resolve(given);
if (given === undefined) writeDocuments(docs, 0, documents, PARAGRAPHS);
const seconds: Record<1 | 2, number[]> = { 1: [], 2: [] };
const all: (Round & { readonly of: 1 | 2 })[] = [];
let chunks = 0;
try {
  for (let i = 0; i < rounds; i++) {
    for (const workers of i % 2 === 0 ? ([1, 2] as const) : ([2, 1] as const)) {
      const made = await round(home, docs, workers);
      chunks = made.chunks;
      seconds[workers].push(made.seconds);
      all.push({ of: workers, ...made });
      console.log(
        `${workers} worker(s): ${made.seconds.toFixed(1)} s, ${made.chunks} chunks; processor: run ${made.run.toFixed(1)} s, workers ${made.workers.toFixed(1)} s, others ${made.others.toFixed(1)} s`,
      );
    }
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
const ofMedians = median(seconds[1]) / median(seconds[2]);
console.log(
  `medians ${median(seconds[1]).toFixed(1)} s and ${median(seconds[2]).toFixed(1)} s: ${ofMedians.toFixed(2)} times as fast`,
);
if (values.write) {
  writeResults('queue-speed', `node bench/speed/queue.ts ${givenFlags()}`, { chunks, rounds: all, ofMedians });
}
