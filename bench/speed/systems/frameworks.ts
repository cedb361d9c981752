/**
 * The two RAG frameworks' way from files to answers, each at its documented defaults, which keep vectors in memory
 * and know nothing of words; and what brings them nearer to where an ibid index stands: passages bounded in tokens,
 * vectors and an index of words on disk.
 */
import { connect, Index } from '@lancedb/lancedb';
import { loadAlternative } from '../../alternatives/load.ts';
import { embedTexts, readFiles, type System } from './system.ts';

/** ibid's own bound of a passage. */
const MAX_TOKENS = 320;

// Only what is called, as each package documents it.
interface LangChainDocument {
  readonly pageContent: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}
interface Splitter {
  createDocuments(texts: string[], metadatas: object[]): Promise<LangChainDocument[]>;
}
interface Splitters {
  readonly RecursiveCharacterTextSplitter: new () => Splitter;
  readonly TokenTextSplitter: new (options: {
    encodingName: string;
    chunkSize: number;
    chunkOverlap: number;
  }) => Splitter & { tokenizer?: object };
}
interface Tiktoken {
  readonly Tiktoken: new (ranks: unknown) => object;
}
interface MemoryStores {
  readonly MemoryVectorStore: {
    fromDocuments(
      documents: LangChainDocument[],
      embeddings: object,
    ): Promise<{ similaritySearch(query: string, k: number): Promise<unknown[]> }>;
  };
}
interface LlamaIndex {
  readonly Document: new (options: { text: string; id_: string }) => object;
  readonly Settings: { embedModel: object };
  readonly storageContextFromDefaults: (options: { persistDir: string }) => Promise<object>;
  readonly VectorStoreIndex: {
    fromDocuments(
      documents: object[],
      options?: { storageContext: object },
    ): Promise<{
      asRetriever(options: { similarityTopK: number }): { retrieve(options: { query: string }): Promise<unknown[]> };
    }>;
  };
}
interface LlamaEmbeddings {
  readonly BaseEmbedding: new () => object;
}

export const langchain: System = {
  name: 'langchain',
  package: '@langchain/classic',
  work: { bound: 'characters', vectors: 'in memory', words: 'none' },
  embedders: ['words', 'trained'],
  async ingest(docs, _home, embedder) {
    const { RecursiveCharacterTextSplitter } = (await loadAlternative('@langchain/textsplitters')) as Splitters;
    const { MemoryVectorStore } = (await loadAlternative('@langchain/classic/vectorstores/memory')) as MemoryStores;
    const files = readFiles(docs);
    const passages = await new RecursiveCharacterTextSplitter().createDocuments(
      files.map(({ text }) => text),
      files.map(({ path }) => ({ source: path })),
    );
    const store = await MemoryVectorStore.fromDocuments(passages, {
      embedDocuments: (texts: string[]) => embedTexts(embedder!, texts),
      embedQuery: async (query: string) => Array.from(await embedder!.embedQuery(query)),
    });
    return {
      chunks: passages.length,
      search: async (query) => (await store.similaritySearch(query, 10)).length,
      close: async () => {},
    };
  },
};

/** A splitter, with the rows that the framework's LanceDB store writes, and that database's index of their words. */
const langchainOnDisk = (
  name: string,
  bound: 'characters' | 'tokens',
  makeSplitter: () => Promise<Splitter>,
): System => ({
  name,
  package: '@langchain/classic',
  work: { bound, vectors: 'on disk', words: 'on disk' },
  embedders: ['words', 'trained'],
  async ingest(docs, home, embedder) {
    const splitter = await makeSplitter();
    const files = readFiles(docs);
    const passages = await splitter.createDocuments(
      files.map(({ text }) => text),
      files.map(({ path }) => ({ source: path })),
    );
    const texts = passages.map(({ pageContent }) => pageContent);
    const vectors = await embedTexts(embedder!, texts);
    const rows = passages.map(({ pageContent: text, metadata }, i) => ({ vector: vectors[i]!, text, ...metadata }));
    const table = await (await connect(home)).createTable('vectors', rows);
    await table.createIndex('text', { config: Index.fts() });
    return {
      chunks: passages.length,
      search: async (query) =>
        (
          await table
            .vectorSearch(Array.from(await embedder!.embedQuery(query)))
            .limit(10)
            .toArray()
        ).length,
      close: async () => table.close(),
    };
  },
});

/** The splitter at its defaults. */
export const langchainKept: System = langchainOnDisk('langchain + lancedb', 'characters', async () => {
  const { RecursiveCharacterTextSplitter } = (await loadAlternative('@langchain/textsplitters')) as Splitters;
  return new RecursiveCharacterTextSplitter();
});

/**
 * Equal work: the framework's splitter by tokens, of the encoding and the bound that ibid has, and no overlap, as
 * ibid has none. It would fetch its table of tokens from the network; the package it counts with holds the same one.
 */
export const langchainTokens: System = langchainOnDisk('langchain tokens + lancedb', 'tokens', async () => {
  const { TokenTextSplitter } = (await loadAlternative('@langchain/textsplitters')) as Splitters;
  const { Tiktoken } = (await loadAlternative('js-tiktoken/lite')) as Tiktoken;
  const { default: ranks } = (await loadAlternative('js-tiktoken/ranks/o200k_base')) as { default: unknown };
  tokenizer ??= new Tiktoken(ranks); // as the framework, which keeps it too
  const splitter = new TokenTextSplitter({ encodingName: 'o200k_base', chunkSize: MAX_TOKENS, chunkOverlap: 0 });
  splitter.tokenizer = tokenizer;
  return splitter;
});
let tokenizer: object | undefined;

const llamaindexAs = (name: string, isKept: boolean): System => ({
  name,
  package: 'llamaindex',
  work: { bound: 'tokens', vectors: isKept ? 'on disk' : 'in memory', words: 'none' },
  embedders: ['words', 'trained'],
  async ingest(docs, home, embedder) {
    const { Document, Settings, storageContextFromDefaults, VectorStoreIndex } = (await loadAlternative(
      'llamaindex',
    )) as LlamaIndex;
    const { BaseEmbedding } = (await loadAlternative('@llamaindex/core/embeddings')) as LlamaEmbeddings;
    let chunks = 0;
    class Given extends BaseEmbedding {
      getTextEmbeddings = async (texts: string[]): Promise<number[][]> => {
        chunks += texts.length;
        return await embedTexts(embedder!, texts);
      };
      async getTextEmbedding(text: string): Promise<number[]> {
        return Array.from(await embedder!.embedQuery(text));
      }
    }
    Settings.embedModel = new Given();
    const documents = readFiles(docs).map(({ path, text }) => new Document({ text, id_: path }));
    const storage = isKept ? { storageContext: await storageContextFromDefaults({ persistDir: home }) } : undefined;
    const index = await VectorStoreIndex.fromDocuments(documents, storage);
    const retriever = index.asRetriever({ similarityTopK: 10 });
    return {
      chunks,
      search: async (query) => (await retriever.retrieve({ query })).length,
      close: async () => {},
    };
  },
});

export const llamaindex: System = llamaindexAs('llamaindex', false);
/** Its own way to keep an index: JSON files. It has no index of words. */
export const llamaindexKept: System = llamaindexAs('llamaindex persisted', true);
