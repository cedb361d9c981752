// Time, memory, disk and query latency as a corpus grows, with the exponent of their growth: synthetic Markdown files
// ingested in a fresh process, whose resident memory is sampled together with that of its own processes (training
// runs in one); then queries in another. Peaks are given for each phase, so that a figure names its cause.
//
//   node bench/speed/scale.ts [--full] [--chunks=1000,10000,40000,100000] [--queries=100]
//                             [--again] [--command] [--save=scale] [--out=FILE]
//
// By default the ingesting process is a plain host of the library. With `--command` it is `ibid ingest`, which bounds
// the memory of its own process; its phases are not told apart.
// `--full` adds a million chunks. `--again` also measures a second run that finds nothing changed, and one that adds
// a tenth. Linux only: sizes are read from /proc.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openIndex } from '../../src/index.ts';
import { seededRandom } from '../../src/internal.ts';
import { readFlags } from '../support/flags.ts';
import { exponentOf } from '../support/merge.ts';
import { bytesIn, quantile, writeResults } from '../support/report.ts';
import { beginRun, type ScaleSeries, writeRunFile } from '../support/run-file.ts';
import { queryOf, syntheticDocument, writeDocuments } from '../support/synthetic.ts';

const PARAGRAPHS = 10;
const SAMPLE_MS = 40;
const MIB = 2 ** 20;

const { values } = readFlags(import.meta.filename, {
  options: {
    full: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    chunks: { type: 'string' },
    queries: { type: 'string', default: '100' },
    out: { type: 'string' },
    'query-child': { type: 'string' },
    documents: { type: 'string', default: '0' },
    again: { type: 'boolean', default: false },
    command: { type: 'boolean', default: false },
    save: { type: 'string' },
    child: { type: 'string' },
    timeline: { type: 'boolean', default: false },
  },
});

/** Runs one ingest and prints its phases as they begin, then what it came to. */
async function ingestChild(home: string): Promise<void> {
  const say = (line: unknown): void => console.log(JSON.stringify(line));
  await using index = await openIndex(join(home, 'index'), { create: true, base: home });
  const startedAt = performance.now();
  for await (const event of index.ingest([join(home, 'docs')])) {
    if (event.type === 'scanned') say({ phase: 'planning' });
    if (event.type === 'planned') say({ phase: 'reading' });
    if (event.type === 'training') say({ phase: 'training' });
    if (event.type === 'committed') say({ phase: 'writing' });
    if (event.type === 'finishing') say({ phase: 'finishing' });
    if (event.type === 'done') say({ chunks: event.summary.chunks, seconds: (performance.now() - startedAt) / 1000 });
  }
  say({ ownPeakMiB: process.resourceUsage().maxRSS / 1024 });
}

interface Queried {
  readonly ms: readonly number[];
  readonly firstMs: number;
  readonly rssMiB: number;
}

/** Opens the index and asks; the first tenth of the questions is for warming up. */
async function queryChild(home: string, documents: number): Promise<void> {
  const random = seededRandom(77);
  const count = Number(values.queries);
  const texts = Array.from({ length: Math.ceil(count * 1.1) }, (_, i) =>
    queryOf(syntheticDocument((i * 7919) % documents, PARAGRAPHS), random),
  );
  const startedAt = performance.now();
  await using index = await openIndex(join(home, 'index'));
  await index.search(texts[0]!);
  const firstMs = performance.now() - startedAt;
  for (const text of texts.slice(0, -count)) await index.search(text);
  const ms: number[] = [];
  for (const text of texts.slice(-count)) {
    const at = performance.now();
    await index.search(text);
    ms.push(performance.now() - at);
  }
  const queried: Queried = { ms, firstMs, rssMiB: process.memoryUsage.rss() / MIB };
  console.log(JSON.stringify(queried));
}

/** Bytes in memory of a process and all below it; pages that two of them share count twice. */
function residentBytes(pid: number): number {
  try {
    const resident = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
    const threads = readdirSync(`/proc/${pid}/task`);
    const children = threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return children.reduce((sum, child) => sum + residentBytes(child), resident);
  } catch {
    return 0; // it ended meanwhile
  }
}

interface Measured {
  readonly chunks: number;
  readonly seconds: number;
  /** Of the ingesting process alone, as the kernel counts it. */
  readonly ownPeakMiB: number;
  /** With its own processes, sampled. */
  readonly peakMiB: number;
  readonly peakMiBByPhase: Readonly<Record<string, number>>;
}

/** The command line of an ingest as a user gives it. */
function commandOf(home: string): string[] {
  const main = join(import.meta.dirname, '../../src/cli/main.ts');
  return [main, 'ingest', join(home, 'docs'), '--index', join(home, 'index'), '--quiet'];
}

/** What the kernel has counted for one process so far; undefined once it has ended. */
function ownPeakMiB(pid: number): number | undefined {
  try {
    const found = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found ? Number(found[1]) / 1024 : undefined;
  } catch {
    return undefined;
  }
}

async function statusOf(home: string): Promise<{ readonly chunks: number }> {
  await using index = await openIndex(join(home, 'index'));
  return await index.status();
}

async function measure(home: string): Promise<Measured> {
  const child = spawn(process.execPath, values.command ? commandOf(home) : [import.meta.filename, `--child=${home}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise<number | null>((resolve) => child.on('close', resolve));
  let phase = values.command ? 'all' : 'scanning';
  const peaks: Record<string, number> = {};
  const startedAt = performance.now();
  let said = 0;
  let ownPeak = 0;
  const timer = setInterval(() => {
    const mib = Math.round(residentBytes(child.pid!) / MIB);
    ownPeak = ownPeakMiB(child.pid!) ?? ownPeak;
    peaks[phase] = Math.max(peaks[phase] ?? 0, mib);
    const second = Math.floor((performance.now() - startedAt) / 1000);
    if (values.timeline && second > said) {
      said = second;
      console.error(`${second} s  ${phase}  ${mib} MiB`);
    }
  }, SAMPLE_MS);
  let result: Record<string, number> = {};
  for await (const line of createInterface({ input: child.stdout })) {
    if (values.command) continue;
    const { phase: next, ...rest } = JSON.parse(line) as { phase?: string } & Record<string, number>; // our own child
    if (next !== undefined) phase = next;
    result = { ...result, ...rest };
  }
  const status = await gone;
  clearInterval(timer);
  if (status !== 0) throw new Error(`the ingesting process ended with ${status}`);
  if (values.command) {
    const chunks = (await statusOf(home)).chunks;
    result = { chunks, seconds: (performance.now() - startedAt) / 1000, ownPeakMiB: ownPeak };
  }
  return {
    chunks: result.chunks!,
    seconds: Math.round(result.seconds! * 10) / 10,
    ownPeakMiB: Math.round(result.ownPeakMiB!),
    peakMiB: Math.max(...Object.values(peaks)),
    peakMiBByPhase: peaks,
  };
}

interface Sized extends Measured {
  readonly chunksPerSecond: number;
  readonly textMiB: number;
  readonly indexMiB: number;
  readonly queryP50Ms: number;
  readonly queryP95Ms: number;
  readonly firstQueryMs: number;
  readonly queryRssMiB: number;
  readonly again?: { readonly unchanged: Measured; readonly grownByATenth: Measured };
}

function query(home: string, documents: number): Queried {
  const args = [`--query-child=${home}`, `--documents=${documents}`, `--queries=${values.queries}`];
  return JSON.parse(
    execFileSync(process.execPath, [import.meta.filename, ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
  ) as Queried; // our own child
}

async function measureSize(chunks: number): Promise<Sized> {
  const home = mkdtempSync(join(tmpdir(), 'ibid-scale-'));
  try {
    const documents = Math.ceil(chunks / PARAGRAPHS);
    const docs = join(home, 'docs');
    let textBytes = writeDocuments(docs, 0, documents, PARAGRAPHS);
    const first = await measure(home);
    const { ms, firstMs, rssMiB } = query(home, documents);
    const sized: Sized = {
      ...first,
      chunksPerSecond: Math.round(first.chunks / first.seconds),
      textMiB: Math.round(textBytes / MIB),
      indexMiB: Math.round((10 * bytesIn(join(home, 'index'))) / MIB) / 10,
      queryP50Ms: quantile(ms, 0.5),
      queryP95Ms: quantile(ms, 0.95),
      firstQueryMs: firstMs,
      queryRssMiB: Math.round(rssMiB),
    };
    if (!values.again) return sized;
    const unchanged = await measure(home);
    textBytes += writeDocuments(docs, documents, Math.ceil(documents * 1.1), PARAGRAPHS);
    const grown = await measure(home);
    return { ...sized, again: { unchanged, grownByATenth: grown } };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const measures: readonly (readonly [what: string, unit: string, pick: (sized: Sized) => number])[] = [
  ['ingest', 's', ({ seconds }) => seconds],
  ['query p50', 'ms', ({ queryP50Ms }) => queryP50Ms],
  ['query p95', 'ms', ({ queryP95Ms }) => queryP95Ms],
  ['first query', 'ms', ({ firstQueryMs }) => firstQueryMs],
  ['disk', 'MiB', ({ indexMiB }) => indexMiB],
  ['peak memory of ingest', 'MiB', ({ peakMiB }) => peakMiB],
  ['memory of queries', 'MiB', ({ queryRssMiB }) => queryRssMiB],
];

function seriesOf(results: readonly Sized[]): ScaleSeries[] {
  return measures.map(([what, unit, pick]) => {
    const points = results.map((sized) => ({ chunks: sized.chunks, value: pick(sized) }));
    return { system: 'ibid', what, unit, better: 'lower', points, exponent: exponentOf(points) };
  });
}

/** Exponents of time and peak memory over chunks; none through one point. */
function growthOf(results: readonly Sized[]): {
  readonly growth?: { readonly seconds: number; readonly peakMiB: number };
} {
  if (results.length < 2) return {};
  const of = (pick: (sized: Sized) => number): number =>
    Math.round(100 * exponentOf(results.map((sized) => ({ chunks: sized.chunks, value: pick(sized) })))) / 100;
  return { growth: { seconds: of(({ seconds }) => seconds), peakMiB: of(({ peakMiB }) => peakMiB) } };
}

async function measureAll(): Promise<void> {
  const list = values.chunks ?? `1000,10000,40000,100000${values.full ? ',1000000' : ''}`;
  const command = `node bench/speed/scale.ts ${process.argv.slice(2).join(' ')}`.trim();
  const run = beginRun({ kind: 'scale', command });
  const results: Sized[] = [];
  for (const chunks of list.split(',').map(Number)) {
    const measured = await measureSize(chunks);
    console.log(JSON.stringify(measured, null, 2));
    results.push(measured);
    if (values.save !== undefined) {
      const flags = [
        `--chunks=${list}`,
        ...(values.again ? ['--again'] : []),
        ...(values.command ? ['--command'] : []),
      ];
      writeResults(values.save, `node bench/speed/scale.ts ${flags.join(' ')}`, results, growthOf(results));
    }
  }
  if (results.length < 2) return; // no line through one point
  const series = seriesOf(results);
  for (const { what, exponent } of series) console.log(`${what} ~ chunks^${exponent.toFixed(2)}`);
  const data = results.map(({ chunks }) => ({
    name: `made documents, ${chunks} chunks`,
    ...{ sha256: {}, documents: Math.ceil(chunks / PARAGRAPHS), queries: Number(values.queries) },
  }));
  console.log(writeRunFile(run.finish({ data, results: { series, skipped: [] } }), values.out));
}

if (values.child !== undefined) await ingestChild(values.child);
else if (values['query-child'] !== undefined) await queryChild(values['query-child'], Number(values.documents));
else await measureAll();
