/**
 * Ranking quality over every collection in BEIR layout under a folder: plain BM25, ibid without vectors, vectors alone, hybrid.
 *
 *   node bench/quality/retrieval.ts [folder] [--only name,name] [--every n] [--titles none] [--left-out] [--json] [--write]
 *
 * The folder is `IBID_SHARED`/data unless given. `--every n` takes every nth query; `--titles none` replaces titles by numbers, which must
 * not cost more than the titles were worth; `--left-out` adds nDCG@10 of each collection under weights fitted on the others; `--write` keeps the figures in `bench/results/`.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { evaluateRun, type MetricName, type Run } from '../../src/eval/evaluate.ts';
import { type SearchOptions, search } from '../../src/retrieve/search.ts';
import { writeResults } from '../support/report.ts';
import { type Collection, indexInMemory, loadCollection } from './collections.ts';
import { fitSet, leaveOneOut } from './left-out.ts';
import { PlainBm25 } from './plain-bm25.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    every: { type: 'string', default: '1' },
    titles: { type: 'string', default: 'own' },
    'left-out': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const metrics = ['nDCG@10', 'recall@10', 'recall@100', 'MRR@10'] as const satisfies readonly MetricName[];
const variants: Readonly<Record<string, SearchOptions>> = {
  lexical: { mode: 'lexical' },
  dense: { mode: 'dense' },
  hybrid: { mode: 'hybrid' },
};

async function measure(collection: Collection): Promise<Record<string, Record<string, number>>> {
  const { documents, ids, queries, qrels } = collection;
  const { snapshot, embedder } = await indexInMemory(collection);
  const score = (run: Run): Record<string, number> => {
    const { metrics: means } = evaluateRun(qrels, run, metrics);
    return Object.fromEntries(metrics.map((metric) => [metric, means[metric] ?? 0]));
  };
  const grouped = documents.some(({ chunks }) => chunks.length > 1);
  const bm25 = new PlainBm25(
    documents.flatMap(({ title, chunks }) => chunks.map(({ text }) => (grouped ? text : `${title} ${text}`))),
  );
  const results: Record<string, Record<string, number>> = {
    BM25: score(new Map(queries.map(({ id, text }) => [id, bm25.search(text, 100).map((row) => ids[row]!)]))),
  };
  const firstOf = new Map<string, number>();
  let row = 0;
  for (const { uri, chunks } of documents) {
    firstOf.set(uri, row);
    row += chunks.length;
  }
  for (const [name, options] of Object.entries(variants)) {
    const run = new Map<string, string[]>();
    const started = performance.now();
    for (const { id, text } of queries) {
      const hits = await search(snapshot, embedder, text, { ...options, limit: 100, distinct: false });
      run.set(
        id,
        hits.map(({ chunk }) => ids[firstOf.get(chunk.uri)! + chunk.position]!),
      );
    }
    results[name] = { ...score(run), 'ms/query': (performance.now() - started) / queries.length };
  }
  return results;
}

const root = resolve(positionals[0] ?? join(process.env.IBID_SHARED ?? '../shared', 'data'));
const only = flags.only?.split(',');
const names = readdirSync(root)
  .filter((name) => existsSync(join(root, name, 'qrels/test.tsv')) && (only === undefined || only.includes(name)))
  .sort();
const all: Record<string, Record<string, Record<string, number>>> = {};
const sets: Record<string, Awaited<ReturnType<typeof fitSet>>> = {};
for (const name of names) {
  const collection = await loadCollection(join(root, name), {
    every: Number(flags.every),
    withoutTitles: flags.titles === 'none',
  });
  all[name] = await measure(collection);
  if (flags['left-out']) sets[name] = await fitSet(collection);
  console.error(`${name} done`);
}
const leftOut = await leaveOneOut(sets);
for (const [name, { score }] of Object.entries(leftOut)) all[name]!['left out'] = { 'nDCG@10': score };
if (flags.write) {
  const name = flags.titles === 'none' ? 'retrieval-without-titles' : 'retrieval';
  const given = process.argv.slice(2).join(' ');
  writeResults(name, `node bench/quality/retrieval.ts ${given}`, all);
  if (flags['left-out']) {
    writeResults(
      'retrieval-left-out',
      `node bench/quality/retrieval.ts ${given}`,
      Object.fromEntries(
        Object.entries(leftOut).map(([left, fitted]) => [
          left,
          { ...fitted, hybrid: all[left]!.hybrid!['nDCG@10'], lexical: all[left]!.lexical!['nDCG@10'] },
        ]),
      ),
    );
  }
}
if (flags.json) console.log(JSON.stringify(all, null, 2));
else {
  for (const metric of [...metrics, 'ms/query']) {
    console.log(`\n${metric.padEnd(12)}${names.map((name) => name.slice(0, 11).padStart(12)).join('')}        mean`);
    for (const variant of ['BM25', ...Object.keys(variants), 'left out']) {
      const values = names.map((name) => all[name]![variant]?.[metric] ?? Number.NaN);
      if (values.every(Number.isNaN)) continue;
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      console.log(
        `${variant.padEnd(12)}${values.map((value) => value.toFixed(4).padStart(12)).join('')}${mean.toFixed(4).padStart(12)}`,
      );
    }
  }
}
