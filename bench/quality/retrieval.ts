/**
 * Ranking quality over every collection in BEIR layout under a folder: plain BM25, ibid without vectors, vectors alone, hybrid.
 *
 *   node bench/quality/retrieval.ts [folder] [--only name,name] [--every n] [--titles none] [--json] [--write]
 *
 * The folder is `IBID_SHARED`/data unless given. `--every n` takes every nth query; `--titles none` replaces titles by numbers, which must
 * not cost more than the titles were worth; `--write` keeps the figures in `bench/results/`.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { EmbedDocument } from '../../src/embed/contract.ts';
import { openLocalEmbedder, trainLocalEmbedder } from '../../src/embed/local-embedder.ts';
import { groupCorpus, readBeirFolder } from '../../src/eval/beir.ts';
import { evaluateRun, judgedQueryIds, type MetricName, type Run } from '../../src/eval/evaluate.ts';
import { type SearchOptions, search } from '../../src/retrieve/search.ts';
import { type MemoryDocument, memorySnapshot } from '../../test/support/memory-snapshot.ts';
import { writeResults } from '../support/report.ts';
import { PlainBm25 } from './plain-bm25.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    every: { type: 'string', default: '1' },
    titles: { type: 'string', default: 'own' },
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

interface Collection {
  readonly name: string;
  readonly ids: readonly string[];
  readonly documents: readonly MemoryDocument[];
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  readonly qrels: Awaited<ReturnType<typeof readBeirFolder>>['qrels'];
}

async function load(folder: string): Promise<Collection> {
  const dataset = await readBeirFolder(folder);
  const documents: MemoryDocument[] = [];
  const ids: string[] = [];
  for await (const { id, title, chunks } of groupCorpus(dataset)) {
    documents.push({
      uri: id,
      title: flags.titles === 'none' ? `doc-${documents.length}` : title,
      chunks: chunks.map(({ text, heading }) => ({ text, headings: heading === undefined ? [] : [heading] })),
    });
    ids.push(...chunks.map((chunk) => chunk.id));
  }
  const judged = judgedQueryIds(dataset.qrels);
  const taken = new Set(judged.filter((_, i) => i % Number(flags.every) === 0));
  return {
    name: basename(folder),
    ids,
    documents,
    queries: dataset.queries.filter(({ id }) => taken.has(id)),
    qrels: new Map([...dataset.qrels].filter(([id]) => taken.has(id))),
  };
}

async function measure(collection: Collection): Promise<Record<string, Record<string, number>>> {
  const { documents, ids, queries, qrels } = collection;
  const plain: EmbedDocument[] = documents.map(({ title, chunks }) => ({
    title,
    chunks: chunks.map(({ text, headings = [] }) => ({ text, headings })),
  }));
  const embedder = openLocalEmbedder(await trainLocalEmbedder(plain));
  const snapshot = await memorySnapshot(documents, { embedder });
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
for (const name of names) {
  all[name] = await measure(await load(join(root, name)));
  console.error(`${name} done`);
}
if (flags.write) {
  const name = flags.titles === 'none' ? 'retrieval-without-titles' : 'retrieval';
  writeResults(name, `node bench/quality/retrieval.ts${flags.titles === 'none' ? ' --titles none' : ''} --write`, all);
}
if (flags.json) console.log(JSON.stringify(all, null, 2));
else {
  for (const metric of [...metrics, 'ms/query']) {
    console.log(`\n${metric.padEnd(12)}${names.map((name) => name.slice(0, 11).padStart(12)).join('')}        mean`);
    for (const variant of ['BM25', ...Object.keys(variants)]) {
      const values = names.map((name) => all[name]![variant]![metric] ?? Number.NaN);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      console.log(
        `${variant.padEnd(12)}${values.map((value) => value.toFixed(4).padStart(12)).join('')}${mean.toFixed(4).padStart(12)}`,
      );
    }
  }
}
