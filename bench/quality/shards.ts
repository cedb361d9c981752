/**
 * Whether an index of shards ranks as one index: every judged collection below a folder, once as one index and once as so
 * many shards, searched in threads.
 *
 *     node bench/quality/shards.ts [--data folder] [--only scifact] [--changed] [--shards 2,4,16] [--threads 2] [--out file]
 *
 * `--changed`: before the ingest that is searched comes one of other texts, of which some are changed, some removed, and
 * to which some are added.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BeirDataset, beirSource, type CorpusEntry, evaluateRun, readBeirFolder } from '../../src/eval.ts';
import { openIndex, type SearchIndex } from '../../src/index.ts';
import { dataFolder } from '../support/data-folder.ts';
import { readFlags } from '../support/flags.ts';

const { values } = readFlags(import.meta.filename, {
  options: {
    data: { type: 'string' },
    only: { type: 'string' },
    changed: { type: 'boolean', default: false },
    shards: { type: 'string', default: '2,4,16' },
    threads: { type: 'string', default: '2' },
    out: { type: 'string' },
  },
});

interface Ranked {
  readonly nDCG: number;
  /** The first hundred hits of each query, by citation. */
  readonly hits: ReadonlyMap<string, readonly string[]>;
  readonly ms: number;
}

/** Of hits with equal scores, another may come first after changes. */
function scoresIn(list: readonly string[]): string {
  return list.map((hit) => hit.split(' ').at(-1)).join(' ');
}

/** @param ids of the entries of a collection, by uri and position of their chunk */
async function ranked(
  index: SearchIndex,
  { queries, qrels }: BeirDataset,
  ids: ReadonlyMap<string, string>,
): Promise<Ranked> {
  const text = new Map(queries.map((query) => [query.id, query.text]));
  const run = new Map<string, string[]>();
  const hits = new Map<string, string[]>();
  const startedAt = performance.now();
  for (const id of qrels.keys()) {
    const found = await index.search(text.get(id)!, { limit: 100 });
    run.set(
      id,
      found.hits.flatMap(({ chunk: { uri, position } }) => ids.get(`${uri} ${position}`) ?? []),
    );
    hits.set(
      id,
      found.hits.map(({ chunk: { uri, span }, score }) => `${uri}#${span.start} ${score}`),
    );
  }
  const ms = (performance.now() - startedAt) / qrels.size;
  const scores = evaluateRun(qrels, run, ['nDCG@10']).perQuery['nDCG@10']!;
  return { nDCG: scores.reduce((sum, one) => sum + one, 0) / scores.length, hits, ms };
}

/** Two thirds of the entries, half of them with half their text and a copy under another name. */
function earlier({ corpus, entryAt: _, ...rest }: BeirDataset): BeirDataset {
  async function* entries(): AsyncGenerator<CorpusEntry> {
    let number = 0;
    for await (const entry of corpus) {
      const kind = number++ % 3;
      if (kind === 1) yield entry;
      if (kind !== 2) continue;
      const text = rest.documents ? entry.text : entry.text.slice(0, entry.text.length / 2);
      yield* [
        { ...entry, text },
        { ...entry, id: `${entry.id} once more` },
      ];
    }
  }
  return { ...rest, corpus: { [Symbol.asyncIterator]: entries } };
}

const data = dataFolder(import.meta.filename, values.data, 'data');
const rows: Record<string, string | number>[] = [];
const root = mkdtempSync(join(tmpdir(), 'ibid-shards-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));
for (const name of readdirSync(data)) {
  if (values.only !== undefined && name !== values.only) continue;
  const folder = join(data, name);
  const isJudged = ['corpus.jsonl', 'corpus.jsonl.gz'].some((file) => existsSync(join(folder, file)));
  if (!isJudged || !existsSync(join(folder, 'queries.jsonl'))) continue;
  const dataset = await readBeirFolder(folder);
  let one: Ranked | undefined;
  for (const shards of [undefined, ...values.shards.split(',').map(Number)]) {
    const address = join(root, `${name}-${shards ?? 'one'}`);
    const threads = shards === undefined ? 1 : Number(values.threads);
    {
      await using index = await openIndex(address, { create: true, shards, threads });
      const ids = new Map<string, string>();
      const note = beirSource(dataset, ({ id, chunks }) => {
        for (const [i, chunk] of chunks.entries()) ids.set(`${id} ${i}`, chunk.id);
      });
      if (values.changed) await index.ingest(beirSource(earlier(dataset)));
      await index.ingest(note);
      await index.search('warm up'); // starts the threads
      await new Promise((resolve) => setTimeout(resolve, threads > 1 ? 3000 : 0));
      const found = await ranked(index, dataset, ids);
      one ??= found;
      const { hits: all } = one;
      const same = [...found.hits].filter(([id, list]) => list.join('\n') === all.get(id)!.join('\n'));
      const row = {
        collection: name,
        shards: shards ?? 'one index',
        queries: found.hits.size,
        'nDCG@10': found.nDCG.toFixed(5),
        difference: (found.nDCG - one.nDCG).toFixed(5),
        'same hits and scores': same.length,
        'same scores': [...found.hits].filter(([id, list]) => scoresIn(list) === scoresIn(all.get(id)!)).length,
        'ms a query': found.ms.toFixed(2),
      };
      rows.push(row);
      console.log(JSON.stringify(row));
    }
    rmSync(address, { recursive: true, force: true });
  }
}
if (values.out) writeFileSync(values.out, `${JSON.stringify(rows, null, 2)}\n`);
