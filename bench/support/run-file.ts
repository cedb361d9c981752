/**
 * What every bench writes and what comparing and reporting read: one JSON file per run, of one kind, with where it
 * came from.
 *
 *     const run = beginRun({ kind: 'quality', command: 'npm run bench:quality', seed: 1 });
 *     … measure …
 *     const file = run.finish({ data, results });     // a RunFile
 *     writeRunFile(file, pathOrUndefined);            // @returns the path; default bench/runs/<kind>-<start>.json
 *     const again = readRunFile(path);                // checked; switch on `kind`
 *
 * Numbers are finite; what could not be measured is absent and stands in `skipped` with its reason. Never 0 or null
 * for "not measured".
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import type { AnnResults, AnswerResults, QualityResults, ScaleResults, SpeedResults, TrialResults } from './results.ts';

export type * from './results.ts';

const root: string = join(import.meta.dirname, '../..');

/** Raised when a field changes its meaning or goes. */
const runFormat = 1;

export interface RunHead {
  readonly format: typeof runFormat;
  /** Full hash of the checked-out commit; 'unknown' outside a checkout. */
  readonly commit: string;
  /** Whether anything below src, bench (but its results), datasets or package.json differed from that commit. */
  readonly dirty: boolean;
  /** ibid, node, lancedb and each package measured beside. */
  readonly versions: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly machine: Machine;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly elapsedMs: number;
  readonly command: string;
  readonly data: readonly DataSource[];
}

export interface Machine {
  readonly cpus: number;
  readonly model: string;
  readonly memoryBytes: number;
  readonly platform: string;
  readonly arch: string;
  /** One-minute load average at the start and at the end; times of a busy machine are worth less. */
  readonly load: readonly [start: number, end: number];
}

export interface DataSource {
  readonly name: string;
  /**
   * File, relative to the set's folder → SHA-256 of its bytes as they lie there (packed files packed). Empty for
   * generated data.
   */
  readonly sha256: Readonly<Record<string, string>>;
  readonly documents: number;
  readonly queries: number;
}

export type RunFile = RunHead &
  (
    | { readonly kind: 'quality'; readonly results: QualityResults }
    | { readonly kind: 'answers'; readonly results: AnswerResults }
    | { readonly kind: 'ann'; readonly results: AnnResults }
    | { readonly kind: 'speed'; readonly results: SpeedResults }
    | { readonly kind: 'scale'; readonly results: ScaleResults }
    | { readonly kind: 'trials'; readonly results: TrialResults }
  );
export type RunKind = RunFile['kind'];
export type RunOf<K extends RunKind> = Extract<RunFile, { readonly kind: K }>;

export interface BeginOptions<K extends RunKind> {
  readonly kind: K;
  /** As a reader would type it. */
  readonly command: string;
  /** @default 1 */
  readonly seed?: number;
  /** Packages measured beside, by name; looked up in bench/alternatives. */
  readonly packages?: readonly string[];
}

export interface BegunRun<K extends RunKind> {
  readonly startedAt: Date;
  finish(parts: { readonly data: readonly DataSource[]; readonly results: RunOf<K>['results'] }): RunOf<K>;
}

export function beginRun<K extends RunKind>(options: BeginOptions<K>): BegunRun<K> {
  const { kind, command, seed = 1, packages = [] } = options;
  const startedAt = new Date();
  const startLoad = loadavg()[0] ?? 0;
  return {
    startedAt,
    finish: ({ data, results }) =>
      ({
        format: runFormat,
        kind,
        ...checkout(),
        versions: versionsOf(packages),
        seed,
        machine: machineWith(startLoad),
        startedAt: startedAt.toISOString(),
        elapsedMs: Date.now() - startedAt.getTime(),
        command,
        data,
        results,
      }) as unknown as RunOf<K>, // `kind` and `results` belong together by K, which the union cannot be told
  };
}

/** Eight significant digits: enough for every test made of them. @returns where it was written */
export function writeRunFile(run: RunFile, path?: string): string {
  const stamp = run.startedAt.replace(/[-:]/g, '').replace(/\..*/, 'Z');
  const to = path ?? join(root, 'bench/runs', `${run.kind}-${stamp}.json`);
  mkdirSync(dirname(to), { recursive: true });
  const text = JSON.stringify(run, (key, value: unknown) => {
    if (typeof value !== 'number') return value;
    if (!Number.isFinite(value)) throw new Error(`a run file takes finite numbers only; "${key}" is ${value}`);
    return Number(value.toPrecision(8));
  });
  // one that is written again as it grows may be cut off at any moment
  writeFileSync(`${to}.new`, `${text}\n`);
  renameSync(`${to}.new`, to);
  return to;
}

const resultLists: Readonly<Record<RunKind, string>> = {
  quality: 'collections',
  answers: 'sets',
  ann: 'cases',
  speed: 'cases',
  scale: 'series',
  trials: 'sets',
};

/** @throws Error naming the file and what is wrong with it */
export function readRunFile(path: string): RunFile {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`${path} cannot be read as JSON: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  const wrong = faultOf(value);
  if (wrong !== undefined) throw new Error(`${path} is not a run of this bench: ${wrong}`);
  return value as RunFile; // faultOf has looked at what tells the kinds apart
}

function faultOf(value: unknown): string | undefined {
  if (!isRecord(value)) return 'not an object';
  if (value.format !== runFormat) return `format ${String(value.format)}, this bench reads ${runFormat}`;
  const list = resultLists[value.kind as RunKind];
  if (list === undefined) return `there is no kind "${String(value.kind)}"`;
  for (const key of ['commit', 'startedAt', 'command'])
    if (typeof value[key] !== 'string') return `"${key}" is missing or not a string`;
  for (const key of ['seed', 'elapsedMs']) if (typeof value[key] !== 'number') return `"${key}" is not a number`;
  if (typeof value.dirty !== 'boolean') return '"dirty" is not a boolean';
  if (!isRecord(value.versions)) return '"versions" is not an object';
  if (!isRecord(value.machine)) return '"machine" is not an object';
  if (!Array.isArray(value.data)) return '"data" is not an array';
  if (!isRecord(value.results)) return '"results" is not an object';
  return Array.isArray(value.results[list]) ? undefined : `"results.${list}" is not an array`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkout(): { commit: string; dirty: boolean } {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const changed = git(
      'status',
      '--porcelain',
      '--untracked-files=no',
      '--',
      'src',
      'bench',
      ':(exclude)bench/results', // what a bench of the same run has recorded
      'datasets',
      'package.json',
    );
    return { commit: git('rev-parse', 'HEAD'), dirty: changed !== '' };
  } catch {
    return { commit: 'unknown', dirty: true };
  }
}

/** Where the packages measured beside are installed, apart from ibid's own. */
export const alternativesFolder: string = join(root, 'bench/alternatives/node_modules');

/** Its installed version, or undefined where it is not installed. */
export function alternativeVersion(name: string): string | undefined {
  const path = join(alternativesFolder, name, 'package.json');
  return existsSync(path) ? versionIn(path) : undefined;
}

function versionsOf(packages: readonly string[]): Record<string, string> {
  const versions: Record<string, string> = {
    ibid: versionIn(join(root, 'package.json')),
    node: process.versions.node,
    lancedb: versionIn(join(root, 'node_modules/@lancedb/lancedb/package.json')),
  };
  for (const name of packages) {
    const version = alternativeVersion(name);
    if (version !== undefined) versions[name] = version;
  }
  return versions;
}

function versionIn(path: string): string {
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version; // every installed package has one
}

function machineWith(startLoad: number): Machine {
  return {
    cpus: cpus().length,
    model: cpus()[0]?.model.trim() ?? 'unknown',
    memoryBytes: totalmem(),
    platform: process.platform,
    arch: process.arch,
    load: [startLoad, loadavg()[0] ?? 0],
  };
}

/** SHA-256 of each file, by its path relative to the folder; those that are not there are left out. */
export function checksumsOf(folder: string, files: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    files
      .filter((file) => existsSync(join(folder, file)))
      .map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex'),
      ]),
  );
}
