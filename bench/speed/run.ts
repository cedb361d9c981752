/**
 * Ingest, re-ingest, query, cold start and memory of ibid beside other systems: two RAG frameworks with the same
 * embedder, and in-process text search. All get the same files, and take turns in processes of their own.
 *
 *     node bench/speed/run.ts [--full] [--rounds=3] [--documents=5183] [--queries=100] [--systems=ibid,langchain]
 *                             [--embedders=words] [--ingest] [--out=FILE]
 *
 * `--ingest` measures ingest alone. Frameworks take part as documented, and brought to equal work: the result of each
 * system's ingest (bounds of passages, place of vectors and words) is printed with its figures. The files are SciFact's
 * 5,183 abstracts where IBID_SHARED has them, else as many made ones. `cpu` is the time of the process and its threads;
 * on a busy machine it is steadier than the clock. Other packages are installed by `npm run bench:install`.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBeirFolder } from '../../src/eval.ts';
import { openIndex } from '../../src/index.ts';
import { MODEL_BLOB, openStore, seededRandom } from '../../src/internal.ts';
import { readFlags } from '../support/flags.ts';
import { bytesIn, median, quantile } from '../support/report.ts';
import {
  alternativeVersion,
  beginRun,
  checksumsOf,
  type DataSource,
  type Phase,
  type Samples,
  type Skipped,
  type SpeedCase,
  writeRunFile,
} from '../support/run-file.ts';
import { queryOf, syntheticDocument, writeDocuments } from '../support/synthetic.ts';
import { langchain, langchainKept, langchainTokens, llamaindex, llamaindexKept } from './systems/frameworks.ts';
import { ibid } from './systems/ibid.ts';
import { type EmbedderName, embedderOf, type System, type Work } from './systems/system.ts';
import { flexsearch, minisearch, orama } from './systems/text-search.ts';

const systems: readonly System[] = [
  ibid,
  langchain,
  langchainKept,
  langchainTokens,
  llamaindex,
  llamaindexKept,
  minisearch,
  orama,
  flexsearch,
];
const CALLERS = [1, 2, 8];
const WARM_FILES = 20;
/** Who takes longer for one round is left out of the others, and named with that reason. */
const PATIENCE_MS = 60_000;
const root = join(import.meta.dirname, '../..');

const { values } = readFlags(import.meta.filename, {
  options: {
    full: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    documents: { type: 'string', default: '5183' },
    queries: { type: 'string', default: '100' },
    systems: { type: 'string', default: '' },
    embedders: { type: 'string', default: '' },
    ingest: { type: 'boolean', default: false },
    out: { type: 'string' },
    child: { type: 'string' },
    home: { type: 'string', default: '' },
  },
});
const rounds = Number(values.rounds ?? (values.full ? 5 : 3));

/** What stands in the bench's own folder. */
const placesIn = (home: string) => ({
  docs: join(home, 'docs'),
  warm: join(home, 'warm'),
  queries: join(home, 'queries.json'),
  model: join(home, 'model'),
});

interface Variant {
  readonly system: System;
  /** Absent for text search. */
  readonly embedder?: EmbedderName;
}

const nameOf = ({ system, embedder }: Variant): string => (embedder ? `${system.name}/${embedder}` : system.name);

/** An ingest, and what it leaves. */
interface IngestCase extends SpeedCase {
  readonly work: Work;
}

interface Measured {
  readonly chunks: number;
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakBytes: number;
  readonly diskBytes: number;
  readonly phases: readonly Phase[];
  /** By callers at a time: each query's time, and how long all of them took together. */
  readonly queries: Readonly<Record<string, { readonly ms: number[]; readonly totalMs: number }>>;
}

/** One system from nothing to answers, in this process. */
async function measure({ system, embedder: name }: Variant, home: string): Promise<Measured> {
  const { docs, warm, queries: asked, model } = placesIn(home);
  const queries = JSON.parse(readFileSync(asked, 'utf8')) as string[]; // written below
  const own = mkdtempSync(join(home, 'own-'));
  const embedder = name && embedderOf(name, model);
  mkdirSync(join(own, 'warm'));
  await (await system.ingest(warm, join(own, 'warm'), embedder)).close(); // loads modules, compiles
  mkdirSync(join(own, 'all'));
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const ingested = await system.ingest(docs, join(own, 'all'), embedder);
  const ms = performance.now() - startedAt;
  const used = process.cpuUsage(cpu);
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  const times: Record<string, { ms: number[]; totalMs: number }> = {};
  if (!values.ingest) for (const query of queries) await ingested.search(query);
  for (const callers of values.ingest ? [] : CALLERS) {
    const each: number[] = [];
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < queries.length) {
        const query = queries[next++]!;
        const at = performance.now();
        await ingested.search(query);
        each.push(performance.now() - at);
      }
    };
    const at = performance.now();
    await Promise.all(Array.from({ length: callers }, lane));
    times[callers] = { ms: each, totalMs: performance.now() - at };
  }
  const { chunks, phases = [] } = ingested;
  await ingested.close();
  await embedder?.close?.();
  const diskBytes = bytesIn(join(own, 'all'));
  rmSync(own, { recursive: true, force: true });
  return { chunks, ms, cpuMs: (used.user + used.system) / 1000, peakBytes, diskBytes, phases, queries: times };
}

/** The first answer of a process that has nothing in memory yet. */
async function firstAnswer({ system, embedder: name }: Variant, home: string): Promise<void> {
  const { docs, queries, model } = placesIn(home);
  const own = mkdtempSync(join(home, 'own-'));
  const ingested = await system.ingest(docs, own, name && embedderOf(name, model));
  await ingested.search((JSON.parse(readFileSync(queries, 'utf8')) as string[])[0]!);
}

/** @returns undefined when it was still running after `PATIENCE_MS` */
function run(args: readonly string[]): { readonly stdout: string; readonly ms: number } | undefined {
  const startedAt = performance.now();
  const options = { encoding: 'utf8', timeout: PATIENCE_MS, killSignal: 'SIGKILL', maxBuffer: 2 ** 28 } as const;
  const child = spawnSync(process.execPath, args, options);
  const ms = performance.now() - startedAt;
  if ((child.error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') return undefined;
  if (child.status !== 0)
    throw new Error(
      `${args.slice(0, 4).join(' ')} ended with ${child.signal ?? child.status}: ${child.stderr.slice(-2000)}`,
    );
  return { stdout: child.stdout, ms };
}

const samples = (
  unit: string,
  better: Samples['better'],
  all: readonly number[],
  value: number = median(all),
  of: Samples['of'] = 'round',
): Samples => ({ unit, better, values: all, of, value });

/** Files and questions: SciFact's where it is, else made ones. */
async function prepare(
  home: string,
): Promise<{ readonly data: DataSource; readonly bytes: number; readonly files: number }> {
  const { docs, warm, queries: asked } = placesIn(home);
  const files = Number(values.documents);
  const count = Number(values.queries);
  const scifact = join(process.env.IBID_SHARED ?? join(root, '../shared'), 'data/scifact');
  mkdirSync(warm);
  if (!existsSync(scifact)) {
    const bytes = writeDocuments(docs, 0, files, 3);
    writeDocuments(warm, files, files + WARM_FILES, 3);
    const random = seededRandom(1);
    const queries = Array.from({ length: count }, (_, i) => queryOf(syntheticDocument((i * 37) % files, 3), random));
    writeFileSync(asked, JSON.stringify(queries));
    return { data: { name: 'made documents', sha256: {}, documents: files, queries: count }, bytes, files };
  }
  mkdirSync(docs);
  const dataset = await readBeirFolder(scifact);
  let written = 0;
  let bytes = 0;
  for await (const { id, title, text } of dataset.corpus) {
    const markdown = `# ${title}\n\n${text}\n`;
    if (written < WARM_FILES) writeFileSync(join(warm, `${id}.md`), markdown);
    writeFileSync(join(docs, `${id}.md`), markdown);
    bytes += Buffer.byteLength(markdown);
    if (++written === files) break;
  }
  const queries = dataset.queries.slice(0, count).map(({ text }) => text);
  writeFileSync(asked, JSON.stringify(queries));
  const sha256 = checksumsOf(scifact, ['corpus.jsonl.gz', 'queries.jsonl']);
  return { data: { name: 'scifact', sha256, documents: written, queries: queries.length }, bytes, files: written };
}

/** ibid's own index of the files, whose model the others are given. @returns where it is */
async function ownIndex(home: string): Promise<string> {
  const { docs, model } = placesIn(home);
  const place = join(home, 'index');
  await using index = await openIndex(place, { create: true, base: docs });
  await index.ingest([docs]);
  const store = await openStore(place);
  writeFileSync(model, (await store.getBlob(MODEL_BLOB))!);
  await store.close();
  return place;
}

async function reingestMs(place: string, docs: string): Promise<number> {
  const startedAt = performance.now();
  await using index = await openIndex(place, { base: docs });
  const { added, updated } = await index.ingest([docs]);
  if (added + updated > 0) throw new Error('something changed');
  return performance.now() - startedAt;
}

if (values.child !== undefined) {
  const [what, name, embedder] = values.child.split('/') as [string, string, EmbedderName | undefined];
  const variant = { system: systems.find((one) => one.name === name)!, ...(embedder ? { embedder } : {}) };
  if (what === 'first') await firstAnswer(variant, values.home);
  else console.log(JSON.stringify(await measure(variant, values.home)));
  process.exit(0);
}

const begun = beginRun({
  kind: 'speed',
  command: `node bench/speed/run.ts ${process.argv.slice(2).join(' ')}`.trim(),
  packages: systems.flatMap((system) => system.package ?? []),
});
const skipped: Skipped[] = [];
const variants = systems.flatMap((system): Variant[] => {
  if (values.systems !== '' && !values.systems.split(',').includes(system.name)) return [];
  if (system.package !== undefined && alternativeVersion(system.package) === undefined) {
    skipped.push({ what: system.name, reason: 'it is not installed: npm run bench:install' });
    return [];
  }
  if (system.embedders.length === 0) return [{ system }];
  const embedders = system.embedders.filter(
    (embedder) => values.embedders === '' || values.embedders.split(',').includes(embedder),
  );
  return embedders.map((embedder) => ({ system, embedder }));
});
const home = mkdtempSync(join(tmpdir(), 'ibid-speed-'));
try {
  const { data, bytes, files } = await prepare(home);
  // whoever is given no trained model and asked nothing needs no index of ibid's
  const needsIndex = !values.ingest || variants.some(({ embedder }) => embedder === 'trained');
  const place = needsIndex ? await ownIndex(home) : '';
  const found = new Map<string, Measured[]>(variants.map((variant) => [nameOf(variant), []]));
  const first = new Map<string, number[]>();
  const again: number[] = [];
  const main = [join(root, 'dist/cli/main.js'), join(root, 'src/cli/main.ts')].find((path) => existsSync(path))!;
  const [question = ''] = JSON.parse(readFileSync(placesIn(home).queries, 'utf8')) as string[]; // written above
  const note = (name: string, ended: { readonly ms: number } | undefined): void => {
    if (ended) first.set(name, [...(first.get(name) ?? []), ended.ms]);
  };
  const flags = values.ingest ? ['--ingest'] : [];
  for (let round = 0; round < rounds; round++) {
    for (const variant of round % 2 === 0 ? variants : [...variants].reverse()) {
      const name = nameOf(variant);
      if (skipped.some(({ what }) => what === name)) continue;
      const ended = run([import.meta.filename, `--child=measure/${name}`, `--home=${home}`, ...flags]);
      if (ended === undefined) {
        skipped.push({ what: name, reason: `it was still at it after ${PATIENCE_MS / 1000} s, of ${files} files` });
        console.error(`${name}: ${skipped.at(-1)!.reason}`);
        continue;
      }
      // our own child; what it loads may print lines of its own before
      const measured = JSON.parse(ended.stdout.trimEnd().split('\n').at(-1)!) as Measured;
      found.get(name)!.push(measured);
      console.error(
        `${name.padEnd(34)} ${Math.round(measured.ms)} ms, cpu ${Math.round(measured.cpuMs)} ms, ${measured.chunks} chunks`,
      );
      if (variant.system !== ibid && variant.embedder !== 'trained' && round < 3 && !values.ingest)
        note(name, run([import.meta.filename, `--child=first/${name}`, `--home=${home}`]));
    }
    if (values.ingest) continue;
    note('ibid', run([main, 'search', question, '--index', place]));
    again.push(await reingestMs(place, placesIn(home).docs));
  }
  const mb = bytes / 1e6;
  const cases: SpeedCase[] = [];
  for (const variant of variants) {
    const all = found.get(nameOf(variant))!;
    if (all.length === 0) continue;
    const each = (pick: (one: Measured) => number): number[] => all.map(pick);
    const embedder = { words: ', vectors of words', trained: ', vectors of one trained model', own: '' };
    const vectors = variant.embedder ? embedder[variant.embedder] : ', words alone';
    const { phases } = all[Math.floor(all.length / 2)]!;
    const ingestCase: IngestCase = {
      task: `ingest ${files.toLocaleString('en')} files${vectors}`,
      system: variant.system.name,
      work: variant.system.work,
      measures: {
        throughput: samples(
          'MB/s',
          'higher',
          each(({ ms }) => (1000 * mb) / ms),
        ),
        time: samples(
          'ms',
          'lower',
          each(({ ms }) => ms),
        ),
        documents: samples(
          'documents/s',
          'higher',
          each(({ ms }) => (1000 * files) / ms),
        ),
        chunks: samples(
          'chunks/s',
          'higher',
          each(({ ms, chunks }) => (1000 * chunks) / ms),
        ),
        cpu: samples(
          'ms',
          'lower',
          each(({ cpuMs }) => cpuMs),
        ),
        peak: samples(
          'MiB',
          'lower',
          each(({ peakBytes }) => peakBytes / 2 ** 20),
        ),
        disk: samples(
          'MiB',
          'lower',
          each(({ diskBytes }) => diskBytes / 2 ** 20),
        ),
      },
      ...(phases.length > 0 ? { phases } : {}),
    };
    cases.push(ingestCase);
    for (const callers of values.ingest ? [] : CALLERS) {
      const ms = all.flatMap(({ queries }) => queries[callers]!.ms);
      cases.push({
        task: `query, ${callers} ${callers === 1 ? 'caller' : 'callers'}${vectors}`,
        system: variant.system.name,
        measures: {
          p50: samples('ms', 'lower', ms, quantile(ms, 0.5), 'query'),
          p95: samples('ms', 'lower', ms, quantile(ms, 0.95), 'query'),
          p99: samples('ms', 'lower', ms, quantile(ms, 0.99), 'query'),
          throughput: samples(
            'queries/s',
            'higher',
            each(({ queries }) => (1000 * queries[callers]!.ms.length) / queries[callers]!.totalMs),
          ),
        },
      });
    }
  }
  if (again.length > 0) {
    cases.push({
      task: 're-ingest, nothing changed',
      system: 'ibid',
      measures: { time: samples('ms', 'lower', again) },
    });
  }
  for (const [name, ms] of first) {
    cases.push({
      task: 'first answer of a new process',
      system: name.split('/')[0]!,
      measures: { time: samples('ms', 'lower', ms) },
    });
  }
  for (const { name, work } of new Set(variants.map(({ system }) => system))) {
    console.log(
      `${name.padEnd(27)} leaves passages bounded by ${work.bound}, vectors: ${work.vectors}, index of words: ${work.words}`,
    );
  }
  for (const { what, reason } of skipped) console.log(`${what}: ${reason}`);
  for (const { task, system, measures } of cases) {
    const shown = Object.entries(measures).map(
      ([name, { value, unit }]) => `${name} ${Number(value.toPrecision(3))} ${unit}`,
    );
    console.log(`${task.padEnd(58)} ${system.padEnd(26)} ${shown.join('  ')}`);
  }
  console.log(writeRunFile(begun.finish({ data: [data], results: { cases, skipped } }), values.out));
} finally {
  rmSync(home, { recursive: true, force: true });
}
