/**
 * Ingests files that are made to cost more than they weigh, one at a time beside a file that is well, and samples the
 * memory of every process.
 *
 *   npm run bombs -- [--only NAME] [--scale 1] [--command] [--megabytes 1500] [--out run.json]
 *
 * NAME is a pattern of names. `--scale 0.01` makes the files a hundredth of their size. `--command` ingests with
 * `ibid ingest`, which bounds its own process; by default the library is a guest in a plain program. `--megabytes` sets what all
 * processes together may take. Linux only: sizes
 * are read from /proc.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndex } from '../../src/index.ts';
import { readFlags } from '../support/flags.ts';
import { beginRun, type TrialFinding, type TrialSet } from '../support/run-file.ts';
import { stopAfter } from '../support/stop.ts';
import { reportTrials } from '../support/trials.ts';
import { type Bomb, bombs } from './bombs/set.ts';
import { cpuSeconds, processesOf, residentBytes } from './tree.ts';

const { values } = readFlags(import.meta.filename, {
  options: {
    only: { type: 'string' },
    megabytes: { type: 'string', default: '1500' },
    scale: { type: 'string', default: '1' },
    command: { type: 'boolean', default: false },
    out: { type: 'string' },
    ingest: { type: 'string' },
    file: { type: 'string', default: '' },
  },
});
const most = { megabytes: Number(values.megabytes), seconds: 120 };
/** A run that goes beyond these is ended, so that the machine stays usable. */
const end = { megabytes: 8000, seconds: 600 };
const sampleMs = 40;

/** What a run of the child said. */
interface Said {
  readonly code?: string;
  readonly chunks: number;
  readonly warnings: readonly string[];
  /** What is wrong with the file beside the bomb. */
  readonly neighbour?: string;
}

interface Outcome extends Said {
  readonly bomb: Bomb;
  readonly fileMegabytes: number;
  readonly megabytes: number;
  readonly seconds: number;
  /** CPU time of all processes; on a machine busy with other work it says more than the clock. */
  readonly cpu: number;
  readonly crash?: string;
}

/** The child: ingests a folder and searches it, as a plain program does. */
async function ingest(folder: string, file: string): Promise<void> {
  await using index = await openIndex(join(folder, '.ibid'), { create: true });
  const warnings = new Set<string>();
  let code: string | undefined;
  let chunks = 0;
  for await (const event of index.ingest(folder)) {
    if (event.type === 'warning' && event.uri === file) warnings.add(event.code);
    if (event.type === 'failed' && event.uri === file) code = event.code;
    if (event.type === 'document' && event.uri === file) chunks = event.chunks;
  }
  await index.search('endless words of the harbour master');
  const { hits } = await index.search('lighthouse keeper of the island', { limit: 100 });
  const found = hits.some(({ chunk }) => chunk.uri === 'beside.md');
  const said: Said = {
    ...(code === undefined ? {} : { code }),
    chunks,
    warnings: [...warnings],
    ...(found ? {} : { neighbour: 'the file beside it is not found' }),
  };
  console.log(JSON.stringify(said));
}

function makeFiles(folder: string, bomb: Bomb, scale: number): number {
  mkdirSync(folder);
  const path = join(folder, bomb.file);
  const file = openSync(path, 'w');
  for (const piece of bomb.pieces((whole) => Math.max(1, Math.round(whole * scale)))) {
    writeSync(file, typeof piece === 'string' ? Buffer.from(piece) : piece);
  }
  closeSync(file);
  writeFileSync(
    join(folder, 'beside.md'),
    '# Island\n\nThe lighthouse keeper of the island paints the tower in May.\n',
  );
  return statSync(path).size / 1e6;
}

async function drop(root: string, bomb: Bomb, scale: number, asCommand: boolean): Promise<Outcome> {
  const folder = join(root, 'bomb');
  rmSync(folder, { recursive: true, force: true });
  const fileMegabytes = makeFiles(folder, bomb, scale);
  const startedAt = performance.now();
  const args = asCommand
    ? [join(import.meta.dirname, '../../src/cli/main.ts'), 'ingest', folder, '--json']
    : [import.meta.filename, '--ingest', folder, '--file', bomb.file];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    errors = (errors + data).slice(-2000);
  });
  let megabytes = 0;
  let stopped = '';
  const used = new Map<number, number>();
  const timer = setInterval(() => {
    const processes = processesOf(child.pid!);
    megabytes = Math.max(megabytes, residentBytes(processes) / 1e6);
    for (const pid of processes) used.set(pid, Math.max(used.get(pid) ?? 0, cpuSeconds(pid)));
    const seconds = (performance.now() - startedAt) / 1000;
    if (megabytes < end.megabytes && seconds < end.seconds) return;
    stopped = `ended after ${Math.round(seconds)} s with ${Math.round(megabytes)} MB`;
    for (const pid of processes) process.kill(pid, 'SIGKILL');
  }, sampleMs);
  const status = await new Promise<number | string | null>((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? signal)),
  );
  clearInterval(timer);
  const seconds = (performance.now() - startedAt) / 1000;
  const crash = stopped || (status === 0 || (asCommand && status === 1) ? '' : `status ${status}: ${errors}`);
  const said: Said = crash || asCommand ? { chunks: 0, warnings: [] } : (JSON.parse(output) as Said); // printed by `ingest`
  const cpu = [...used.values()].reduce((sum, one) => sum + one, 0);
  return { bomb, fileMegabytes, megabytes, seconds, cpu, ...said, ...(crash ? { crash } : {}) };
}

function setOf(outcomes: readonly Outcome[], scale: number): TrialSet {
  const findings = outcomes.flatMap(({ bomb, megabytes, seconds, cpu, crash, neighbour }): TrialFinding[] => {
    const command = `npm run bombs -- --only '${bomb.name}'${scale === 1 ? '' : ` --scale ${scale}`}`;
    return [
      ...(megabytes > most.megabytes ? [`${Math.round(megabytes)} MB`] : []),
      ...(Math.min(seconds, cpu) > most.seconds ? [`${Math.round(seconds)} s, ${Math.round(cpu)} s of CPU`] : []),
      ...(crash ? [`the run did not end well: ${crash}`] : []),
      ...(neighbour ? [neighbour] : []),
    ].map((what) => ({ what: `${bomb.name}: ${what}`, command }));
  });
  const figures: Record<string, number> = {
    'most, MB': Math.round(Math.max(0, ...outcomes.map(({ megabytes }) => megabytes))),
    'longest, s': Math.round(Math.max(0, ...outcomes.map(({ seconds }) => seconds))),
    'most CPU, s': Math.round(Math.max(0, ...outcomes.map(({ cpu }) => cpu))),
    read: outcomes.filter(({ code, crash }) => code === undefined && crash === undefined).length,
  };
  for (const { code } of outcomes) if (code !== undefined) figures[code] = (figures[code] ?? 0) + 1;
  return {
    name: 'files made to cost more than they weigh',
    invariant: `All processes together stay within ${most.megabytes} MB and ${most.seconds} s, and the file beside is found.`,
    attempts: outcomes.length,
    figures,
    findings,
    series: [
      {
        name: 'memory of each',
        unit: 'MB',
        points: outcomes.map(({ megabytes }, x) => ({ x, y: Math.round(megabytes) })),
      },
      {
        name: 'time of each',
        unit: 's',
        points: outcomes.map(({ seconds }, x) => ({ x, y: Number(seconds.toFixed(1)) })),
      },
    ],
  };
}

async function main(): Promise<void> {
  const scale = Number(values.scale);
  const wanted = bombs.filter(({ name }) => values.only === undefined || new RegExp(values.only).test(name));
  const run = beginRun({ kind: 'trials', command: 'npm run bombs' });
  const stop = stopAfter(180);
  const root = mkdtempSync(join(tmpdir(), 'ibid-bombs-'));
  const outcomes: Outcome[] = [];
  try {
    for (const bomb of wanted) {
      if (stop.reason !== undefined) break;
      const outcome = await drop(root, bomb, scale, values.command);
      outcomes.push(outcome);
      const { fileMegabytes, megabytes, seconds, cpu, code, chunks, warnings, crash, neighbour } = outcome;
      const result = crash ?? code ?? `${chunks.toLocaleString('en')} chunks ${warnings.join(' ')}`;
      console.error(
        `${Math.round(megabytes).toString().padStart(5)} MB ${seconds.toFixed(1).padStart(6)} s ${cpu.toFixed(1).padStart(6)} CPU  ${bomb.name} (${fileMegabytes.toFixed(1)} MB): ${result} ${neighbour ?? ''}`,
      );
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  const left = wanted.length - outcomes.length;
  const skipped = left === 0 ? [] : [{ what: `${left} bombs`, reason: stop.reason ?? '' }];
  reportTrials(run, { sets: [setOf(outcomes, scale)], skipped }, values.out);
}

if (values.ingest !== undefined) await ingest(values.ingest, values.file);
else await main();
