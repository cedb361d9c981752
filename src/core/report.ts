import type { IbidError } from './errors.ts';

/** `hybrid`: words and vectors. */
export type SearchMode = 'hybrid' | 'lexical' | 'dense';

/** How a search, or all searches of one question, went. */
export interface SearchReport {
  /** `lexical` also where there are no vectors, or no embedder for the query. */
  readonly mode: SearchMode;
  /** Failures that were got around: the hits are there, and may be worse than usual. */
  readonly warnings: readonly IbidError[];
  /** Present where the web was asked. */
  readonly web?: WebReport;
  /** Of the query's vector, the web and the reranker, in USD. */
  readonly costUsd: number;
  readonly elapsedMs: number;
}

/** How the web took part. */
export interface WebReport {
  /** `late`: the deadline passed. `late` and `failed`: the hits are the index's own. */
  readonly status: 'ok' | 'late' | 'failed';
  /** Pages that were ranked with the index. */
  readonly pages: number;
  /** Hits from the web among those returned. */
  readonly hits: number;
  /** Of the search requests and the passages' vectors. */
  readonly costUsd: number;
  /** From the call until the web was there or given up. */
  readonly elapsedMs: number;
  /**
   * Why it is late or failed; with `ok`, what did not work and was got around: one of several wordings, the vectors,
   * keeping the pages.
   */
  readonly error?: Error | undefined;
}
