import { AsyncLocalStorage } from 'node:async_hooks';
import { type CallbackManagerForRetrieverRun, parseCallbackConfigArg } from '@langchain/core/callbacks/manager';
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { Embeddings, type EmbeddingsInterface } from '@langchain/core/embeddings';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import { ensureConfig, type RunnableConfig } from '@langchain/core/runnables';
import { VectorStore } from '@langchain/core/vectorstores';
import { formatCitation, parseCitation } from '../answer/citation.ts';
import { type KnownOptions, listOf, objectOf, optionsOf, textsOf } from '../core/arguments.ts';
import { type ErrorCode, IbidError } from '../core/errors.ts';
import { locate } from '../core/location.ts';
import type { Hit, Metadata, MetadataValue } from '../core/types.ts';
import { sha256 } from '../ingest/content-hash.ts';
import type { IngestFailure } from '../ingest/contract.ts';
import { everyFilter } from '../store/filter.ts';
import { type Where, whereSql } from '../store/where.ts';
import { type BridgedIndex, type BridgeSearch, LIMIT, searchNames } from './contract.ts';

/** What a vector store needs of an index: a `SearchIndex` has it. */
export interface WritableIndex extends BridgedIndex {
  add(
    documents: readonly {
      readonly uri: string;
      readonly title?: string;
      readonly text: string;
      readonly metadata?: Metadata;
    }[],
  ): PromiseLike<{ readonly failed: readonly IngestFailure[] }>;
  remove(uris: readonly string[]): Promise<unknown>;
}

export interface IbidRetrieverInput extends BaseRetrieverInput, BridgeSearch {
  readonly index: BridgedIndex;
}

const retrieverOptions: KnownOptions<IbidRetrieverInput> = {
  of: 'IbidRetriever',
  names: { ...searchNames, index: true, callbacks: true, tags: true, metadata: true, verbose: 'flag' },
};

const storeOptions: KnownOptions<{ readonly index: WritableIndex } & BridgeSearch> = {
  of: 'IbidVectorStore',
  names: { ...searchNames, index: true },
};

/** The signal of a call: a retriever of LangChain.js is not handed it. */
const signals = new AsyncLocalStorage<AbortSignal | undefined>();

/**
 * A retriever of LangChain.js over an index. A passage becomes a document; its id, and `metadata.reference`, is the
 * citation that `index.show` proves.
 */
export class IbidRetriever extends BaseRetriever {
  override lc_namespace: string[] = ['ibid', 'retrievers'];
  readonly #input: IbidRetrieverInput;

  static override lc_name(): string {
    return 'IbidRetriever';
  }

  constructor(input: IbidRetrieverInput) {
    super(input);
    objectOf(optionsOf(input, retrieverOptions).index, 'the index', 'search');
    this.#input = input;
  }

  override async invoke(input: string, options?: RunnableConfig): Promise<DocumentInterface[]> {
    const config = ensureConfig<RunnableConfig>(parseCallbackConfigArg(options)); // makes a signal of a `timeout`
    return await signals.run(config.signal, () => super.invoke(input, config));
  }

  override async _getRelevantDocuments(
    query: string,
    _run?: CallbackManagerForRetrieverRun,
  ): Promise<DocumentInterface[]> {
    const { index, limit = LIMIT, where, web, rerank } = this.#input;
    const { hits } = await index.search(query, { limit, where, web, rerank, signal: signals.getStore() });
    return hits.map(documentOf);
  }
}

/** The `where` of a search; a text is SQL. */
export type IbidFilter = Exclude<Where, undefined>;

/**
 * A vector store of LangChain.js over an index, which makes the vectors itself: a search is by words and vectors. An id
 * of a document is its uri; without one it is made of its text and metadata, and equal documents are one. Vectors of
 * the caller cannot be stored or searched.
 */
export class IbidVectorStore extends VectorStore {
  declare FilterType: IbidFilter;
  readonly #index: WritableIndex;
  readonly #search: BridgeSearch;

  constructor(options: { readonly index: WritableIndex } & BridgeSearch) {
    super(new NoEmbeddings(), {});
    const { index, ...search } = optionsOf(options, storeOptions);
    this.#index = objectOf(index, 'the index', 'search', 'add', 'remove');
    this.#search = search;
  }

  override _vectorstoreType(): string {
    return 'ibid';
  }

  /**
   * @returns the ids, in the order of the documents
   * @throws IbidError INVALID_ARGUMENT; or that of a document that could not be stored, when the others are
   */
  override async addDocuments(
    documents: DocumentInterface[],
    options: { readonly ids?: readonly string[] } = {},
  ): Promise<string[]> {
    const given = listOf(documents, 'documents').map((document, i) => {
      const { pageContent, metadata = {}, id } = objectOf(document, `document ${i + 1}`, 'pageContent');
      return {
        uri: options.ids?.[i] ?? id ?? madeId(pageContent, plainMetadata(metadata)),
        title: typeof metadata.title === 'string' ? metadata.title : '',
        text: pageContent,
        metadata: plainMetadata(metadata),
      };
    });
    const ids = given.map(({ uri }) => uri);
    const first = new Map(ids.map((uri, i) => [uri, i] as const).reverse());
    const { failed } = await this.#index.add(
      given.filter(({ uri }, i) => !uri.startsWith(MADE) || first.get(uri) === i), // what was split has equal parts
    );
    const [one] = failed;
    if (one) {
      const { uri, code, message } = one;
      throw new IbidError(code as ErrorCode, `${failed.length} of ${ids.length} were not stored: "${uri}": ${message}`);
    }
    return ids;
  }

  /**
   * Deletes documents by the ids that `addDocuments` gave, and those whose ids are below one of them, as `a/b` is below `a`.
   * @throws IbidError INVALID_ARGUMENT for the id of a passage
   */
  override async delete(options: { readonly ids?: readonly string[] } = {}): Promise<void> {
    const { ids } = objectOf(options, 'the options');
    if (!ids) throw new IbidError('INVALID_ARGUMENT', 'delete needs `ids`: the uris of documents');
    textsOf(ids, 'ids');
    const gone = (await this.#index.remove(ids)) as { readonly removed?: readonly string[] } | undefined;
    const passage = ids.find((id) => !gone?.removed?.includes(id) && SPAN.test(id)); // a uri may look like one
    if (passage === undefined) return;
    const { uri } = parseCitation(passage);
    throw new IbidError('INVALID_ARGUMENT', `"${passage}" is the id of a passage: documents are deleted whole`, {
      hint: `Give the id of the document, which is \`metadata.source\`: "${uri}".`,
    });
  }

  override async similaritySearchWithScore(
    query: string,
    k: number = this.#search.limit ?? LIMIT,
    filter?: IbidFilter,
  ): Promise<[DocumentInterface, number][]> {
    const { web, rerank, where } = this.#search;
    const { hits } = await this.#index.search(query, { limit: k, where: both(where, filter), web, rerank });
    return hits.map((hit) => [documentOf(hit), hit.score]);
  }

  override async similaritySearch(query: string, k?: number, filter?: IbidFilter): Promise<DocumentInterface[]> {
    return (await this.similaritySearchWithScore(query, k, filter)).map(([document]) => document);
  }

  override async addVectors(): Promise<never> {
    throw noVectors();
  }

  override async similaritySearchVectorWithScore(): Promise<never> {
    throw noVectors();
  }

  /** @param metadatas one for each text, or one for all */
  static override async fromTexts(
    texts: string[],
    metadatas: object[] | object,
    embeddings: EmbeddingsInterface | undefined,
    config: { readonly index: WritableIndex } & BridgeSearch,
  ): Promise<IbidVectorStore> {
    const documents = textsOf(texts, 'texts').map((pageContent, i) => {
      const metadata: object = Array.isArray(metadatas) ? (metadatas[i] ?? {}) : metadatas;
      return new Document({ pageContent, metadata: { ...metadata } });
    });
    return await IbidVectorStore.fromDocuments(documents, embeddings, config);
  }

  static override async fromDocuments(
    documents: DocumentInterface[],
    _embeddings: EmbeddingsInterface | undefined,
    config: { readonly index: WritableIndex } & BridgeSearch,
  ): Promise<IbidVectorStore> {
    const store = new IbidVectorStore(config);
    await store.addDocuments(documents);
    return store;
  }
}

const MADE = 'langchain:';

/** How the id of a passage ends. */
const SPAN = /#\d+-\d+(?:@[0-9a-f]+)?$/;

const madeId = (text: string, metadata: Metadata): string =>
  `${MADE}${sha256(JSON.stringify([text, metadata])).slice(0, 32)}`;

const noVectors = (): IbidError =>
  new IbidError('INVALID_ARGUMENT', 'an ibid index makes its vectors itself', {
    hint: 'Use addDocuments and similaritySearch; give openIndex the embedder.',
  });

class NoEmbeddings extends Embeddings {
  constructor() {
    super({});
  }

  override async embedDocuments(): Promise<never> {
    throw noVectors();
  }

  override async embedQuery(): Promise<never> {
    throw noVectors();
  }
}

function documentOf({ chunk, score, origin, web }: Hit): Document {
  const { uri, title, headings, text, span, format, metadata } = chunk;
  const reference = formatCitation({ uri, span, ...(web ? { snapshot: web.snapshot } : {}) });
  const place = locate(chunk, span);
  return new Document({
    id: reference,
    pageContent: text,
    metadata: { ...metadata, source: uri, title, headings, format, origin, score, reference, place },
  });
}

/** Both conditions. A condition in SQL is written out. */
function both(a: Where | undefined, b: Where | undefined): Where | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return everyFilter([whereSql(a), whereSql(b)]);
}

/** Values that an index can filter by; others are left out. */
function plainMetadata(metadata: Readonly<Record<string, unknown>>): Metadata {
  const isPlain = (value: unknown): value is MetadataValue =>
    value === null || typeof value === 'string' || Number.isFinite(value) || typeof value === 'boolean';
  return Object.fromEntries(
    Object.entries(metadata).filter((entry): entry is [string, MetadataValue] => isPlain(entry[1])),
  );
}
