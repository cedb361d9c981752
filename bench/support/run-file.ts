/**
 * What every bench writes and what comparing and reporting read: one JSON file per run, of one kind, with where it came from.
 *
 *     const run = beginRun({ kind: 'quality', command: 'npm run bench:quality', seed: 1 });
 *     … measure …
 *     const file = run.finish({ data, results });     // a RunFile
 *     writeRunFile(file, pathOrUndefined);            // @returns the path; default bench/runs/<kind>-<start>.json
 *     const again = readRunFile(path);                // checked; switch on `kind`
 *
 * Numbers are finite; what could not be measured is absent and stands in `skipped` with its reason. Never 0 or null for "not measured".
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { dirname, join } from 'node:path';

const root: string = join(import.meta.dirname, '../..');

/** Raised when a field changes its meaning or goes. */
export const runFormat = 1;

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
  /** File, relative to the set's folder → SHA-256 of its bytes as they lie there (packed files packed). Empty for generated data. */
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
  );
export type RunKind = RunFile['kind'];
export type RunOf<K extends RunKind> = Extract<RunFile, { readonly kind: K }>;

/** The mean of values, with its 95 % percentile bootstrap interval. */
export interface Mean {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Something that was to be measured and was not. */
export interface Skipped {
  readonly what: string;
  readonly reason: string;
}

// --- quality ---------------------------------------------------------------------------------------------------------

export interface QualityResults {
  /** All of them are better when higher, and lie in [0, 1]. */
  readonly metrics: readonly string[];
  readonly collections: readonly QualityCollection[];
  readonly skipped: readonly Skipped[];
}

export interface QualityCollection {
  readonly name: string;
  readonly documents: number;
  readonly chunks: number;
  /** Those scored: every one with a positive judgement. What `perQuery` is ordered by. */
  readonly queryIds: readonly string[];
  readonly variants: readonly QualityVariant[];
  readonly comparisons: readonly QualityComparison[];
  readonly skipped: readonly Skipped[];
}

/**
 * `main`: what ibid offers its users. `baseline`: plain BM25. `alternative`: other packages at their documented defaults.
 * The others take the main hybrid apart: `context`, `vectors`, `fusion`, `chunks`, `embedder`; `control`: must score low.
 */
export type VariantFamily =
  | 'main'
  | 'baseline'
  | 'alternative'
  | 'context'
  | 'vectors'
  | 'fusion'
  | 'chunks'
  | 'embedder'
  | 'control';

export interface QualityVariant {
  /** Unique within the collection, and the same in every collection. */
  readonly name: string;
  readonly family: VariantFamily;
  /** Metric → mean with interval. */
  readonly metrics: Readonly<Record<string, Mean>>;
  /** Metric → one value per query, in the order of `queryIds`. */
  readonly perQuery: Readonly<Record<string, readonly number[]>>;
  /** Mean time of one query in this run; shown, never judged. */
  readonly msPerQuery?: number;
}

/** `other` minus `base`, over the same queries. */
export interface QualityComparison {
  readonly metric: string;
  readonly base: string;
  readonly other: string;
  readonly difference: number;
  /** 95 % percentile bootstrap over queries of the paired difference. */
  readonly low: number;
  readonly high: number;
  /** Two-sided paired randomisation test. */
  readonly pValue: number;
}

// --- answers ---------------------------------------------------------------------------------------------------------

export interface AnswerResults {
  readonly sets: readonly AnswerSetResults[];
  readonly skipped: readonly Skipped[];
}

export interface AnswerSetResults {
  readonly name: string;
  readonly modes: readonly AnswerModeResults[];
}

export interface AnswerModeResults {
  /** 'extractive', or 'generated: <model>'. */
  readonly mode: string;
  readonly figures: Readonly<Record<string, Figure>>;
}

/** A figure over questions; `values` and `ids` go together and allow paired tests between runs. */
export interface Figure extends Mean {
  readonly n: number;
  readonly better: 'higher' | 'lower';
  readonly ids?: readonly string[];
  readonly values?: readonly number[];
}

// --- nearest neighbours ----------------------------------------------------------------------------------------------

export interface AnnResults {
  /** How many neighbours count: recall@k against exact search. */
  readonly k: number;
  readonly cases: readonly AnnCase[];
  readonly skipped: readonly Skipped[];
}

export interface AnnCase {
  /** How the vectors were made or where they come from. */
  readonly data: string;
  readonly rows: number;
  readonly dimensions: number;
  /** 'ibid', 'lancedb', 'hnswlib', … */
  readonly engine: string;
  readonly method: string;
  readonly buildMs: number;
  /** Of all its threads. */
  readonly buildCpuMs?: number;
  readonly diskBytes?: number;
  /** Peak of the process that built, and resident of the one that searched. */
  readonly buildRssBytes?: number;
  readonly searchRssBytes?: number;
  /** From opening the index to its first answer, its files not in the page cache. */
  readonly coldMs?: number;
  /** A later query whose files were dropped from the page cache before it; median. */
  readonly coldQueryMs?: number;
  /** One point per setting, cheapest first. */
  readonly curve: readonly AnnPoint[];
}

export interface AnnPoint {
  readonly setting: string;
  readonly recall: number;
  /** Lowest recall of one query. */
  readonly worst?: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms?: number;
  /** One per query. */
  readonly recalls?: readonly number[];
  readonly ms?: readonly number[];
}

// --- speed -----------------------------------------------------------------------------------------------------------

export interface SpeedResults {
  readonly cases: readonly SpeedCase[];
  readonly skipped: readonly Skipped[];
}

export interface SpeedCase {
  /** What was done, the same for every system that did it: 'ingest 2,000 documents', 'query, 8 callers'. */
  readonly task: string;
  /** 'ibid', or the package measured beside. */
  readonly system: string;
  readonly measures: Readonly<Record<string, Samples>>;
  /** Where the time went, in order; for flame bars. `parent` names an earlier phase that this one is part of. */
  readonly phases?: readonly Phase[];
}

export interface Samples {
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** One per round, or one per query where `of` says so. */
  readonly values: readonly number[];
  readonly of?: 'round' | 'query';
  /** What is quoted: median, or the quantile that the name says. */
  readonly value: number;
}

export interface Phase {
  readonly name: string;
  readonly ms: number;
  readonly parent?: string;
}

// --- scaling ---------------------------------------------------------------------------------------------------------

export interface ScaleResults {
  readonly series: readonly ScaleSeries[];
  readonly skipped: readonly Skipped[];
}

export interface ScaleSeries {
  readonly system: string;
  /** 'ingest', 'query p50', 'peak memory', 'disk'. */
  readonly what: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** Of growing size. */
  readonly points: readonly { readonly chunks: number; readonly value: number; readonly values?: readonly number[] }[];
  /** Least squares of log value over log chunks; 1 is linear. */
  readonly exponent: number;
}

// --- making, writing, reading ----------------------------------------------------------------------------------------

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
