/**
 * Recall@10 (against exact search) over latency: the store's own methods of vector search, and other engines that a
 * user could take: LanceDB's indexes over float32, hnswlib, usearch, sqlite-vec, vectra. Every engine gets the same
 * vectors. Every build and every search runs in a process of its own.
 *
 *     node bench/ann/run.ts [--full] [--rows=10000,100000] [--dims=256,1024,2560] [--data=full-rank,low-rank,lsa]
 *                           [--engines=ibid,lancedb] [--methods='on disk;float32']
 *                           [--build-limit=60] [--minutes=15] [--rounds=3] [--queries=100] [--out=FILE [--brief]]
 *                           [--keep=FOLDER [--only=build|search|missing]]
 *
 * The default gives each build one minute and the whole bench 15. `--full` adds a million rows, and gives 5 and 40
 * minutes. A build that would take longer, or would not fit into memory, is named with its reason. Other packages are
 * installed by `npm run bench:install`. `--methods=A;B` searches by these methods only.
 *
 * `--keep` leaves vectors and indexes in a folder, and uses those that are there. `--only=build` fills the folder at
 * any time; `--only=search` measures latencies when the machine is quiet; `--only=missing` builds and searches sets
 * that are not there yet. From 100,000 rows on, the files of a method are dropped from the page cache after its
 * searches. Then one query is timed from opening the index to the answer, and some more with the files dropped before
 * each.
 *
 * The run file is written after every engine: an interruption loses one engine at most.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { mean } from '../../src/internal.ts';
import { readFlags } from '../support/flags.ts';
import { median, quantile } from '../support/report.ts';
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
import { type Built, KeptSet, type NotBuilt } from './kept.ts';
import { lancedb } from './lancedb.ts';
import { build, type Cold, dropFromPageCache, type Searched, search, searchCold } from './measure.ts';
import { VectorFiles, vectorKinds } from './vectors.ts';

const K = 10;
const SEED = 7;
/** A smaller set is read so fast that what is timed cold is opening files. */
const LEAST_COLD_ROWS = 100_000;
const engines: readonly Engine[] = [ibid, ...lancedb, ...alternatives];
const labelOf = (engine: Engine): string => `${engine.name} ${engine.methods[0]}`;

const { values } = readFlags(import.meta.filename, {
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
    brief: { type: 'boolean', default: false },
    keep: { type: 'string' },
    only: { type: 'string' },
    methods: { type: 'string' },
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

function measureShape(root: string, { kind, rows, dims }: Shape, cases: AnnCase[], skipped: Skipped[]): void {
  if (Date.now() > endsAt) {
    skipped.push({ what: `${rows} × ${dims}, ${kind}`, reason: `the ${minutes} minutes given are over` });
    return;
  }
  const queries = Number(values.queries ?? (rows > 300_000 ? 50 : 100));
  const set = new KeptSet(root, { kind, rows, dims });
  if (values.only === 'search' && !set.isWritten) {
    skipped.push({ what: `${rows} × ${dims}, ${kind}`, reason: 'nothing of it is kept' });
    return;
  }
  const startedAt = performance.now();
  set.write({ kind, rows, dims, queries }, K, SEED);
  console.error(`# ${kind}, ${rows} × ${dims}: made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  for (const engine of engines) {
    if (values.engines !== '' && !values.engines.split(',').some((name) => labelOf(engine).includes(name))) continue;
    const what = `${labelOf(engine)}, ${rows} × ${dims}, ${kind}`;
    const skip = (reason: string): void => {
      skipped.push({ what, reason });
      console.error(`  ${what}: ${reason}`);
    };
    if (values.only === 'missing' && isBuilt(set.built(labelOf(engine)))) continue;
    const obstacle = obstacleOf(engine, rows, dims) ?? needless(engine, set);
    if (obstacle !== undefined) {
      skip(obstacle);
      continue;
    }
    const built = buildOrFind(engine, set, dims);
    if ('reason' in built) skip(built.reason);
    else if (values.only !== 'build') searchAll(engine, { kind, rows, dims }, set, built, cases, skip);
    if (values.keep === undefined) set.remove(labelOf(engine));
    writeRun();
  }
}

const isBuilt = (found: Built | NotBuilt | undefined): found is Built => found !== undefined && !('reason' in found);

/** A stand-in for what takes too long says nothing where that has been built. */
function needless(engine: Engine, set: KeptSet): string | undefined {
  const { standsInFor } = engine;
  return standsInFor !== undefined && isBuilt(set.built(`${engine.name} ${standsInFor}`))
    ? `${standsInFor} has been built with its defaults`
    : undefined;
}

/** Why an engine cannot be measured with so many vectors here and now. */
function obstacleOf(engine: Engine, rows: number, dims: number): string | undefined {
  if (engine.package && alternativeVersion(engine.package) === undefined)
    return 'it is not installed: npm run bench:install';
  if (Date.now() > endsAt) return `the ${minutes} minutes given are over`;
  const needed = rows * dims * engine.componentBytes * 1.5;
  if (needed > availableBytes() / 2)
    return `${(needed / 2 ** 30).toFixed(1)} GiB and more of vectors do not fit beside what runs here`;
  if (engine.name === 'vectra' && rows * dims > 10_000 * 256) return 'a scan of parsed JSON: only the smallest size';
  return undefined;
}

function buildOrFind(engine: Engine, set: KeptSet, dims: number): Built | NotBuilt {
  const label = labelOf(engine);
  const found = set.built(label);
  if (values.only === 'search') return found ?? { reason: 'it has not been built' };
  if (isBuilt(found)) return found;
  if (values.only === 'missing' && (found?.limitMs ?? 0) >= limitMs) return found!;
  const place = set.clear(label);
  let built: Built | NotBuilt;
  try {
    const flags = { child: 'build', engine: label, home: set.folder, place, dims: String(dims) };
    built = set.settle(label, child<Omit<Built, 'load'> | NotBuilt>(flags, limitMs * 1.2 + 10_000));
  } catch (error) {
    const reason = isTimeout(error)
      ? `the build was not done after ${Math.round((limitMs * 1.2) / 1000)} s`
      : String(error);
    built = set.settle(label, { reason, ...(isTimeout(error) && { limitMs }) });
  }
  if (!('reason' in built)) {
    const { buildMs, buildCpuMs, diskBytes } = built;
    const seconds = `${(buildMs / 1000).toFixed(1)} s, ${(buildCpuMs / 1000).toFixed(1)} s of CPU`;
    console.error(`  ${label}: built in ${seconds}, ${(diskBytes / 2 ** 20).toFixed(0)} MiB`);
  }
  return built;
}

function searchAll(
  engine: Engine,
  { kind, rows, dims }: Shape,
  set: KeptSet,
  { buildMs, buildCpuMs, buildRssBytes, diskBytes }: Built,
  cases: AnnCase[],
  skip: (reason: string) => void,
): void {
  const place = set.index(labelOf(engine));
  const flags = { engine: labelOf(engine), home: set.folder, place, dims: String(dims) };
  const methods = engine.methods.filter(
    (method) => values.methods === undefined || values.methods.split(';').some((name) => method.includes(name)),
  );
  const searches = new Map<string, Searched[]>(methods.map((method) => [method, []]));
  const rounds = Number(values.rounds);
  for (let round = 0; round < rounds; round++) {
    for (const method of round % 2 === 0 ? methods : [...methods].reverse()) {
      try {
        searches.get(method)!.push(child<Searched>({ child: 'search', method, ...flags }, 600_000));
      } catch (error) {
        skip(`${method}: ${isTimeout(error) ? 'the search took more than 10 minutes' : String(error)}`);
      }
      if (round < rounds - 1) continue;
      settle(method, searches.get(method)!);
      writeRun(); // a run that is cut off keeps what it has found
    }
  }

  function settle(method: string, found: readonly Searched[]): void {
    if (found.length === 0 || found[0]!.points.length === 0) return; // failed, or not a way to search these
    const curve = found[0]!.points.map(({ setting, recalls }, i) =>
      pointOf(
        setting,
        recalls,
        found.map(({ points }) => points[i]!.ms),
      ),
    );
    const cold =
      values.keep !== undefined && rows >= LEAST_COLD_ROWS && dropFromPageCache(place)
        ? child<Cold>({ child: 'cold', method, ...flags }, 600_000)
        : undefined;
    const coldly = cold === undefined ? {} : { coldMs: cold.firstMs, coldQueryMs: median(cold.queryMs) };
    cases.push({
      data: `${kind}: ${vectorKinds[kind]}`,
      ...{ rows, dimensions: dims, engine: engine.name, method, buildMs, buildCpuMs, buildRssBytes, diskBytes },
      searchRssBytes: median(found.map(({ rssBytes }) => rssBytes)),
      ...coldly,
      curve,
    });
    for (const { setting, recall, worst, p50Ms, p95Ms } of curve) {
      console.log(
        `  ${`${engine.name} ${method}`.padEnd(44)} ${setting.padEnd(22)} recall@${K} ${recall.toFixed(4)} (worst ${worst})  p50 ${p50Ms.toFixed(2)}  p95 ${p95Ms.toFixed(2)} ms`,
      );
    }
    if (cold !== undefined) {
      const { firstMs, queryMs } = cold;
      console.log(
        `  ${''.padEnd(44)} files not cached: first ${firstMs.toFixed(0)} ms, then ${median(queryMs).toFixed(1)} ms`,
      );
    }
  }
}

/** Each query's time is its median over the rounds: what else the machine did in one of them does not count. */
function pointOf(setting: string, recalls: readonly number[], rounds: readonly (readonly number[])[]): AnnPoint {
  const ms = recalls.map((_, q) => median(rounds.map((times) => times[q]!)));
  return {
    setting,
    recall: mean(recalls),
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
      ? await build(engine, files, values.place!, limitMs)
      : values.child === 'cold'
        ? await searchCold(engine, values.method!, files, values.place!, K)
        : await search(engine, values.method!, files, values.place!, K);
  console.log(JSON.stringify(result));
  process.exit(0); // native threads of some packages would hold it
}

/** Without what every single query found and took. */
function briefly(one: AnnCase): AnnCase {
  return { ...one, curve: one.curve.map(({ recalls: _recalls, ms: _ms, ...point }) => point) };
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
const home = values.keep ?? mkdtempSync(join(tmpdir(), 'ibid-ann-'));
const data = measured.map(({ kind, rows, dims }) => ({
  name: `${kind} ${rows} × ${dims}`,
  ...{ sha256: {}, documents: rows, queries: Number(values.queries ?? (rows > 300_000 ? 50 : 100)) },
}));
/** Where; a run that only builds has nothing to write. */
let written = values.out;
function writeRun(): void {
  if (values.only === 'build') return;
  const results = { k: K, cases: values.brief ? cases.map(briefly) : cases, skipped };
  written = writeRunFile(run.finish({ data, results }), written);
}
try {
  for (const shape of measured) measureShape(home, shape, cases, skipped);
} finally {
  if (values.keep === undefined) rmSync(home, { recursive: true, force: true });
}
writeRun(); // also when there was nothing to measure
if (written !== undefined) console.log(written);
