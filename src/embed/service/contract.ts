import type { CallOptions } from '../../core/types.ts';

/** What one request to an embedding service gave back. */
export interface EmbeddingReply {
  /** Nested and ordered as the request's texts. */
  readonly vectors: readonly (readonly Int8Array[])[];
  /** Tokens the service counted; absent when it does not say. */
  readonly tokens?: number | undefined;
  /** What the service says it cost; absent when it does not say. */
  readonly costUsd?: number | undefined;
}

export interface SendOptions extends CallOptions {
  /** To be called for each attempt that may have been carried out though its answer never came. */
  readonly onUnanswered?: (() => void) | undefined;
}

/**
 * Sends one request. `texts` are documents, each a list of chunks in document order.
 * @throws IbidError REQUEST_TOO_LARGE when the service counts more tokens than it takes: it is then sent in halves
 */
export type SendTexts = (texts: readonly (readonly string[])[], options: SendOptions) => Promise<EmbeddingReply>;

/** An embedding model of a service, as data. */
export interface ServiceModel {
  /** The service's identifier. */
  readonly name: string;
  readonly dimensions: number;
  /** Whether a chunk's vector knows the other chunks of its document; otherwise each text stands alone. */
  readonly contextual: boolean;
  readonly limits: ServiceLimits;
  readonly usdPerMillionTokens: number;
}

/** Bounds of one request. For a model that is not contextual a document is one text. */
export interface ServiceLimits {
  readonly documents: number;
  readonly chunks: number;
  readonly tokens: number;
  readonly tokensPerDocument: number;
}

/** Of one answered request whose vectors are kept. */
export interface EmbedReceipt {
  /** The same for all requests of one run. */
  readonly run: string;
  /** `name@dimensions`. */
  readonly model: string;
  readonly chunks: number;
  /** The service's count where it gives one, else ours. */
  readonly tokens: number;
  /** Ours: what the service counts for it tells how its tokenizer differs. */
  readonly ownTokens: number;
  readonly costUsd: number;
  /** Milliseconds since 1970 when it was sent, and until it was answered. */
  readonly sentAt: number;
  readonly elapsedMs: number;
}

/** Vectors by what they were made of. What `put` has returned for is there after a crash. */
export interface VectorCache {
  /** Keys that are not there are left out. */
  get(keys: readonly string[]): Promise<ReadonlyMap<string, readonly Int8Array[]>>;
  /** @param receipt kept in the same commit: what was paid for and what was kept agree after a crash too */
  put(entries: ReadonlyMap<string, readonly Int8Array[]>, receipt?: EmbedReceipt): Promise<void>;
  /** All receipts, of all runs and models, in no promised order. */
  receipts?(): Promise<readonly EmbedReceipt[]>;
  /** The newest text that was noted under a name, which holds no blanks. */
  note?(name: string): Promise<string | undefined>;
  putNote?(name: string, text: string): Promise<void>;
}

/** What a run has sent and paid for. */
export interface EmbedUsage {
  /** Answered ones. */
  readonly requests: number;
  /** Chunks sent, shared context included. */
  readonly chunks: number;
  /** Chunks whose vectors were there already. */
  readonly cachedChunks: number;
  /** The service's count where it gives one, else ours. */
  readonly tokens: number;
  readonly costUsd: number;
  /** Mean over the requests for documents of the share of the binding limit that was used; 0 without requests. */
  readonly fill: number;
  /**
   * Attempts without an answer, which the service may have carried out and billed all the same, and what they cost at
   * most.
   */
  readonly unanswered: { readonly attempts: number; readonly maxUsd: number };
  /** Only in a dry run. */
  readonly expected?: ExpectedTime;
}

export interface ExpectedTime {
  readonly ms: number;
  /**
   * `measured`: from the tokens per minute of the last run with this model; `assumed`: from a usual time per request.
   */
  readonly basis: 'measured' | 'assumed';
  readonly tokensPerMinute: number;
  /** Requests at a time. */
  readonly concurrency: number;
}

/** What embedding some documents would send, counted before anything is sent. */
export interface EmbedEstimate {
  readonly chunks: number;
  readonly cachedChunks: number;
  /** Counted by our tokenizer, times what the service's has been found to count for the same texts. */
  readonly tokens: number;
  readonly requests: number;
  readonly costUsd: number;
}
