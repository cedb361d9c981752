import type { ErrorCode, IbidError } from './errors.ts';

/** `hybrid`: words and vectors. */
export type SearchMode = 'hybrid' | 'lexical' | 'dense';

/** The outcome of one search, or of all searches of one question. */
export interface SearchReport {
  /** `lexical` also where words alone decided: without stored vectors, or where nothing embedded the query. */
  readonly mode: SearchMode;
  /**
   * The query with near words in place of those that the index does not hold; absent where it holds each. Of an extractive
   * answer: the question with other words in place of misspelt ones.
   */
  readonly corrected?: string;
  /** Failures that did not stop the search. The hits may be worse than usual. */
  readonly warnings: readonly IbidError[];
  /** Present for an index that consists of shards. */
  readonly shards?: ShardsReport;
  /** Present when the web was searched. */
  readonly web?: WebReport;
  /** Cost of the query's vector, the web search and the reranker, in USD. */
  readonly costUsd: number;
  readonly elapsedMs: number;
}

/** The part of the shards of an index. */
export interface ShardsReport {
  /** How many the index has. */
  readonly asked: number;
  /** Those that could not be read, or were late: their documents are not among the hits. */
  readonly missing: readonly { readonly name: string; readonly code: ErrorCode }[];
}

/** The part of the web search. */
export interface WebReport {
  /** `late`: the deadline passed. With `late` and `failed`, all hits are from the index. */
  readonly status: 'ok' | 'late' | 'failed';
  /** Number of pages that were ranked with the index. */
  readonly pages: number;
  /** Number of returned hits from the web. */
  readonly hits: number;
  /** Cost of the search requests and of the passages' vectors. */
  readonly costUsd: number;
  /** From the call until the web's answer or the decision to continue without it. */
  readonly elapsedMs: number;
  /**
   * The reason of `late` or `failed`. With `ok`, a failure that did not stop the search: one of several query variants,
   * the vectors, or storing the pages.
   */
  readonly error?: Error | undefined;
}
