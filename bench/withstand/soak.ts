/**
 * Uses an index in one process for a long time: searches, answers, ingests, additions, removals, opens and closes. Then
 * looks at what a process leaves behind that closes its index, and at what is left of one that is killed.
 *
 *   npm run soak -- [--minutes 60] [--seed 1] [--out run.json]
 *
 * The page of the run plots handles, files, threads, processes, memory and the delay of the event loop.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openIndex, type SearchIndex } from '../../src/index.ts';
import { quantile } from '../../src/internal.ts';
import { readFlags } from '../support/flags.ts';
import { beginRun, type TrialFinding, type TrialSet } from '../support/run-file.ts';
import { stopAfter } from '../support/stop.ts';
import { reportTrials } from '../support/trials.ts';
import { type Chance, chanceOf } from './chance.ts';
import { documentsOf, libraryOf, nameOf, writeLibrary } from './chaos/library.ts';
import { childrenOf, isThere, type Sample, units, Watch } from './soak/watch.ts';

const { values } = readFlags(import.meta.filename, {
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    /** For the test of this program: opens a file in each round and never closes it. */
    leak: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});

const DOCUMENTS = 40;
const SAMPLES = 240;
/** Longest p99 of the event-loop delay. */
const P99_MS = 250;
const RSS_RATIO = 1.1;
const slack = { handles: 0, files: 4, threads: 2, children: 0 } as const;
/** Shorter runs end while memory still settles; then memory and threads are plotted and not judged. */
const LEAST_MINUTES = 5;
/** The database ends a thread that had nothing to do for ten seconds. */
const QUIET_MS = 12_000;
/** How long a process may take to end, and its helpers after it. */
const END_MS = 5000;

interface Round {
  readonly index: SearchIndex;
  readonly root: string;
  readonly chance: Chance;
  version: number;
  /** Notes that are in the index. */
  readonly notes: Set<number>;
  readonly wrong: (what: string) => void;
}

const docs = (root: string): string => join(root, 'docs');
const note = (i: number) => ({
  uri: `note:${i}`,
  text: `The beacon of bay ${nameOf(i)} is painted in colour number ${i + 100}. `.repeat(3),
});

const actions: Readonly<Record<string, (round: Round) => Promise<void>>> = {
  async search({ index, chance, wrong }) {
    const i = 1 + chance.below(DOCUMENTS - 1);
    const { hits } = await index.search(nameOf(i));
    if (!hits.some(({ chunk }) => chunk.uri.endsWith(`document-${i}.md`))) wrong(`search: document ${i} is missing`);
  },
  async ask({ index, chance, notes, wrong }) {
    const i = chance.of([...notes]);
    const { citations } = await index.ask(`What is the colour of the beacon of bay ${nameOf(i)}?`);
    if (!citations.some(({ uri }) => uri === `note:${i}`)) wrong(`ask: note ${i} is not cited`);
  },
  async ingest(round) {
    const { index, root, wrong } = round;
    round.version++;
    writeLibrary(root, libraryOf(round.version, DOCUMENTS));
    const { failed } = await index.ingest(docs(root));
    if (failed.length > 0) wrong(`ingest: ${failed.length} files failed`);
  },
  async add({ index, chance, notes }) {
    const i = chance.below(20);
    await index.add([note(i)]);
    notes.add(i);
  },
  async remove({ index, chance, notes, wrong }) {
    if (notes.size < 5) return;
    const i = chance.of([...notes]);
    notes.delete(i);
    const { removed } = await index.remove(`note:${i}`);
    if (removed.length !== 1) wrong(`remove: note ${i} was not there`);
  },
  async open({ root, version, wrong }) {
    await using index = await openIndex(join(root, '.ibid'));
    const { broken, documents } = documentsOf(await Array.fromAsync(index.export()), DOCUMENTS);
    for (const what of broken) wrong(`export: ${what}`);
    for (const [uri, one] of documents) {
      if (uri.startsWith('docs/') && one.version !== version) wrong(`export: ${uri} is of version ${one.version}`);
    }
    for (const { check, ok, detail } of await index.check()) if (!ok) wrong(`check ${check}: ${detail}`);
  },
};

const shares = { search: 78, ask: 10, open: 4, ingest: 3, add: 3, remove: 2 } as const;
const lots: readonly (keyof typeof shares)[] = Object.entries(shares).flatMap(([name, share]) =>
  new Array<keyof typeof shares>(share).fill(name as keyof typeof shares),
);

async function soak(root: string, minutes: number, seed: number): Promise<{ set: TrialSet; isLong: boolean }> {
  const found = new Map<string, number>();
  const wrong = (what: string): void => void found.set(what, (found.get(what) ?? 0) + 1);
  const index = await openIndex(join(root, '.ibid'), { create: true });
  const round: Round = { index, root, chance: chanceOf(seed), version: 0, notes: new Set(), wrong };
  await index.ingest(docs(root));
  for (const i of [1, 2, 3, 4, 5, 6]) {
    await index.add([note(i)]);
    round.notes.add(i);
  }
  const counts: Record<string, number> = {};
  const watch = new Watch();
  const stop = stopAfter(minutes);
  const everyMs = (minutes * 60_000) / SAMPLES;
  let due = performance.now() + everyMs;
  let attempts = 0;
  const isLong = minutes >= LEAST_MINUTES;
  const quiet: Sample[] = [];
  const beQuiet = async (): Promise<void> => {
    await sleep(isLong ? QUIET_MS : 100);
    quiet.push(watch.take());
  };
  for (; stop.reason === undefined; attempts++) {
    const name = round.chance.of(lots);
    counts[name] = (counts[name] ?? 0) + 1;
    await actions[name]!(round).catch((error: unknown) => wrong(`${name}: ${String(error)}`));
    if (performance.now() < due) continue;
    if (values.leak) openSync(import.meta.filename, 'r');
    if (quiet.length === 0 && stop.leftMs < minutes * 48_000) await beQuiet();
    await sleep(100); // what was started is put away
    watch.take();
    due = performance.now() + everyMs;
  }
  await beQuiet();
  watch.stop();
  await index.close();
  await sleep(300);
  const left = childrenOf(process.pid).length;
  if (left > 0) wrong(`after close() ${left} child processes go on`);
  const { figures, over } = judge(watch, quiet, isLong);
  const command = `npm run soak -- --minutes ${minutes} --seed ${seed}`;
  const findings: TrialFinding[] = [
    ...over,
    ...[...found].map(([what, times]) => (times === 1 ? what : `${what} (${times} times)`)),
  ].map((what) => ({ what, command }));
  const set: TrialSet = {
    name: `${minutes} minutes in one process`,
    invariant:
      'Every answer is right; handles, files, threads and processes go back to their level after the first fifth; ' +
      `RSS in the last tenth is at most ${RSS_RATIO} times that; p99 of the event-loop delay is at most ${P99_MS} ms.`,
    attempts,
    figures: { ...counts, ...figures },
    findings,
    series: Object.entries(units).map(([key, unit]) => ({
      name: key,
      unit,
      points: watch.samples.map((sample) => ({ x: sample.x, y: sample[key as keyof Sample] })), // keys of `units`
    })),
  };
  return { set, isLong };
}

/** Compares the last tenth with the end of the first fifth; threads when both were quiet. */
function judge(
  watch: Watch,
  quiet: readonly Sample[],
  isLong: boolean,
): { figures: Record<string, number>; over: string[] } {
  const { samples, p99Ms } = watch;
  const early = samples.slice(Math.floor(samples.length / 10), Math.max(2, Math.ceil(samples.length / 5)));
  const late = samples.slice(-Math.max(1, Math.floor(samples.length / 10)));
  const middle = (of: readonly Sample[], key: keyof Sample): number =>
    quantile(
      of.map((one) => one[key]),
      0.5,
    );
  const most = (of: readonly Sample[], key: keyof Sample): number => Math.max(...of.map((one) => one[key]));
  const over: string[] = [];
  const figures: Record<string, number> = {};
  for (const key of ['handles', 'files', 'threads', 'children'] as const) {
    const [before, after] =
      key === 'threads' ? [quiet[0]!.threads, quiet.at(-1)!.threads] : [most(early, key), middle(late, key)];
    figures[`${key} after the first fifth`] = before;
    figures[`${key} at the end`] = after;
    if (after > before + slack[key] && (isLong || key !== 'threads'))
      over.push(`${key}: ${after} instead of ${before}`);
  }
  figures['most threads'] = most(samples, 'threads');
  const ratio = middle(late, 'rssMb') / middle(early, 'rssMb');
  figures['RSS after the first fifth, MB'] = Math.round(middle(early, 'rssMb'));
  figures['RSS at the end, MB'] = Math.round(middle(late, 'rssMb'));
  figures['event-loop delay, p99, ms'] = Number(p99Ms.toFixed(1));
  if (isLong && ratio > RSS_RATIO) over.push(`RSS grows to ${ratio.toFixed(2)} times its level`);
  if (p99Ms > P99_MS) over.push(`p99 of the event-loop delay is ${p99Ms.toFixed(0)} ms`);
  return { figures, over };
}

/** What is left of a process that closes its index, or is killed while it trains or parses. */
async function lives(root: string): Promise<TrialSet> {
  const findings: TrialFinding[] = [];
  const figures: Record<string, number> = {};
  for (const what of ['close', 'train', 'parse'] as const) {
    const folder = join(root, what);
    mkdirSync(docs(folder), { recursive: true });
    const life = spawn(process.execPath, [join(import.meta.dirname, 'soak/life.ts'), what, folder], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const ended = new Promise((resolve) => life.on('exit', resolve));
    const isOver = (): boolean => life.exitCode !== null || life.signalCode !== null;
    let from = 0;
    life.on('message', () => {
      from = performance.now();
    });
    let helpers: number[] = [];
    if (what === 'close') {
      while (!isOver() && (from === 0 || performance.now() - from < END_MS)) await sleep(20);
      if (!isOver()) findings.push({ what: 'a process with a closed index goes on', command: 'npm run soak' });
    } else {
      while (!isOver() && helpers.length === 0) {
        await sleep(50);
        helpers = childrenOf(life.pid!);
      }
      if (helpers.length === 0) findings.push({ what: `${what}: no helper was started`, command: 'npm run soak' });
      while (what === 'train' && from === 0 && !isOver()) await sleep(20); // has everything, and trains
      await sleep(1500);
      helpers = childrenOf(life.pid!);
    }
    if (!isOver()) life.kill('SIGKILL');
    if (what !== 'close') from = performance.now();
    await ended;
    while (helpers.some(isThere) && performance.now() - from < END_MS) await sleep(20);
    figures[`${what}: ended after, s`] = Number(((performance.now() - from) / 1000).toFixed(1));
    for (const pid of helpers.filter(isThere)) {
      findings.push({ what: `${what}: a helper outlives its killed process`, command: 'npm run soak' });
      process.kill(pid, 'SIGKILL');
    }
  }
  return {
    name: 'what is left of a process',
    invariant: `A process ends by itself after close(); ${END_MS / 1000} s after a kill no parser and no trainer goes on.`,
    attempts: 3,
    figures,
    findings,
  };
}

async function main(): Promise<void> {
  const minutes = Number(values.minutes);
  const seed = Number(values.seed);
  const run = beginRun({ kind: 'trials', command: `npm run soak -- --minutes ${minutes} --seed ${seed}`, seed });
  const root = mkdtempSync(join(tmpdir(), 'ibid-soak-'));
  try {
    mkdirSync(docs(root));
    writeLibrary(root, libraryOf(0, DOCUMENTS));
    const { set, isLong } = await soak(root, minutes, seed);
    const left = await lives(root);
    const reason = `judged in runs of at least ${LEAST_MINUTES} minutes`;
    reportTrials(
      run,
      { sets: [set, left], skipped: isLong ? [] : [{ what: 'the bounds of RSS and threads', reason }] },
      values.out,
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

await main();
