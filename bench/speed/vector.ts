/**
 * Recall and speed of every way the store searches vectors, against the exact int8 cosine scan.
 *
 *     node bench/speed/vector.ts [--rows 10000,100000] [--dims 256,1024] [--data low-rank,full-rank,lsa] [--save]
 *
 * Each shape runs in a fresh process on an index of its own in a temporary folder; queries are not among the rows.
 * Data, all in clusters: `low-rank` lies in 48 directions, `full-rank` has variance i^-0.9 on axis i, `lsa` i^-1.5
 * (few axes carry nearly everything). Recall@10 counts rows whose cosine reaches the tenth true one's, so that ties
 * do not count as misses.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  calibrationKey,
  chooseMethod,
  type DocumentRecord,
  mean,
  openStore,
  openWriter,
  type SignCalibration,
  SignCode,
  type Snapshot,
  type StoreOptions,
} from '../../src/internal.ts';
import { generate } from '../ann/vectors.ts';
import { readFlags } from '../support/flags.ts';
import { median, writeResults } from '../support/report.ts';
import { recordOf } from '../support/vector-record.ts';

const queryCount = 60;
const limit = 10;

interface Line {
  readonly data: string;
  readonly dims: number;
  readonly rows: number;
  readonly method: string;
  readonly candidates: number | undefined;
  readonly recall: number;
  readonly worst: number;
  readonly p50Ms: number;
  readonly firstMs: number;
}

const { values } = readFlags(import.meta.filename, {
  options: {
    rows: { type: 'string', default: '10000,100000' },
    dims: { type: 'string', default: '256,1024' },
    data: { type: 'string', default: 'low-rank,full-rank,lsa' },
    save: { type: 'boolean', default: false },
    one: { type: 'boolean', default: false },
  },
});

async function build(place: string, source: Iterator<Int8Array>, rows: number, dims: number): Promise<void> {
  const writer = await openWriter(place, { fingerprint: { embedder: 'bench', dimensions: dims } });
  for (let made = 0; made < rows; ) {
    const records: DocumentRecord[] = [];
    for (let d = 0; d < 500 && made < rows; d++) {
      const vectors: Int8Array[] = [];
      // it never ends
      for (let c = 0; c < 10 && made < rows; c++, made++) vectors.push(source.next().value as Int8Array);
      records.push(recordOf(made, vectors));
    }
    await writer.current.replaceDocuments(records);
  }
  const started = performance.now();
  await writer.finish();
  console.error(`finish, calibration included: ${(performance.now() - started).toFixed(0)} ms`);
  await writer.close();
}

async function timed(snapshot: Snapshot, queries: readonly Int8Array[]) {
  const times: number[] = [];
  const found: Awaited<ReturnType<Snapshot['searchVectors']>>[] = [];
  const started = performance.now();
  await snapshot.searchVectors(queries[0]!, limit);
  const firstMs = performance.now() - started;
  for (const query of queries) {
    const start = performance.now();
    found.push(await snapshot.searchVectors(query, limit));
    times.push(performance.now() - start);
  }
  return { found, firstMs, p50Ms: median(times) };
}

async function measureOne(kind: string, dims: number, rows: number): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ibid-bench-'));
  try {
    const source = generate(kind, dims, 7);
    const queries = Array.from({ length: queryCount }, () => source.next().value);
    await build(folder, source, rows, dims);
    const lines: Line[] = [];
    let truth: Float32Array | undefined;
    const variants: [string, StoreOptions][] = [
      ['exact', { exactBytes: Infinity, residentBytes: Infinity }],
      ['as chosen', {}],
      ['signs + resident vectors', { exactBytes: 0, residentBytes: Infinity }],
      ['signs + vectors from disk', { exactBytes: 0, residentBytes: 0 }],
      ['nothing resident', { residency: 'none' }],
    ];
    for (const [name, options] of variants) {
      const store = await openStore(folder, options);
      const snapshot = await store.snapshot();
      // as the store wrote it
      const calibration = (await store.getMeta(calibrationKey)) as SignCalibration | undefined;
      const method = chooseMethod(rows, new SignCode(dims), dims, calibration, options);
      const expected = { 'signs + resident vectors': 'signs', 'signs + vectors from disk': 'signs-and-disk' }[name];
      if (expected === undefined || expected === method) {
        const { found, firstMs, p50Ms } = await timed(snapshot, queries);
        truth ??= Float32Array.from(found, ({ cosines }) => cosines.at(-1)!);
        const recalls = found.map(({ cosines }, q) => cosines.filter((c) => c >= truth![q]! - 1e-6).length / limit);
        lines.push({
          ...{ data: kind, dims, rows, method: name === 'as chosen' ? `as chosen: ${method}` : name },
          candidates: calibration?.candidates,
          recall: mean(recalls),
          worst: Math.min(...recalls),
          ...{ p50Ms, firstMs },
        });
      }
      await store.close();
    }
    return lines;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const list = (text: string): string[] => text.split(',').filter((part) => part !== '');
if (values.one) {
  console.log(JSON.stringify(await measureOne(values.data, Number(values.dims), Number(values.rows))));
} else {
  const lines: Line[] = [];
  for (const dims of list(values.dims)) {
    for (const rows of list(values.rows)) {
      for (const data of list(values.data)) {
        const shape = ['--one', '--dims', dims, '--rows', rows, '--data', data];
        const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...shape], { encoding: 'utf8' });
        if (run.status !== 0) throw new Error(`${shape.join(' ')}: ${run.stderr}`);
        const measured = JSON.parse(run.stdout) as Line[]; // printed by the run above
        lines.push(...measured);
        for (const line of measured) {
          const { recall, worst, p50Ms, firstMs, method, candidates = '-' } = line;
          const name = `${data.padEnd(9)} ${dims.padStart(4)} × ${rows.padStart(7)} ${method.padEnd(26)} k ${String(candidates).padStart(4)}`;
          console.log(
            `${name}  recall@10 ${recall.toFixed(4)} (worst ${worst})  p50 ${p50Ms.toFixed(2)} ms  first ${firstMs.toFixed(0)} ms`,
          );
        }
      }
    }
  }
  if (values.save)
    writeResults(
      'vector',
      `node bench/speed/vector.ts --rows ${values.rows} --dims ${values.dims} --data ${values.data}`,
      lines,
    );
}
