/**
 * The two RAG frameworks' way from files to answers, each at its documented defaults, which keep vectors in memory and know nothing of words;
 * and `kept`: what brings them to where an ibid index stands, vectors and an index of words on disk.
 */
import { connect, Index } from '@lancedb/lancedb';
import { loadAlternative } from '../../alternatives/load.ts';
import { embedTexts, readFiles, type System } from './system.ts';

// Only what is called, as each package documents it.
interface LangChainDocument {
  readonly pageContent: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}
interface Splitters {
  readonly RecursiveCharacterTextSplitter: new () => {
    createDocuments(texts: string[], metadatas: object[]): Promise<LangChainDocument[]>;
  };
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

/** The same splitter, with the rows that the framework's LanceDB store writes, and that database's index of their words. */
export const langchainKept: System = {
  name: 'langchain + lancedb',
  package: '@langchain/classic',
  embedders: ['words', 'trained'],
  async ingest(docs, home, embedder) {
    const { RecursiveCharacterTextSplitter } = (await loadAlternative('@langchain/textsplitters')) as Splitters;
    const files = readFiles(docs);
    const passages = await new RecursiveCharacterTextSplitter().createDocuments(
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
};

const llamaindexAs = (name: string, isKept: boolean): System => ({
  name,
  package: 'llamaindex',
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
