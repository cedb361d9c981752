/**
 * The cost in quality of a shortcut after an edit. ibid embeds an edited document again as a whole, since each of its
 * vectors knew the text that changed. The shortcut embeds the edited chunk alone, with k chunks of context on each
 * side, and leaves the other vectors as they were.
 *
 *   node bench/quality/service-edits.ts [--only name,name] [--write]
 *
 * In every document with a judged chunk, that chunk is edited: before the edit, text of another document stood there.
 * Two groups of queries are asked: queries for edited chunks, and queries for chunks beside one only. Requests go
 * through the real client to a stand-in service with two models: hashed words, with a quarter of the surroundings
 * mixed in (eight chunks on each side), and the local embedder, trained on the collection (three chunks).
 *
 * The bench shows how far stale neighbours and a short context move a ranking, when context is an average of nearby
 * text. It cannot show the loss with a transformer that reads the whole document: read the figures as a lower bound.
 */
import { join } from 'node:path';
import { evaluateRun } from '../../src/eval.ts';
import type { EmbedDocument, Embedder } from '../../src/index.ts';
import {
  comparePaired,
  hash32,
  mean,
  openLocalEmbedder,
  openServiceEmbedder,
  search,
  trainLocalEmbedder,
} from '../../src/internal.ts';
import { createSearchService } from '../../src/wire.ts';
import { hashedEmbedder, type ServedEmbedder } from '../../test/wire/service/search/embedder.ts';
import { startService } from '../../test/wire/service/service.ts';
import { dataFolder } from '../support/data-folder.ts';
import { readFlags } from '../support/flags.ts';
import { writeResults } from '../support/report.ts';
import { embedDocumentsOf, storedSnapshot } from '../support/stored-snapshot.ts';
import { type Collection, loadCollection } from './collections.ts';

const { values: flags } = readFlags(import.meta.filename, {
  options: {
    only: { type: 'string', default: 'codebase-chunks,chunk-spans,eslint-sections' },
    write: { type: 'boolean', default: false },
  },
});
const REACHES = [0, 1, 2, 4, 8];
const LARGEST_DIMENSIONS = 1024;

type Rows = readonly (readonly Int8Array[])[];

/**
 * The chunk that is edited in each document: the first that a query looks for; -1 where there is none, or nothing
 * beside it.
 */
function editedChunks({ documents, ids, qrels }: Collection): number[] {
  const wanted = new Set(
    [...qrels.values()].flatMap((grades) => [...grades].flatMap(([id, g]) => (g > 0 ? [id] : []))),
  );
  let row = 0;
  return documents.map(({ chunks }) => {
    const first = row;
    row += chunks.length;
    return chunks.length < 2 ? -1 : chunks.findIndex((_, i) => wanted.has(ids[first + i]!));
  });
}

/** The documents as they were: where the edited chunk stands now, a chunk of another document stood. */
function before(documents: readonly EmbedDocument[], edited: readonly number[]): EmbedDocument[] {
  return documents.map((document, i) => {
    if (edited[i]! < 0) return document;
    const other = documents[(i + 1 + (hash32(`${i}`) % (documents.length - 1))) % documents.length]!;
    const stood = other.chunks[hash32(`chunk ${i}`) % other.chunks.length]!;
    return {
      ...document,
      chunks: document.chunks.map((chunk, at) => (at === edited[i] ? { ...chunk, text: stood.text } : chunk)),
    };
  });
}

async function shortcut(
  embedder: Embedder,
  now: readonly EmbedDocument[],
  old: Rows,
  edited: readonly number[],
  reach: number,
): Promise<Rows> {
  const cut = now.flatMap((document, i) => {
    const at = edited[i]!;
    if (at < 0) return [];
    const from = Math.max(0, at - reach);
    return [{ i, at, from, document: { ...document, chunks: document.chunks.slice(from, at + reach + 1) } }];
  });
  const rows = await embedder.embedDocuments(cut.map(({ document }) => document));
  const result = old.map((vectors) => [...vectors]);
  cut.forEach(({ i, at, from }, n) => {
    result[i]![at] = rows[n]![at - from]!;
  });
  return result;
}

async function scores(collection: Collection, embedder: Embedder, rows: Rows, queries: Collection['queries']) {
  const given: Embedder = {
    ...embedder,
    id: embedder.id,
    dimensions: embedder.dimensions,
    limits: embedder.limits,
    embedDocuments: async () => rows,
    embedQuery: (query) => embedder.embedQuery(query),
    close: async () => {},
  };
  const snapshot = await storedSnapshot(collection.documents, given);
  const firsts = new Map<string, number>();
  let row = 0;
  for (const { uri, chunks } of collection.documents) {
    firsts.set(uri, row);
    row += chunks.length;
  }
  const qrels = new Map(queries.map(({ id }) => [id, collection.qrels.get(id)!]));
  const perQuery = async (mode: 'dense' | 'hybrid'): Promise<readonly number[]> => {
    const run = new Map<string, string[]>();
    for (const { id, text } of queries) {
      const hits = await search(snapshot, given, text, { mode, limit: 10, distinct: false });
      run.set(
        id,
        hits.map(({ chunk }) => collection.ids[firsts.get(chunk.uri)! + chunk.position]!),
      );
    }
    return evaluateRun(qrels, run, ['nDCG@10']).perQuery['nDCG@10']!;
  };
  return { dense: await perQuery('dense'), hybrid: await perQuery('hybrid') };
}

/**
 * Queries that look for an edited chunk, and those that look only for chunks beside one, whose vectors the shortcut
 * leaves stale.
 */
function groupsOf(
  { documents, ids, queries, qrels }: Collection,
  edited: readonly number[],
): Readonly<Record<string, Collection['queries']>> {
  const kinds = new Map<string, 'edited' | 'beside'>();
  let row = 0;
  documents.forEach(({ chunks }, i) => {
    for (const at of edited[i]! < 0 ? [] : chunks.keys())
      kinds.set(ids[row + at]!, at === edited[i] ? 'edited' : 'beside');
    row += chunks.length;
  });
  const looksFor = (id: string, kind: string): boolean =>
    [...qrels.get(id)!].some(([chunk, grade]) => grade > 0 && kinds.get(chunk) === kind);
  return {
    'looking for the edited chunk': queries.filter(({ id }) => looksFor(id, 'edited')),
    'looking for a chunk beside it': queries.filter(({ id }) => !looksFor(id, 'edited') && looksFor(id, 'beside')),
  };
}

async function measure(
  collection: Collection,
  served: ServedEmbedder,
  dimensions: number,
): Promise<Record<string, unknown>> {
  const service = await startService({ only: ['search'], search: { embedder: served, rateLimit: 1_000_000 } });
  const client = createSearchService({ apiKey: 'test-search-key', baseUrl: service.url });
  const embedder = openServiceEmbedder(client, { model: 'embed-context-v1-0.6b', dimensions });
  try {
    const now = embedDocumentsOf(collection.documents);
    const edited = editedChunks(collection);
    const groups = groupsOf(collection, edited);
    await embedder.embedQueries(collection.queries.map(({ text }) => text));
    const old = await embedder.embedDocuments(before(now, edited));
    const fresh = await embedder.embedDocuments(now);
    const edits = edited.filter((at) => at >= 0).length;
    const chunks = now.reduce((sum, { chunks }, i) => sum + (edited[i]! >= 0 ? chunks.length : 0), 0);
    const results: Record<string, unknown> = { edits, chunksPerEdit: chunks / edits };
    for (const [group, queries] of Object.entries(groups)) {
      if (queries.length === 0) continue;
      const whole = await scores(collection, embedder, fresh, queries);
      const shortcuts: Record<string, unknown> = {};
      for (const reach of REACHES) {
        const cut = await scores(collection, embedder, await shortcut(embedder, now, old, edited, reach), queries);
        const difference = (mode: 'dense' | 'hybrid') => comparePaired(whole[mode], cut[mode]);
        shortcuts[`±${reach}`] = { dense: difference('dense'), hybrid: difference('hybrid') };
      }
      results[group] = {
        queries: queries.length,
        whole: { dense: mean(whole.dense), hybrid: mean(whole.hybrid) },
        shortcuts,
      };
    }
    return results;
  } finally {
    await client.close();
    await service.close();
  }
}

async function localService(
  collection: Collection,
): Promise<{ readonly served: ServedEmbedder; close(): Promise<void> }> {
  const local = openLocalEmbedder(await trainLocalEmbedder(embedDocumentsOf(collection.documents)));
  return {
    served: {
      embed: (documents) =>
        local.embedDocuments(
          documents.map((chunks) => ({ title: '', chunks: chunks.map((text) => ({ text, headings: [] })) })),
        ),
    },
    close: async () => await local.close?.(),
  };
}

const root = dataFolder(import.meta.filename, undefined, 'data');
const all: Record<string, Record<string, Record<string, unknown>>> = {};
for (const name of flags.only.split(',')) {
  const collection = await loadCollection(join(root, name));
  const { served, close } = await localService(collection);
  all[name] = {
    'hashed words': await measure(collection, hashedEmbedder, LARGEST_DIMENSIONS),
    'local embedder': await measure(collection, served, 256),
  };
  await close();
  for (const [model, results] of Object.entries(all[name])) {
    console.log(`${name}, ${model}`);
    for (const [key, value] of Object.entries(results)) console.log(`  ${key.padEnd(30)}${JSON.stringify(value)}`);
  }
  // after each: the larger collections take long
  if (flags.write)
    writeResults('service-edits', `node bench/quality/service-edits.ts ${process.argv.slice(2).join(' ')}`, all);
}
