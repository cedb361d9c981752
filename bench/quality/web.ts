/**
 * The cost in ranking quality of merging the web. Each collection is split by document into a local half, which is
 * indexed, and a half that only a simulated web search knows. The merged ranking is compared with one index over both
 * halves, and with the local half alone.
 *
 *   node bench/quality/web.ts [folder] [--only name,name] [--every n] [--share 0.5] [--seeds 1,2] [--limit 20]
 *     [--engine words] [--variants one|ours] [--reply grouped|flat] [--extracts budget|words] [--least-rows n]
 *     [--show query|worse] [--write]
 *
 * The simulated search is plain BM25 over whole pages. `--engine words` takes the lexical mode of an index over them
 * instead, which is nearer to a search engine of the real web. The search gives the best pages (20 at most), and of
 * each page passages up to 4,096 tokens: those that hold a word of the query, best first, then the others, which
 * `--extracts words` leaves out. A relevant page beyond the 20 is lost to the merged list; therefore one request asks
 * several variants of the query. `--variants one` asks the query itself alone. `--reply flat` is a service that gives one
 * list of 20 for all variants, as some have seen it. `--least-rows` is from how many rows on the local half alone tells
 * how rare words are. `--show` prints the hits of a query, by its id, or the queries that merging makes worse.
 *
 * `reachable` is the score of one index that saw nothing but the local half and those pages. The local embedder is
 * trained on the local half alone. There is no cap per site, since collections have no sites.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { evaluateRun, type Run } from '../../src/eval.ts';
import type { WebList, WebPage } from '../../src/index.ts';
import {
  cleanWebText,
  countTokens,
  hash32,
  mean,
  mergedSearch,
  mergePages,
  type OverlayDocument,
  queryVariants,
  search,
  TOKENS_PER_PAGE,
  WebPages,
} from '../../src/internal.ts';
import { dataFolder } from '../support/data-folder.ts';
import { readFlags, wrongUse } from '../support/flags.ts';
import { writeResults } from '../support/report.ts';
import { type Collection, indexCollection, loadCollection } from './collections.ts';
import { PlainBm25 } from './plain-bm25.ts';

const { values: flags, positionals } = readFlags(import.meta.filename, {
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    every: { type: 'string', default: '1' },
    share: { type: 'string', default: '0.5' },
    seeds: { type: 'string' },
    limit: { type: 'string', default: '20' },
    'least-rows': { type: 'string' },
    extracts: { type: 'string', default: 'budget' },
    engine: { type: 'string', default: 'bm25' },
    variants: { type: 'string', default: 'ours' },
    reply: { type: 'string', default: 'grouped' },
    show: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

const DEPTH = 50;
/** Collections come cut: a passage stays what it is in the one index, so that only the merging differs. */
const asTheyAre = { maxTokens: 100_000, minTokens: 0 };

interface Half {
  readonly collection: Collection;
  /** Chunk ids of each document. */
  readonly idsOf: ReadonlyMap<string, readonly string[]>;
}

function halves(collection: Collection, share: number, seed: number): { local: Half; web: Half } {
  const parts = { local: part(collection), web: part(collection) };
  let row = 0;
  for (const document of collection.documents) {
    const isLocal = hash32(document.uri, seed) / 2 ** 32 < share;
    const { documents, ids, idsOf } = isLocal ? parts.local : parts.web;
    const own = collection.ids.slice(row, row + document.chunks.length);
    documents.push(document);
    ids.push(...own);
    idsOf.set(document.uri, own);
    row += own.length;
  }
  const half = ({ documents, ids, idsOf }: ReturnType<typeof part>): Half => ({
    collection: { ...collection, documents, ids },
    idsOf,
  });
  return { local: half(parts.local), web: half(parts.web) };
}

function part(_: Collection): {
  documents: Collection['documents'][number][];
  ids: string[];
  idsOf: Map<string, string[]>;
} {
  return { documents: [], ids: [], idsOf: new Map() };
}

/** A web of the half's documents, each a site of its own. */
class SimulatedWeb {
  readonly #documents: Collection['documents'];
  readonly #pages: PlainBm25;
  /** Pages by the lexical mode of an index over them, best passage first; `undefined` until `useWords`. */
  #byWords: ((query: string, limit: number) => Promise<readonly number[]>) | undefined;
  readonly #byUrl = new Map<string, { readonly uri: string; readonly texts: readonly string[] }>();

  constructor({ collection: { documents } }: Half) {
    this.#documents = documents;
    this.#pages = new PlainBm25(
      documents.map(({ title, chunks }) => [title, ...chunks.map(({ text }) => text)].join('\n')),
    );
    documents.forEach(({ uri, chunks }, i) => {
      this.#byUrl.set(addressOf(i, uri), { uri, texts: chunks.map(({ text }) => cleanWebText(text)) });
    });
  }

  async useWords(collection: Collection): Promise<void> {
    const { snapshot } = await indexCollection(collection);
    const rows = new Map(this.#documents.map(({ uri }, row) => [uri, row]));
    this.#byWords = async (query, limit) => {
      const hits = await search(snapshot, undefined, query, { mode: 'lexical', limit: 200, distinct: false });
      return [...new Set(hits.map(({ chunk }) => rows.get(chunk.uri)!))].slice(0, limit);
    };
  }

  async search(query: string, limit: number): Promise<WebList> {
    const named = (await this.#byWords?.(query, limit)) ?? this.#pages.search(query, limit);
    const pages = named.map((row): WebPage => {
      const { uri, title, chunks } = this.#documents[row]!;
      const texts = chunks.map(({ text, headings = [] }) => ({ text, headings }));
      const passages = new PlainBm25(texts.map(({ text, headings }) => `${headings.join(' ')} ${text}`));
      let left = TOKENS_PER_PAGE;
      const extracts: string[] = [];
      const order = passages.search(query, texts.length);
      if (flags.extracts === 'budget') order.push(...[...texts.keys()].filter((i) => !order.includes(i)));
      for (const i of order) {
        left -= countTokens(texts[i]!.text);
        if (left < 0 && extracts.length > 0) break;
        extracts.push(texts[i]!.text);
      }
      return {
        url: addressOf(row, uri),
        title,
        extracts: extracts.length > 0 ? extracts : texts.slice(0, 1).map(({ text }) => text),
      };
    });
    return { query, pages };
  }

  /** Documents, and which of their chunks a passage repeats. */
  chunksIn(url: string, passage: string): { readonly uri: string; readonly positions: readonly number[] } {
    const { uri, texts } = this.#byUrl.get(url)!;
    const text = passage.trim();
    const positions = texts.flatMap((own, i) => (own !== '' && (own.includes(text) || text.includes(own)) ? [i] : []));
    return { uri, positions };
  }
}

function addressOf(row: number, uri: string): string {
  return new URL(uri.split('/').map(encodeURIComponent).join('/'), `https://d${row}.example/`).href;
}

/** One list of several, by rank, each page once. */
function flat(lists: readonly WebList[], limit: number): WebList {
  const pages = new Map<string, WebPage>();
  for (let rank = 0; rank < limit; rank++) {
    for (const list of lists) {
      const page = list.pages[rank];
      if (page && !pages.has(page.url)) pages.set(page.url, page);
    }
  }
  return { query: lists[0]!.query, pages: [...pages.values()].slice(0, limit) };
}

async function measure(whole: Collection, seed: number): Promise<Record<string, number>> {
  const { queries, qrels } = whole;
  const { local, web } = halves(whole, Number(flags.share), seed);
  const score = (run: Run): number => evaluateRun(qrels, run, ['nDCG@10']).metrics['nDCG@10'] ?? 0;
  const leastRows = flags['least-rows'] === undefined ? undefined : Number(flags['least-rows']);

  const one = await indexCollection(whole);
  const single: Map<string, string[]> = new Map();
  const reachable: Map<string, string[]> = new Map();
  const index = await indexCollection(local.collection);
  const localOnly: Map<string, string[]> = new Map();
  const merged: Map<string, string[]> = new Map();
  const simulated = new SimulatedWeb(web);
  if (flags.engine === 'words') await simulated.useWords(web.collection);
  const localIds = new Set(local.collection.ids);
  let ms = 0;
  let found = 0;
  let wanted = 0;
  const wholeIds = new Map<string, readonly string[]>([...local.idsOf, ...web.idsOf]);
  const idOf = (uri: string, position: number): string => wholeIds.get(uri)![position]!;
  for (const { id, text } of queries) {
    const hits = await search(one.snapshot, one.embedder, text, { limit: 300, distinct: false });
    const ids = hits.map(({ chunk }) => idOf(chunk.uri, chunk.position));
    single.set(id, ids.slice(0, DEPTH));
    const own = await search(index.snapshot, index.embedder, text, { limit: DEPTH, distinct: false });
    localOnly.set(
      id,
      own.map(({ chunk }) => idOf(chunk.uri, chunk.position)),
    );

    const variants = flags.variants === 'one' ? [text] : await queryVariants(text, index.snapshot.lexical);
    const lists: WebList[] = [];
    for (const variant of variants) lists.push(await simulated.search(variant, Number(flags.limit)));
    const replied = flags.reply === 'flat' ? [flat(lists, Number(flags.limit))] : lists;
    const started = performance.now();
    const documents = new WebPages(asTheyAre).add(mergePages(replied, { nowMs: 0 }), '2026-01-01T00:00:00.000Z');
    const vectors = await index.embedder.embedDocuments(
      documents.map(({ snapshot, chunks }) => ({ title: snapshot.title, chunks })),
    );
    const overlays = documents.map((document, i): OverlayDocument => ({ document, vectors: vectors[i] }));
    const options = {
      limit: DEPTH,
      distinct: false,
      perSite: Number.MAX_SAFE_INTEGER,
      leastRows,
      explain: flags.show !== undefined,
    };
    const result = await mergedSearch(index.snapshot, index.embedder, text, overlays, options);
    ms += performance.now() - started;
    const seen = new Set<string>();
    for (const { chunk, origin } of result.hits) {
      if (origin === 'local') seen.add(idOf(chunk.uri, chunk.position));
      else {
        const { uri, positions } = simulated.chunksIn(chunk.uri, chunk.text);
        for (const position of positions) seen.add(idOf(uri, position));
      }
    }
    merged.set(id, [...seen]);
    if (flags.show === id) {
      for (const { chunk, origin, score, trace } of result.hits.slice(0, 8))
        console.log(
          origin,
          score.toFixed(3),
          chunk.title,
          '|',
          chunk.headings.join('>'),
          '|',
          chunk.text.slice(0, 80).replace(/\n/g, '⏎'),
          trace.map((t) => `${t.list} ${(t.value * t.weight).toFixed(2)}`).join(' '),
        );
    }

    const onWeb = new Set(
      documents.flatMap(({ chunks }) =>
        chunks.flatMap((chunk) => {
          const { uri, positions } = simulated.chunksIn(chunk.uri, chunk.text);
          return positions.map((position) => idOf(uri, position));
        }),
      ),
    );
    if (flags.show === 'worse') {
      const [a, b] = [single, merged].map(
        (run) =>
          evaluateRun(new Map([[id, qrels.get(id)!]]), new Map([[id, run.get(id)!]]), ['nDCG@10']).metrics['nDCG@10'] ??
          0,
      );
      if (b! < a! - 0.2)
        console.log(
          id,
          a!.toFixed(2),
          b!.toFixed(2),
          text,
          [...qrels.get(id)!.keys()].map(
            (one) =>
              `${one} ${localIds.has(one) ? 'local' : onWeb.has(one) ? 'web' : 'lost'} ${single.get(id)!.indexOf(one)} ${merged.get(id)!.indexOf(one)}`,
          ),
        );
    }
    reachable.set(id, ids.filter((one) => localIds.has(one) || onWeb.has(one)).slice(0, DEPTH));
    for (const [relevant, grade] of qrels.get(id) ?? []) {
      if (grade <= 0 || localIds.has(relevant)) continue;
      wanted++;
      if (onWeb.has(relevant)) found++;
    }
  }
  await one.embedder.close?.();
  await index.embedder.close?.();
  return {
    'local half': score(localOnly),
    'one index': score(single),
    reachable: score(reachable),
    merged: score(merged),
    difference: score(merged) - score(single),
    'web recall': wanted === 0 ? 0 : found / wanted,
    'ms/query': ms / queries.length,
  };
}

const root = dataFolder(import.meta.filename, positionals[0], 'data');
const only = flags.only?.split(',');
const names = readdirSync(root)
  .filter((name) => existsSync(join(root, name, 'qrels/test.tsv')) && (only === undefined || only.includes(name)))
  .sort();
if (names.length === 0) wrongUse(import.meta.filename, `there is no such collection in ${root}`);
const seeds = (flags.seeds ?? '1').split(',').map(Number);
const all: Record<string, Record<string, number>> = {};
for (const name of names) {
  const collection = await loadCollection(join(root, name), { every: Number(flags.every) });
  const rounds: Record<string, number>[] = [];
  for (const seed of seeds) rounds.push(await measure(collection, seed));
  all[name] = Object.fromEntries(Object.keys(rounds[0]!).map((key) => [key, mean(rounds.map((one) => one[key]!))]));
  if (rounds.length > 1) all[name]['worst difference'] = Math.min(...rounds.map((one) => one.difference!));
  console.log(
    `${name.padEnd(16)}${Object.entries(all[name])
      .map(([key, value]) => `${key} ${value.toFixed(key.startsWith('ms') ? 1 : 4)}`)
      .join('  ')}`,
  );
}
const below = Object.entries(all).filter(([, { difference }]) => difference! < -0.01);
console.log(
  below.length === 0
    ? 'merged is within 0.01 of one index everywhere'
    : `below: ${below.map(([name]) => name).join(', ')}`,
);
if (flags.write)
  writeResults(
    flags.engine === 'words' ? 'web-words' : 'web',
    `node bench/quality/web.ts ${process.argv.slice(2).join(' ')}`,
    all,
  );
