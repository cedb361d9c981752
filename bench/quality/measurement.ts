/** One collection under measurement: its index, its rankings as scored variants, and the variants left out. */
import type { SearchOptions } from '../../src/index.ts';
import { search, seededRandom } from '../../src/internal.ts';
import type {
  QualityCollection,
  QualityComparison,
  QualityVariant,
  Skipped,
  VariantFamily,
} from '../support/run-file.ts';
import { type Stop, Stopped } from '../support/stop.ts';
import type { CutDocument } from '../support/stored-snapshot.ts';
import { type Collection, type CollectionIndex, indexCollection } from './collections.ts';
import type { ScoredList } from './fusion.ts';
import { compareVariants, runDepth, scoreVariant } from './score.ts';

/** Ranks with scores, by query, as rows of the collection. */
export type Lists = ReadonlyMap<string, ScoredList>;

export interface MeasurementOptions {
  /** Absent: it takes the time it takes. */
  readonly stop?: Stop | undefined;
  readonly seed?: number | undefined;
}

export class Measurement {
  readonly collection: Collection;
  readonly variants: QualityVariant[] = [];
  readonly skipped: Skipped[] = [];
  /** Rankings that later variants are made of, by the variant's name. */
  readonly lists: Map<string, Lists> = new Map();
  readonly seed: number;
  readonly #stop: Stop | undefined;
  readonly #firsts = new WeakMap<readonly CutDocument[], Map<string, number>>();
  #index: Promise<CollectionIndex> | undefined;

  constructor(collection: Collection, { stop, seed = 1 }: MeasurementOptions = {}) {
    this.collection = collection;
    this.seed = seed;
    this.#stop = stop;
  }

  get random(): () => number {
    return seededRandom(this.seed);
  }

  /** Whether some document has more than one chunk. */
  get grouped(): boolean {
    return this.collection.documents.some(({ chunks }) => chunks.length > 1);
  }

  /** The index ibid makes of the collection, made once. */
  async open(): Promise<CollectionIndex> {
    await this.#stop?.check();
    this.#index ??= indexCollection(this.collection);
    return await this.#index;
  }

  /** Lets go of the index and of rankings; what needs them again makes them again, or says that it cannot. */
  release(): void {
    this.#index = undefined;
  }

  skip(what: string, reason: string): void {
    this.skipped.push({ what, reason });
  }

  /** Runs one family, or a part of one; what the end of the time leaves undone of it is told. */
  async add(what: string, measure: (measurement: Measurement) => Promise<void>): Promise<void> {
    const had = this.variants.length;
    try {
      await this.#stop?.check();
      await measure(this);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      this.skip(this.variants.length > had ? `${what}, the rest` : what, error.message);
    }
  }

  /** Ranks the documents as other ones than the collection's own, of another cut or with other titles. */
  async build(options: {
    readonly documents: readonly CutDocument[];
    readonly index?: Parameters<typeof indexCollection>[1];
  }): Promise<(query: string, search?: SearchOptions) => Promise<ScoredList>> {
    await this.#stop?.check();
    const { documents, index } = options;
    const made = await indexCollection({ documents }, index);
    return (query, how = {}) => this.search(made, documents, query, how);
  }

  async search(
    { snapshot, embedder }: CollectionIndex,
    documents: readonly CutDocument[],
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
    const limit = runDepth + (this.collection.queriesInCorpus ? 1 : 0);
    const hits = await search(snapshot, embedder, query, { ...options, limit, distinct: false });
    return {
      rows: hits.map(({ chunk }) => firstOf.get(chunk.uri)! + chunk.position),
      scores: hits.map(({ score }) => score),
    };
  }

  /** Scores what `rank` gives: rows, or ids of the collection's units. */
  async score(
    name: string,
    family: VariantFamily,
    rank: (query: string, id: string) => Promise<readonly (number | string)[]> | readonly (number | string)[],
    more: Readonly<Record<string, ReadonlyMap<string, number>>> = {},
  ): Promise<void> {
    const { ids, queries, qrels, queriesInCorpus } = this.collection;
    const run = new Map<string, string[]>();
    let spent = 0;
    for (const { id, text } of queries) {
      await this.#stop?.check();
      const started = performance.now();
      const ranking = (await rank(text, id)).map((row) => (typeof row === 'number' ? ids[row]! : row));
      spent += performance.now() - started;
      run.set(id, (queriesInCorpus ? ranking.filter((other) => other !== id) : ranking).slice(0, runDepth));
    }
    this.variants.push(scoreVariant(name, family, qrels, run, spent / (queries.length || 1), more));
  }

  /** As `score`, keeping the rankings for variants that are made of them. */
  async scoreAndKeep(
    name: string,
    family: VariantFamily,
    rank: (query: string) => Promise<ScoredList> | ScoredList,
  ): Promise<void> {
    const lists = new Map<string, ScoredList>();
    await this.score(name, family, async (query, id) => {
      const list = await rank(query);
      lists.set(id, list);
      return list.rows;
    });
    this.lists.set(name, lists);
  }

  result(): QualityCollection {
    const { name, documents, ids, qrels } = this.collection;
    return {
      name,
      documents: documents.length,
      chunks: ids.length,
      queryIds: [...qrels].filter(([, grades]) => [...grades.values()].some((grade) => grade > 0)).map(([id]) => id),
      variants: this.variants,
      comparisons: comparisonsOf(this.variants, this.seed),
      skipped: this.skipped,
    };
  }
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
