import type { Meter } from '../../core/meter.ts';
import type { CallOptions } from '../../core/types.ts';
import type { EmbedDocument, Embedder } from '../contract.ts';

/** The answer to one request to an embedding service. */
export interface EmbeddingReply {
  /** Nested and ordered as the request's texts. */
  readonly vectors: readonly (readonly Int8Array[])[];
  /** Tokens counted by the service; absent when it returns no count. */
  readonly tokens?: number | undefined;
  /** Price from the service, in USD; absent when it returns no price. */
  readonly costUsd?: number | undefined;
}

interface SendOptions extends CallOptions {
  /** The texts are queries. @default false */
  readonly isQuery?: boolean | undefined;
  /** Called for each attempt that the service may have executed although no answer arrived. */
  readonly onUnanswered?: (() => void) | undefined;
}

/**
 * Sends one request.
 * @param texts documents, each a list of chunks in document order
 * @throws IbidError REQUEST_TOO_LARGE when the service counts more tokens than it accepts; the caller then sends two
 * halves
 */
export type SendTexts = (texts: readonly (readonly string[])[], options: SendOptions) => Promise<EmbeddingReply>;

/**
 * What stands around a text that is embedded alone: nothing; title and headings before it; or also the end of the chunk
 * before and the beginning of the chunk behind.
 */
export type EmbedContext = 'none' | 'headings' | 'neighbours';

/** An embedding model of a service, as data. */
export interface ServiceModel {
  /** The service's name of the model. */
  readonly name: string;
  readonly dimensions: number;
  /** True when a chunk's vector depends on the other chunks of its document; otherwise each text is embedded alone. */
  readonly contextual: boolean;
  /** For a model that is not contextual. @default 'headings' */
  readonly context?: EmbedContext | undefined;
  readonly limits: ServiceLimits;
  /** `undefined`: unknown, and a budget for documents is refused. */
  readonly usdPerMillionTokens: number | undefined;
  /** What `send` puts before each text of a document. @default '' */
  readonly prefix?: string | undefined;
  /** Begins the keys of its vectors, so that they are told from those of other models. @default none */
  readonly space?: string | undefined;
}

/** Bounds of one request. For a model that is not contextual, a document is one text. */
export interface ServiceLimits {
  readonly documents: number;
  readonly chunks: number;
  readonly tokens: number;
  readonly tokensPerDocument: number;
}

/** The receipt of one answered request whose vectors are stored. */
export interface EmbedReceipt {
  /** The same for all requests of one run. */
  readonly run: string;
  /** `name@dimensions`. */
  readonly model: string;
  readonly chunks: number;
  /** The service's count if there is one, else ours. */
  readonly tokens: number;
  /** Our count. The ratio to `tokens` shows how the service's tokenizer differs. */
  readonly ownTokens: number;
  readonly costUsd: number;
  /** When the request was sent, in ms since 1970, and the time until its answer, in ms. */
  readonly sentAt: number;
  readonly elapsedMs: number;
}

/** Stores vectors by a hash of their texts. After `put` returns, its data survives a crash. */
export interface VectorCache {
  /** Unknown keys are left out. */
  get(keys: readonly string[]): Promise<ReadonlyMap<string, readonly Int8Array[]>>;
  /** @param receipt stored in the same commit, so that billed and stored vectors agree after a crash */
  put(entries: ReadonlyMap<string, readonly Int8Array[]>, receipt?: EmbedReceipt): Promise<void>;
  /** All receipts of all runs and models, in any order. */
  receipts?(): Promise<readonly EmbedReceipt[]>;
  /** The newest note with this name; a name has no spaces. */
  note?(name: string): Promise<string | undefined>;
  putNote?(name: string, text: string): Promise<void>;
}

/** Usage of a service by one run. */
export interface EmbedUsage {
  /** Number of answered requests. */
  readonly requests: number;
  /** Chunks sent, including context. */
  readonly chunks: number;
  /** Chunks whose vectors were already stored. */
  readonly cachedChunks: number;
  /** The service's count if there is one, else ours. */
  readonly tokens: number;
  readonly costUsd: number;
  /**
   * Mean share of the limit that was used, over the requests for documents; of the three limits, the one that is
   * nearest. 0 without requests.
   */
  readonly fill: number;
  /** Attempts without an answer, which the service may have executed and billed, and their maximum cost. */
  readonly unanswered: { readonly attempts: number; readonly maxUsd: number };
  /** Only in a dry run. */
  readonly expected?: ExpectedTime;
}

/** How long embedding will take, estimated before the first request. */
export interface ExpectedTime {
  readonly ms: number;
  /**
   * `measured`: from the tokens per minute of the last run with this model; `assumed`: from a usual time per request.
   */
  readonly basis: 'measured' | 'assumed';
  readonly tokensPerMinute: number;
  /** Maximum number of requests at the same time. */
  readonly concurrency: number;
}

/** Estimate of the requests and cost for some documents, made before anything is sent. */
export interface EmbedEstimate {
  readonly chunks: number;
  readonly cachedChunks: number;
  /** Our count, multiplied by the measured ratio of the service's count to ours. */
  readonly tokens: number;
  readonly requests: number;
  readonly costUsd: number;
}

/** Where an embedder keeps its vectors, who pays, and who is told of each request. */
export interface Keeping {
  readonly cache: VectorCache;
  readonly meter?: Meter | undefined;
  readonly onAnswered?: ((usage: EmbedUsage) => void) | undefined;
}

/** An embedder that asks a service, and keeps what it gets. */
export interface KeepingEmbedder extends Embedder {
  readonly usage: EmbedUsage;
  estimate(documents: readonly EmbedDocument[], foretold?: Set<string>): Promise<EmbedEstimate>;
  expect(estimate: Pick<EmbedEstimate, 'requests' | 'tokens'>): Promise<ExpectedTime>;
}

/** An embedder of the caller that can keep its vectors beside an index. */
export interface KeepableEmbedder extends Embedder {
  keeping(keeping: Keeping): KeepingEmbedder & KeptSpace;
}

/** The keys of one model in a cache that others use too. */
export interface KeptSpace {
  /** What they begin with. */
  space(): Promise<string>;
  keysOf(documents: readonly EmbedDocument[]): Set<string>;
}

export function isKeepable(embedder: Embedder): embedder is KeepableEmbedder {
  return typeof (embedder as Partial<KeepableEmbedder>).keeping === 'function';
}
