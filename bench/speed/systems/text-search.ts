/**
 * In-process text search, each package at its documented defaults, one entry per file. They keep their index in
 * memory alone.
 */
import { loadAlternative } from '../../alternatives/load.ts';
import { readFiles, type System, type Work } from './system.ts';

// Only what is called, as each package documents it.
interface MiniSearchModule {
  readonly default: new (options: {
    fields: string[];
  }) => {
    addAll(documents: readonly object[]): void;
    search(query: string): unknown[];
  };
}
interface OramaModule {
  create(options: object): Promise<object>;
  insertMultiple(database: object, documents: readonly object[]): Promise<unknown>;
  search(database: object, options: object): Promise<{ readonly hits: unknown[] }>;
}
interface FlexSearchModule {
  readonly Index: new () => {
    add(id: number, text: string): void;
    search(query: string, options: object): unknown[];
  };
}

const wordsAlone: Work = { bound: 'whole file', vectors: 'none', words: 'in memory' };
const none = async (): Promise<void> => {};

export const minisearch: System = {
  name: 'minisearch',
  package: 'minisearch',
  work: wordsAlone,
  embedders: [],
  async ingest(docs) {
    const { default: MiniSearch } = (await loadAlternative('minisearch')) as MiniSearchModule;
    const files = readFiles(docs);
    const index = new MiniSearch({ fields: ['text'] });
    index.addAll(files.map(({ text }, id) => ({ id, text })));
    return { chunks: files.length, search: async (query) => index.search(query).slice(0, 10).length, close: none };
  },
};

export const orama: System = {
  name: 'orama',
  package: '@orama/orama',
  work: wordsAlone,
  embedders: [],
  async ingest(docs) {
    const module = (await loadAlternative('@orama/orama')) as OramaModule;
    const files = readFiles(docs);
    const database = await module.create({ schema: { path: 'string', text: 'string' } });
    await module.insertMultiple(database, files);
    return {
      chunks: files.length,
      search: async (term) => (await module.search(database, { term })).hits.length, // ten by default
      close: none,
    };
  },
};

export const flexsearch: System = {
  name: 'flexsearch',
  package: 'flexsearch',
  work: wordsAlone,
  embedders: [],
  async ingest(docs) {
    const { Index } = (await loadAlternative('flexsearch')) as FlexSearchModule;
    const files = readFiles(docs);
    const index = new Index();
    for (const [id, { text }] of files.entries()) index.add(id, text);
    return {
      chunks: files.length,
      search: async (query) => index.search(query, { limit: 10, suggest: true }).length,
      close: none,
    };
  },
};
