/** What a full run is made of. Each part keeps within the time it is given, and leaves what it has measured by then. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ReportNote } from '../report/render.ts';
import { mergeRuns } from '../support/merge.ts';
import { type RunFile, type RunKind, type RunOf, readRunFile, writeRunFile } from '../support/run-file.ts';
import { type Ended, runBench } from './child.ts';

export interface PartContext {
  /** Of the whole run: what is cut to size is cut by it. 1 is the run of an hour. */
  readonly scale: number;
  readonly seed: number;
  /** Whether figures go to bench/results as well. */
  readonly record: boolean;
  /** Vectors and indexes of nearest-neighbour search that stay, and are taken where they are. */
  readonly keep?: string | undefined;
  /** Where this run's files go, and a place for what does not stay. */
  readonly folder: string;
  readonly workplace: string;
  readonly signal: AbortSignal;
  /** What is left of this part's time. */
  leftMs(): number;
  say(what: string): void;
  skip(what: string, reason: string): void;
  fault(what: string): void;
  note(note: ReportNote): void;
}

export interface Part {
  readonly name: string;
  /** Of the whole time; what one part leaves over goes to those after it. */
  readonly share: number;
  run(context: PartContext): Promise<void>;
}

const MINUTE = 60_000;
/** With less than this nothing is begun. */
const LEAST_MS = 6000;
/** For ending, and for figures that are made of all measurements: intervals, tests. */
const graceOf = (ms: number): number => Math.min(90_000, Math.max(15_000, 0.1 * ms));

interface BenchOptions {
  readonly limitMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Shown before what it says. */
  readonly prefix?: string;
}

/** A bench within a limit; a failure is told and counted, and nothing of it kept. */
async function bench(
  context: PartContext,
  what: string,
  args: readonly string[],
  { limitMs, env, prefix = '' }: BenchOptions,
): Promise<Ended> {
  const ended = await runBench(args, {
    limitMs,
    graceMs: graceOf(limitMs),
    log: join(context.folder, `${what.split(':')[0]}.log`),
    env: { TMPDIR: context.workplace, ...env },
    signal: context.signal,
    onProgress: (line) => context.say(`${prefix}${line}`),
  });
  if (ended.cut === 'deadline') context.skip(what, `cut off after ${seconds(ended.ms)}, its share of the time`);
  else if (ended.cut === 'interrupted') context.skip(what, 'the run was interrupted');
  else if (ended.status !== 0) {
    const reason = `ended with ${ended.status ?? 'a signal'}: ${ended.complaint.slice(0, 300)}`;
    context.skip(what, reason);
    context.fault(`${what} ${reason}`);
  }
  return ended;
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** The run a child wrote, if it did. */
function runAt<K extends RunKind>(path: string, kind: K): RunOf<K>[] {
  if (!existsSync(path)) return [];
  const run: RunFile = readRunFile(path);
  return run.kind === kind ? [run as RunOf<K>] : [];
}

/** Keeps what has been measured so far as one run; called after every child, so that nothing is lost that was done. */
function keep<K extends RunKind>(context: PartContext, kind: K, runs: readonly RunOf<K>[], command: string): void {
  if (runs.length > 0) writeRunFile(mergeRuns(runs, command), join(context.folder, `${kind}.json`));
}

const quality: Part = {
  name: 'quality',
  share: 14,
  async run(context) {
    const limitMs = context.leftMs();
    const minutes = (limitMs - graceOf(limitMs)) / MINUTE;
    await bench(
      context,
      'quality',
      [
        'bench/quality/run.ts',
        `--minutes=${minutes.toFixed(2)}`,
        `--queries=${Math.max(50, Math.round(1500 * Math.min(1, context.scale)))}`,
        `--seed=${context.seed}`,
        `--out=${join(context.folder, 'quality.json')}`,
        ...(context.record ? ['--write'] : []),
      ],
      { limitMs },
    );
  },
};

const answers: Part = {
  name: 'answers',
  share: 5,
  async run(context) {
    const limitMs = context.leftMs();
    const minutes = (limitMs - graceOf(limitMs)) / MINUTE;
    await bench(
      context,
      'answers',
      [
        'bench/quality/answers.ts',
        `--minutes=${minutes.toFixed(2)}`,
        ...(context.scale < 0.5 ? [`--questions=${Math.max(20, Math.round(400 * context.scale))}`] : []),
        `--out=${join(context.folder, 'answers.json')}`,
        ...(context.record ? ['--write'] : []),
      ],
      { limitMs },
    );
  },
};

/** What prints its figures instead of writing a run file; in the report as it is printed. */
const others: readonly { readonly name: string; readonly args: (scale: number) => readonly string[] }[] = [
  { name: 'conversation', args: () => ['bench/quality/conversation.ts'] },
  { name: 'chunk-sizes', args: () => ['bench/quality/chunk-sizes.ts'] },
  {
    name: 'web',
    args: (scale) => ['bench/quality/web.ts', '--engine=words', `--every=${Math.max(1, Math.round(3 / scale))}`],
  },
  { name: 'rerank', args: (scale) => ['bench/quality/rerank.ts', `--queries=${atLeast(10, 60 * scale)}`] },
  { name: 'grounded', args: (scale) => ['bench/quality/grounded.ts', `--questions=${atLeast(10, 60 * scale)}`] },
  { name: 'grounded-cache', args: () => ['bench/quality/grounded-cache.ts'] },
  { name: 'paid-packing', args: () => ['bench/quality/paid-packing.ts'] },
  { name: 'paid-edits', args: () => ['bench/quality/paid-edits.ts', '--only=chunk-spans'] },
];

const atLeast = (least: number, value: number): number => Math.max(least, Math.round(value));

const services: Part = {
  name: 'services',
  share: 5,
  async run(context) {
    for (const [i, { name, args }] of others.entries()) {
      if (context.signal.aborted) return;
      if (context.leftMs() < LEAST_MS) {
        context.skip(name, 'no time was left');
        continue;
      }
      // each an equal part of what is left, but enough to come to something; a quick one leaves the rest to those after it
      const limitMs = Math.min(context.leftMs(), Math.max(20_000, context.leftMs() / (others.length - i)));
      const flags = args(Math.min(1, context.scale));
      const { stdout, status, cut } = await bench(context, name, flags, { limitMs, prefix: `${name}: ` });
      const whole = status === 0 && cut === undefined;
      if (stdout.trim() !== '')
        context.note({
          title: whole ? name : `${name} (not whole)`,
          command: `node ${flags.join(' ')}`,
          text: stdout.trim(),
        });
    }
  },
};

const speed: Part = {
  name: 'speed',
  share: 9,
  async run(context) {
    // a round of all systems over SciFact's abstracts takes a minute or two; short runs take fewer documents
    const documents = context.leftMs() > 5 * MINUTE ? 5183 : context.leftMs() > 2 * MINUTE ? 1500 : 300;
    const flags = ['--rounds=1', `--documents=${documents}`, `--queries=${documents > 1000 ? 100 : 30}`];
    const command = `node bench/speed/run.ts ${flags.join(' ')}, as many times as there was time`;
    const runs: RunOf<'speed'>[] = [];
    let longest = 0;
    for (let round = 1; round <= 7; round++) {
      if (context.signal.aborted) return;
      if (round > 1 && context.leftMs() < 1.15 * longest) {
        context.say(`${round - 1} rounds; another would take about ${seconds(longest)}`);
        break;
      }
      const out = join(context.workplace, `speed-${round}.json`);
      const { ms } = await bench(context, `speed: round ${round}`, ['bench/speed/run.ts', ...flags, `--out=${out}`], {
        limitMs: context.leftMs(),
        prefix: `round ${round}: `,
      });
      longest = Math.max(longest, ms);
      const found = runAt(out, 'speed');
      runs.push(...found);
      keep(context, 'speed', runs, command);
      if (found.length === 0) break;
    }
  },
};

/** Sizes in the order they are wanted; each is measured beside the smallest, which every line goes through. */
const sizes = [10_000, 100_000, 1_000_000, 250_000, 40_000];
const smallSizes = [4000, 10_000, 40_000, 100_000];
const SMALLEST = 1000;

const scaling: Part = {
  name: 'scale',
  share: 13,
  async run(context) {
    const runs: RunOf<'scale'>[] = [];
    let perChunkMs = 0;
    for (const chunks of context.leftMs() > 3 * MINUTE ? sizes : smallSizes) {
      if (context.signal.aborted) return;
      const expected = Math.max(LEAST_MS, 1.2 * perChunkMs * chunks);
      const left = context.leftMs();
      if (expected > left) {
        context.skip(
          `scale: ${chunks.toLocaleString('en')} chunks`,
          `would take about ${seconds(expected)}, ${seconds(left)} were left`,
        );
        continue;
      }
      const out = join(context.workplace, `scale-${chunks}.json`);
      const args = ['bench/speed/scale.ts', `--chunks=${SMALLEST},${chunks}`, `--out=${out}`];
      const prefix = `${chunks.toLocaleString('en')} chunks: `;
      context.say(`${prefix}begun`);
      const { ms } = await bench(context, `scale: ${chunks.toLocaleString('en')} chunks`, args, {
        limitMs: left,
        prefix,
      });
      const found = runAt(out, 'scale');
      runs.push(...found);
      keep(context, 'scale', runs, `node bench/speed/scale.ts --chunks=${SMALLEST},N for each size`);
      if (found.length > 0) perChunkMs = ms / (chunks + SMALLEST);
    }
  },
};

interface Shape {
  readonly rows: number;
  readonly dims: number;
  readonly weight: number;
}

/** In the order they are wanted; the weights say how the time is shared out, not how long each takes. */
const shapes: readonly Shape[] = [
  { rows: 10_000, dims: 256, weight: 0.5 },
  { rows: 10_000, dims: 1024, weight: 1 },
  { rows: 100_000, dims: 1024, weight: 4 },
  { rows: 1_000_000, dims: 1024, weight: 20 },
  { rows: 100_000, dims: 256, weight: 2 },
  { rows: 10_000, dims: 2560, weight: 1.5 },
  { rows: 100_000, dims: 2560, weight: 6 },
  { rows: 1_000_000, dims: 256, weight: 10 },
  { rows: 1_000_000, dims: 2560, weight: 30 },
];
/** Less would measure none of the engines. */
const LEAST_SHAPE_MS = 40_000;
const engines: readonly { readonly name: string; readonly weight: number }[] = [
  { name: 'ibid', weight: 2 },
  { name: 'lancedb', weight: 3 },
  { name: 'hnswlib', weight: 1 },
  { name: 'usearch', weight: 1.5 },
  { name: 'vectra', weight: 0.3 },
];

const neighbours: Part = {
  name: 'ann',
  share: 14,
  async run(context) {
    const home = context.keep ?? join(context.workplace, 'vectors');
    const runs: RunOf<'ann'>[] = [];
    let msPerComponent = 0;
    for (const [s, { rows, dims, weight }] of shapes.entries()) {
      if (context.signal.aborted) return;
      const name = `${rows.toLocaleString('en')} × ${dims.toLocaleString('en')}`;
      const set = join(home, `full-rank-${rows}x${dims}`);
      const rest = shapes.slice(s).reduce((sum, one) => sum + one.weight, 0);
      // more than its weight's share: what stands first in the list is wanted most
      const left = context.leftMs();
      const shapeMs = Math.min(left, Math.max(LEAST_SHAPE_MS, left * Math.max(weight / rest, 0.15)));
      const made = existsSync(join(set, 'truth.json'));
      const makingMs = made ? 0 : msPerComponent * rows * dims;
      if (shapeMs < LEAST_MS) {
        context.skip(`ann: ${name}`, 'no time was left');
        continue;
      }
      if (makingMs > 0.6 * shapeMs) {
        context.skip(
          `ann: ${name}`,
          `making its vectors would take ${seconds(makingMs)} of the ${seconds(shapeMs)} it had`,
        );
        continue;
      }
      const until = performance.now() + shapeMs;
      const shared = [`--rows=${rows}`, `--dims=${dims}`, '--data=full-rank', `--keep=${home}`];
      const prefix = `${name}: `;
      if (!made) {
        const limitMs = Math.max(10_000, 0.6 * shapeMs);
        const args = ['bench/ann/run.ts', ...shared, '--engines=none', `--out=${join(context.workplace, 'none.json')}`];
        const { ms, status } = await bench(context, `ann: ${name}, its vectors`, args, { limitMs, prefix });
        msPerComponent = ms / (rows * dims);
        if (status !== 0) continue;
      }
      for (const [e, engine] of engines.entries()) {
        if (context.signal.aborted) return;
        const weights = engines.slice(e).reduce((sum, one) => sum + one.weight, 0);
        const limitMs = ((until - performance.now()) * engine.weight) / weights;
        const what = `ann: ${name} with ${engine.name}`;
        if (limitMs < LEAST_MS / 2) {
          context.skip(what, 'its share of the time was over');
          continue;
        }
        const buildMs = Math.min(300_000, Math.max(5000, limitMs / 3));
        const out = join(context.workplace, `ann-${rows}-${dims}-${engine.name}.json`);
        const args = [
          ...['bench/ann/run.ts', ...shared, `--engines=${engine.name}`],
          // it looks at its time before each index: a build begun last must still end
          `--minutes=${(Math.max(1000, limitMs - 1.2 * buildMs) / MINUTE).toFixed(3)}`,
          `--build-limit=${(buildMs / 1000).toFixed(0)}`,
          ...(context.scale < 0.5 ? ['--rounds=1', '--queries=40'] : []),
          `--out=${out}`,
        ];
        await bench(context, what, args, { limitMs: limitMs + graceOf(limitMs), prefix });
        runs.push(...runAt(out, 'ann'));
        keep(context, 'ann', runs, 'node bench/ann/run.ts --rows=N --dims=D --engines=NAME for each');
      }
      if (context.keep === undefined) rmSync(set, { recursive: true, force: true });
    }
  },
};

/** In their order. */
export const parts: readonly Part[] = [quality, answers, services, speed, scaling, neighbours];
