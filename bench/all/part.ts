/** Helpers of all parts of a full run: time, benches within a limit, and run files that grow. */
import { existsSync } from 'node:fs';
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

export const MINUTE: number = 60_000;
/** With less than this nothing is begun. */
export const LEAST_MS: number = 6000;
/** For ending, and for figures that are made of all measurements: intervals, tests. */
export const graceOf = (ms: number): number => Math.min(90_000, Math.max(15_000, 0.1 * ms));

interface BenchOptions {
  readonly limitMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Shown before what it says. */
  readonly prefix?: string;
}

/** A bench within a limit; a failure is told and counted, and nothing of it kept. */
export async function bench(
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

export const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** The run a child wrote, if it did. */
export function runAt<K extends RunKind>(path: string, kind: K): RunOf<K>[] {
  if (!existsSync(path)) return [];
  const run: RunFile = readRunFile(path);
  return run.kind === kind ? [run as RunOf<K>] : [];
}

/** Keeps what has been measured so far as one run; called after every child, so that nothing is lost that was done. */
export function keep<K extends RunKind>(
  context: PartContext,
  kind: K,
  runs: readonly RunOf<K>[],
  command: string,
): void {
  if (runs.length > 0) writeRunFile(mergeRuns(runs, command), join(context.folder, `${kind}.json`));
}
