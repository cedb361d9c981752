/**
 * Recall@10 against exact search over latency, of the store's ways to search vectors and of what could be used instead: LanceDB's indexes
 * over float32, hnswlib, usearch, vectra. Every engine gets the same vectors, every build and every search is a process of its own.
 *
 *     node bench/ann/run.ts [--full] [--rows=10000,100000] [--dims=256,1024,2560] [--data=full-rank,low-rank,lsa] [--engines=ibid,lancedb]
 *                           [--build-limit=60] [--minutes=15] [--rounds=3] [--queries=100] [--out=FILE]
 *
 * Quick, the default, gives each build a minute and all of it 15; `--full` adds a million rows, and gives 5 and 40. What would take longer,
 * or not fit into memory, is named with its reason. Packages of others: npm run bench:install.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bytesIn, median, quantile } from '../support/report.ts';
import {
  type AnnCase,
  type AnnPoint,
  alternativeVersion,
  beginRun,
  type Skipped,
  writeRunFile,
} from '../support/run-file.ts';
import { alternatives } from './alternatives.ts';
import type { Engine } from './engine.ts';
import { ibid } from './ibid.ts';
import { lancedb } from './lancedb.ts';
import { VectorFiles, vectorKinds, writeVectors } from './vectors.ts';

const K = 10;
const SEED = 7;
const WARM = 5;
const engines: readonly Engine[] = [ibid, ...lancedb, ...alternatives];
const labelOf = (engine: Engine): string => `${engine.name} ${engine.methods[0]}`;

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    rows: { type: 'string' },
    dims: { type: 'string', default: '256,1024,2560' },
    data: { type: 'string' },
    engines: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    queries: { type: 'string' },
    'build-limit': { type: 'string' },
    minutes: { type: 'string' },
    out: { type: 'string' },
    child: { type: 'string' },
    engine: { type: 'string' },
    method: { type: 'string' },
    home: { type: 'string' },
    place: { type: 'string' },
  },
});

const limitMs = 1000 * Number(values['build-limit'] ?? (values.full ? 300 : 60));
const minutes = Number(values.minutes ?? (values.full ? 40 : 15));
const endsAt = Date.now() + minutes * 60_000;

/** Raised in a build that would not end in time. */
class TooLong extends Error {}

interface Built {
  readonly buildMs: number;
  readonly buildRssBytes: number;
}

interface Searched {
  readonly rssBytes: number;
  readonly points: readonly { readonly setting: string; readonly recalls: number[]; readonly ms: number[] }[];
}

async function buildChild(engine: Engine, files: VectorFiles, place: string): Promise<Built | { reason: string }> {
  const startedAt = performance.now();
  const progress = (rows: number): void => {
    const spent = performance.now() - startedAt;
    const whole = rows === 0 ? spent : (spent * files.rows) / rows;
    if (spent > Math.min(20_000, limitMs / 4) && whole > limitMs) {
      throw new TooLong(
        `the build would take about ${Math.round(whole / 60_000)} minutes, ${Math.round(limitMs / 1000)} s are given (${rows} rows in ${Math.round(spent / 1000)} s)`,
      );
    }
  };
  try {
    await engine.build(files, place, progress);
  } catch (error) {
    if (error instanceof TooLong) return { reason: error.message };
    throw error;
  }
  return { buildMs: performance.now() - startedAt, buildRssBytes: process.resourceUsage().maxRSS * 1024 };
}

async function searchChild(engine: Engine, method: string, files: VectorFiles, place: string): Promise<Searched> {
  const open = await engine.open(method, place, files);
  const points: Searched['points'][number][] = [];
  for (const setting of open.settings) {
    await open.use(setting);
    for (const query of files.queries.slice(0, WARM)) await open.search(query, K);
    const ms: number[] = [];
    const found: (readonly number[])[] = [];
    for (const query of files.queries) {
      const at = performance.now();
      found.push(await open.search(query, K));
      ms.push(performance.now() - at);
    }
    points.push({ setting, ms, recalls: found.map((rows, q) => files.recall(q, rows, K)) });
  }
  const rssBytes = process.memoryUsage.rss();
  await open.close();
  return { rssBytes, points };
}

/** This file in a process of its own. @throws Error with what it said; 'ETIMEDOUT' when it was ended */
function child<T>(flags: Readonly<Record<string, string>>, timeoutMs: number): T {
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const given = [`--build-limit=${limitMs / 1000}`, `--dims=${flags.dims}`];
  const run = spawnSync(process.execPath, [import.meta.filename, ...args, ...given], {
    encoding: 'utf8',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: 2 ** 28,
  });
  if (run.error) throw run.error;
  if (run.status !== 0)
    throw new Error(
      run.stderr
        .trim()
        .split('\n')
        .find((line) => /Error/.test(line)) ?? `it ended with ${run.signal ?? run.status}`,
    );
  return JSON.parse(run.stdout) as T; // our own children
}

const isTimeout = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ETIMEDOUT';

function availableBytes(): number {
  const [, kib] = /MemAvailable:\s+(\d+)/.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [];
  return kib === undefined ? totalmem() / 2 : Number(kib) * 1024;
}

interface Shape {
  readonly kind: string;
  readonly rows: number;
  readonly dims: number;
}

function measureShape({ kind, rows, dims }: Shape, cases: AnnCase[], skipped: Skipped[]): void {
  const home = mkdtempSync(join(tmpdir(), 'ibid-ann-'));
  const queries = Number(values.queries ?? (rows > 300_000 ? 50 : 100));
  try {
    if (Date.now() > endsAt) {
      skipped.push({ what: `${rows} × ${dims}, ${kind}`, reason: `the ${minutes} minutes given are over` });
      return;
    }
    const startedAt = performance.now();
    writeVectors(home, { kind, rows, dims, queries }, K, SEED);
    console.error(`# ${kind}, ${rows} × ${dims}: made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    for (const engine of engines) {
      if (values.engines !== '' && !values.engines.split(',').some((name) => labelOf(engine).includes(name))) continue;
      const what = `${labelOf(engine)}, ${rows} × ${dims}, ${kind}`;
      const skip = (reason: string): void => {
        skipped.push({ what, reason });
        console.error(`  ${what}: ${reason}`);
      };
      if (engine.package && alternativeVersion(engine.package) === undefined) {
        skip('it is not installed: npm run bench:install');
        continue;
      }
      if (Date.now() > endsAt) {
        skip(`the ${minutes} minutes given are over`);
        continue;
      }
      const needed = rows * dims * engine.componentBytes * 1.5;
      if (needed > availableBytes() / 2) {
        skip(`${(needed / 2 ** 30).toFixed(1)} GiB and more of vectors do not fit beside what runs here`);
        continue;
      }
      if (engine.name === 'vectra' && rows * dims > 10_000 * 256) {
        skip('a scan of parsed JSON: only the smallest size');
        continue;
      }
      const place = join(home, 'index');
      try {
        measureEngine(engine, { kind, rows, dims }, home, place, cases, skip);
      } finally {
        rmSync(place, { recursive: true, force: true });
      }
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function measureEngine(
  engine: Engine,
  { kind, rows, dims }: Shape,
  home: string,
  place: string,
  cases: AnnCase[],
  skip: (reason: string) => void,
): void {
  mkdirSync(place);
  const flags = { engine: labelOf(engine), home, place, dims: String(dims) };
  let built: Built | { reason: string };
  try {
    built = child<Built | { reason: string }>({ child: 'build', ...flags }, limitMs * 1.2 + 10_000);
  } catch (error) {
    skip(isTimeout(error) ? `the build was not done after ${Math.round((limitMs * 1.2) / 1000)} s` : String(error));
    return;
  }
  if ('reason' in built) {
    skip(built.reason);
    return;
  }
  const diskBytes = bytesIn(place);
  console.error(
    `  ${labelOf(engine)}: built in ${(built.buildMs / 1000).toFixed(1)} s, ${(diskBytes / 2 ** 20).toFixed(0)} MiB`,
  );
  const searches = new Map<string, Searched[]>(engine.methods.map((method) => [method, []]));
  const rounds = Number(values.rounds);
  for (let round = 0; round < rounds; round++) {
    for (const method of round % 2 === 0 ? engine.methods : [...engine.methods].reverse()) {
      try {
        searches.get(method)!.push(child<Searched>({ child: 'search', method, ...flags }, 600_000));
      } catch (error) {
        skip(`${method}: ${isTimeout(error) ? 'the search took more than 10 minutes' : String(error)}`);
      }
    }
  }
  for (const [method, found] of searches) {
    if (found.length === 0 || found[0]!.points.length === 0) continue; // failed, or not a way to search these
    const curve = found[0]!.points.map(({ setting, recalls }, i) =>
      pointOf(
        setting,
        recalls,
        found.map(({ points }) => points[i]!.ms),
      ),
    );
    cases.push({
      data: `${kind}: ${vectorKinds[kind]}`,
      ...{ rows, dimensions: dims, engine: engine.name, method, ...built, diskBytes },
      searchRssBytes: median(found.map(({ rssBytes }) => rssBytes)),
      curve,
    });
    for (const { setting, recall, worst, p50Ms, p95Ms } of curve) {
      console.log(
        `  ${`${engine.name} ${method}`.padEnd(44)} ${setting.padEnd(22)} recall@${K} ${recall.toFixed(4)} (worst ${worst})  p50 ${p50Ms.toFixed(2)}  p95 ${p95Ms.toFixed(2)} ms`,
      );
    }
  }
}

/** Each query's time is its median over the rounds: what else the machine did in one of them does not count. */
function pointOf(setting: string, recalls: readonly number[], rounds: readonly (readonly number[])[]): AnnPoint {
  const ms = recalls.map((_, q) => median(rounds.map((times) => times[q]!)));
  return {
    setting,
    recall: recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length,
    worst: Math.min(...recalls),
    p50Ms: quantile(ms, 0.5),
    p95Ms: quantile(ms, 0.95),
    p99Ms: quantile(ms, 0.99),
    recalls,
    ms,
  };
}

/** Quick: two sizes of one kind. Full: a million rows as well. */
function shapes(): Shape[] {
  const list = (text: string): string[] => text.split(',').filter((part) => part !== '');
  const sizes = list(values.rows ?? (values.full ? '10000,100000,1000000' : '10000,100000')).map(Number);
  const dims = list(values.dims).map(Number);
  const kinds = list(values.data ?? 'full-rank');
  return kinds.flatMap((kind) => sizes.flatMap((rows) => dims.map((d) => ({ kind, rows, dims: d }))));
}

if (values.child !== undefined) {
  const engine = engines.find((one) => labelOf(one) === values.engine)!;
  const files = new VectorFiles(values.home!, Number(values.dims));
  const result =
    values.child === 'build'
      ? await buildChild(engine, files, values.place!)
      : await searchChild(engine, values.method!, files, values.place!);
  console.log(JSON.stringify(result));
  process.exit(0); // native threads of some packages would hold it
}

const packages = [...new Set(engines.flatMap((engine) => engine.package ?? []))];
const run = beginRun({
  kind: 'ann',
  command: `node bench/ann/run.ts ${process.argv.slice(2).join(' ')}`.trim(),
  seed: SEED,
  packages,
});
const cases: AnnCase[] = [];
const skipped: Skipped[] = [];
const measured = shapes();
for (const shape of measured) measureShape(shape, cases, skipped);
const data = measured.map(({ kind, rows, dims }) => ({
  name: `${kind} ${rows} × ${dims}`,
  ...{ sha256: {}, documents: rows, queries: Number(values.queries ?? (rows > 300_000 ? 50 : 100)) },
}));
console.log(writeRunFile(run.finish({ data, results: { k: K, cases, skipped } }), values.out));
