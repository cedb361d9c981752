/** One collection, ranked in every way worth comparing, scored and tested. */

import { Composer } from '../../src/embed/compose.ts';
import type { Embedder } from '../../src/embed/contract.ts';
import { decodeModel } from '../../src/embed/local-model.ts';
import type { Run } from '../../src/eval/evaluate.ts';
import { seededRandom } from '../../src/eval/statistics.ts';
import { type SearchOptions, search } from '../../src/retrieve/search.ts';
import { countTokens } from '../../src/text/tokens.ts';
import type { MemoryDocument } from '../../test/support/memory-snapshot.ts';
import type {
  QualityCollection,
  QualityComparison,
  QualityVariant,
  Skipped,
  VariantFamily,
} from '../support/run-file.ts';
import { openAlternatives } from './alternatives.ts';
import {
  budgetTokens,
  cannotCut,
  chunkSizes,
  evidenceWithin,
  rankByChunks,
  relevantStretches,
} from './chunk-variants.ts';
import { type Collection, indexInMemory, type MemoryIndex } from './collections.ts';
import { reciprocalRankFusion, type ScoredList, weightedSum } from './fusion.ts';
import { PlainBm25 } from './plain-bm25.ts';
import { compareVariants, runDepth, scoreVariant } from './score.ts';
import { vectorVariants } from './vector-variants.ts';

export const families: readonly VariantFamily[] = [
  'baseline',
  'main',
  'alternative',
  'control',
  'context',
  'fusion',
  'vectors',
  'chunks',
  'embedder',
];

export interface RemoteEmbedder {
  readonly name: string;
  open(): Embedder;
}

export interface MeasureOptions {
  /** @default all */
  readonly families?: readonly VariantFamily[];
  readonly remote?: readonly RemoteEmbedder[];
  /** Asked before each family beyond the main ones; false: its time is up. */
  readonly hasTime?: () => boolean;
  readonly progress?: (what: string) => void;
  readonly seed?: number;
}

/** Share of the relevant text in the first 1,000 tokens shown. */
export const evidenceMetric: string = `evidence@${budgetTokens}t`;

/** Ranks with scores, by query, as rows of the collection. */
type Lists = Map<string, ScoredList>;

export async function measureCollection(
  collection: Collection,
  options: MeasureOptions = {},
): Promise<QualityCollection> {
  const { progress = () => {}, seed = 1 } = options;
  const measurement = new Measurement(collection, options);
  const skipped: Skipped[] = [];
  for (const family of families) {
    if (options.families && !options.families.includes(family)) continue;
    const needed = family === 'main' || family === 'baseline' || family === 'alternative' || family === 'control';
    if (!needed && options.hasTime?.() === false) {
      skipped.push({ what: family, reason: 'the time for this run was up' });
      continue;
    }
    progress(`${collection.name}: ${family}`);
    skipped.push(...(await measurement.add(family)));
  }
  const { variants, documents, chunks } = measurement;
  return {
    name: collection.name,
    documents,
    chunks,
    queryIds: measurement.queryIds,
    variants,
    comparisons: comparisonsOf(variants, seed),
    skipped,
  };
}

/** Every variant against the main hybrid; vectors against int8, chunk sizes against the chunks as given. */
function comparisonsOf(variants: readonly QualityVariant[], seed: number): QualityComparison[] {
  const named = (name: string): QualityVariant | undefined => variants.find((variant) => variant.name === name);
  const hybrid = named('hybrid');
  const int8 = named('dense, int8 vectors');
  const given = named('hybrid, chunks as given');
  return variants.flatMap((variant) => {
    const base = variant.family === 'vectors' ? int8 : variant.family === 'chunks' ? given : hybrid;
    return base === undefined || base === variant ? [] : compareVariants(base, variant, seed);
  });
}

class Measurement {
  readonly variants: QualityVariant[] = [];
  readonly queryIds: readonly string[];
  readonly #collection: Collection;
  readonly #options: MeasureOptions;
  readonly #lists = new Map<string, Lists>();
  #index: Promise<MemoryIndex> | undefined;

  constructor(collection: Collection, options: MeasureOptions) {
    this.#collection = collection;
    this.#options = options;
    this.queryIds = [...collection.qrels]
      .filter(([, grades]) => [...grades.values()].some((grade) => grade > 0))
      .map(([id]) => id);
  }

  get documents(): number {
    return this.#collection.documents.length;
  }

  get chunks(): number {
    return this.#collection.ids.length;
  }

  get #grouped(): boolean {
    return this.#collection.documents.some(({ chunks }) => chunks.length > 1);
  }

  /** @returns what could not be measured, with the reason */
  async add(family: VariantFamily): Promise<Skipped[]> {
    switch (family) {
      case 'baseline':
        return this.#baseline();
      case 'main':
        return this.#main();
      case 'alternative':
        return this.#alternatives();
      case 'control':
        return this.#control();
      case 'context':
        return this.#context();
      case 'fusion':
        return this.#fusion();
      case 'vectors':
        return this.#vectors();
      case 'chunks':
        return this.#chunks();
      case 'embedder':
        return this.#embedders();
    }
  }

  #open(): Promise<MemoryIndex> {
    this.#index ??= indexInMemory(this.#collection);
    return this.#index;
  }

  /** Scores what `rank` gives: rows, or ids of the collection's units. */
  async #score(
    name: string,
    family: VariantFamily,
    rank: (query: string, id: string) => Promise<readonly (number | string)[]> | readonly (number | string)[],
    more: Readonly<Record<string, ReadonlyMap<string, number>>> = {},
  ): Promise<void> {
    const { ids, queries, qrels, queriesInCorpus } = this.#collection;
    const run = new Map<string, string[]>();
    const started = performance.now();
    for (const { id, text } of queries) {
      const ranking = (await rank(text, id)).map((row) => (typeof row === 'number' ? ids[row]! : row));
      run.set(id, (queriesInCorpus ? ranking.filter((other) => other !== id) : ranking).slice(0, runDepth));
    }
    const ms = (performance.now() - started) / (queries.length || 1);
    this.variants.push(scoreVariant(name, family, qrels, run satisfies Run, ms, more));
  }

  async #baseline(): Promise<Skipped[]> {
    const bm25 = new PlainBm25(this.#bareTexts());
    const lists: Lists = new Map();
    await this.#score('BM25', 'baseline', (query, id) => {
      const list = bm25.scored(query, runDepth);
      lists.set(id, list);
      return list.rows;
    });
    this.#lists.set('BM25', lists);
    return [];
  }

  /** What a search without any notion of documents sees: the chunk's text, with the title where the chunk is the document. */
  #bareTexts(): string[] {
    const grouped = this.#grouped;
    return this.#collection.documents.flatMap(({ title, chunks }) =>
      chunks.map(({ text }) => (grouped ? text : `${title} ${text}`)),
    );
  }

  async #main(): Promise<Skipped[]> {
    const index = await this.#open();
    for (const mode of ['lexical', 'dense', 'hybrid'] as const) {
      const lists: Lists = new Map();
      await this.#score(mode, 'main', async (query, id) => {
        const list = await this.#search(index, this.#collection.documents, query, { mode });
        lists.set(id, list);
        return list.rows;
      });
      this.#lists.set(mode, lists);
    }
    return [];
  }

  #firsts = new WeakMap<readonly MemoryDocument[], Map<string, number>>();

  async #search(
    { snapshot, embedder }: MemoryIndex,
    documents: readonly MemoryDocument[],
    query: string,
    options: SearchOptions,
  ): Promise<ScoredList> {
    let firstOf = this.#firsts.get(documents);
    if (firstOf === undefined) {
      firstOf = new Map();
      let row = 0;
      for (const { uri, chunks } of documents) {
        firstOf.set(uri, row);
        row += chunks.length;
      }
      this.#firsts.set(documents, firstOf);
    }
    const limit = runDepth + (this.#collection.queriesInCorpus ? 1 : 0);
    const hits = await search(snapshot, embedder, query, { ...options, limit, distinct: false });
    return {
      rows: hits.map(({ chunk }) => firstOf.get(chunk.uri)! + chunk.position),
      scores: hits.map(({ score }) => score),
    };
  }

  async #alternatives(): Promise<Skipped[]> {
    const documents = this.#collection.documents.flatMap(({ title, chunks }) =>
      chunks.map(({ text, headings = [] }) => ({ title, headings: headings.join(' '), text })),
    );
    const { opened, skipped } = await openAlternatives(documents);
    for (const { name, search: find } of opened) {
      await this.#score(name, 'alternative', (query) => find(query, runDepth + 1));
    }
    return [...skipped];
  }

  /** The hybrid's own hits in random order: whatever else is wrong with the scoring, this must come out low. */
  async #control(): Promise<Skipped[]> {
    const lists = this.#lists.get('hybrid');
    if (lists === undefined) return [{ what: 'control', reason: 'needs the main family' }];
    const random = seededRandom(this.#options.seed ?? 1);
    await this.#score('shuffled', 'control', (_, id) => shuffled(lists.get(id)?.rows ?? [], random));
    return [];
  }

  async #context(): Promise<Skipped[]> {
    const { documents } = this.#collection;
    const withHeadings = documents.some(({ chunks }) => chunks.some(({ headings = [] }) => headings.length > 0));
    const alone = (title: boolean, headings: boolean): MemoryDocument[] =>
      documents.flatMap(({ uri, title: own, chunks }) =>
        chunks.map((chunk, i) => ({
          uri: `${uri}\n${i}`,
          title: title ? own : '',
          chunks: [headings ? chunk : { text: chunk.text }],
        })),
      );
    const without = documents.map(({ uri, title, chunks }) => ({
      uri,
      title,
      chunks: chunks.map(({ text }) => ({ text })),
    }));
    const skipped: Skipped[] = [];
    const add = async (name: string, changed: readonly MemoryDocument[] | string): Promise<void> => {
      if (typeof changed === 'string') {
        skipped.push({ what: name, reason: changed });
        return;
      }
      const index = await indexInMemory({ documents: changed });
      await this.#score(name, 'context', async (query) => (await this.#search(index, changed, query, {})).rows);
    };
    const single = 'every document is one chunk';
    await add('hybrid, no windows or neighbours', this.#grouped ? alone(true, true) : single);
    await add('hybrid, no headings', withHeadings ? without : 'the collection has no headings');
    await add('hybrid, no context', this.#grouped ? alone(false, false) : single);
    return skipped;
  }

  async #fusion(): Promise<Skipped[]> {
    const merged = [
      ['RRF of BM25 and dense', ['BM25', 'dense'], reciprocalRankFusion],
      ['RRF of lexical and dense', ['lexical', 'dense'], reciprocalRankFusion],
      ['half BM25, half dense', ['BM25', 'dense'], (lists: readonly ScoredList[]) => weightedSum(lists, [0.5, 0.5])],
      [
        'half lexical, half dense',
        ['lexical', 'dense'],
        (lists: readonly ScoredList[]) => weightedSum(lists, [0.5, 0.5]),
      ],
    ] as const;
    const skipped: Skipped[] = [];
    for (const [name, of, merge] of merged) {
      const lists = of.map((list) => this.#lists.get(list));
      if (lists.some((list) => list === undefined)) {
        skipped.push({ what: name, reason: 'needs the families baseline and main' });
        continue;
      }
      await this.#score(name, 'fusion', (_, id) =>
        merge(lists.map((list) => list!.get(id) ?? { rows: [], scores: [] })),
      );
    }
    return skipped;
  }

  async #vectors(): Promise<Skipped[]> {
    const { model } = await this.#open();
    if (model === undefined) return [{ what: 'vectors', reason: 'the index has no local embedder' }];
    const opened = decodeModel(model);
    for (const { name, rank } of vectorVariants(this.#collection, new Composer(opened), opened.info.dimensions)) {
      await this.#score(name, 'vectors', (query) => rank(query));
    }
    return [];
  }

  async #chunks(): Promise<Skipped[]> {
    const reason = cannotCut(this.#collection);
    if (reason !== undefined) return [{ what: 'chunks', reason }];
    const { units, documents, ids } = this.#collection;
    const tokens = documents.flatMap(({ chunks }) => chunks.map(({ text }) => countTokens(text)));
    const index = await this.#open();
    const evidence = new Map<string, number>();
    await this.#score(
      'hybrid, chunks as given',
      'chunks',
      async (query, id) => {
        const { rows } = await this.#search(index, documents, query, {});
        const shown = rows.flatMap((row) => {
          const { document, span } = units[row]!;
          return span ? [{ document, ...span, tokens: tokens[row]! }] : [];
        });
        evidence.set(id, evidenceWithin(shown, relevantStretches(this.#collection, id)));
        return rows.map((row) => ids[row]!);
      },
      { [evidenceMetric]: evidence },
    );
    for (const maxTokens of chunkSizes) {
      const { rank } = await rankByChunks(this.#collection, maxTokens);
      const own = new Map<string, number>();
      await this.#score(
        `hybrid, chunks of ${maxTokens} tokens`,
        'chunks',
        async (query, id) => {
          const { ids: named, shown } = await rank(query);
          own.set(id, evidenceWithin(shown, relevantStretches(this.#collection, id)));
          return named;
        },
        { [evidenceMetric]: own },
      );
    }
    return [];
  }

  async #embedders(): Promise<Skipped[]> {
    const { documents } = this.#collection;
    const add = async (name: string, options: Parameters<typeof indexInMemory>[1]): Promise<void> => {
      const index = await indexInMemory({ documents }, options);
      for (const mode of ['dense', 'hybrid'] as const) {
        await this.#score(`${mode}, ${name}`, 'embedder', async (query) => {
          return (await this.#search(index, documents, query, { mode })).rows;
        });
      }
    };
    await add('local of 128 dimensions', { training: { dimensions: 128 } });
    await add('local of 512 dimensions', { training: { dimensions: 512 } });
    await add('local, not sharpened', { training: { sharpen: false } });
    const { remote = [] } = this.#options;
    const skipped: Skipped[] = [];
    for (const { name, open } of remote) {
      const embedder = open();
      try {
        await add(name, { embedder });
      } catch (error) {
        skipped.push({ what: name, reason: error instanceof Error ? error.message : String(error) });
      } finally {
        await embedder.close();
      }
    }
    return skipped;
  }
}

/** Fisher–Yates. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}
