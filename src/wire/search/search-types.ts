import type { ReplyInfo, WireCallOptions } from '../http/contract.ts';
import type { Cost } from '../http/cost.ts';
import type { WireError } from '../http/errors.ts';
import type { SearchResult } from './answer-types.ts';
import type { SearchFilters } from './check-filters.ts';
import type { Open } from './parse.ts';
import type { ContextSize } from './prices.ts';

/** A search request in the reference's spelling. */
export interface SearchRequest extends SearchFilters {
  /** Short keywords find more than sentences; quotes, `site:` and boolean words are taken literally. */
  readonly query: string | readonly string[];
  /** 1 to 20 (people: more). @default 10 */
  readonly max_results?: number | undefined;
  /** Content over all results, 1 to 1,000,000 tokens. @default 10,000 */
  readonly max_tokens?: number | undefined;
  /** Content per page. @default 4,096 */
  readonly max_tokens_per_page?: number | undefined;
  /** Instead of the two budgets. @default 'high' */
  readonly search_context_size?: ContextSize | undefined;
  readonly search_language_filter?: readonly string[] | undefined;
  /** ISO 3166-1, two capitals. */
  readonly country?: string | undefined;
  readonly search_type?: 'web' | 'people' | undefined;
  readonly display_server_time?: boolean | undefined;
}

export interface SearchOptions extends WireCallOptions {
  /**
   * Several queries: `split` sends one request each (and pays each), so that every hit is known to belong to a query;
   * `together` sends up to 5 in one request, whose answer may not say which hit belongs to which.
   * @default 'split'
   */
  readonly several?: 'split' | 'together' | undefined;
  /** Split requests at once. @default 5 */
  readonly concurrency?: number | undefined;
  /** Fields newer than this client, sent as they are. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/** A page in the merged list. */
export interface FoundPage extends SearchResult {
  readonly url: string;
}

/** Where a page stood in the list of a query. */
export interface Appearance {
  /** Position of the query in the request, from 0. */
  readonly query: number;
  /** From 1. */
  readonly rank: number;
}

export interface MergedResult {
  readonly page: FoundPage;
  /** Best rank first; empty when the service did not say which query found it. */
  readonly found: readonly Appearance[];
}

export interface QueryResults {
  readonly query: string;
  /**
   * In the service's order, which is the ranking; `undefined` when a joint answer does not say what belongs to this
   * query, and when the query failed.
   */
  readonly results: readonly FoundPage[] | undefined;
  /** Why this query of several has no results. When all fail, the first failure is thrown instead. */
  readonly error?: WireError | undefined;
}

export interface SearchAnswer {
  /** Every page once (address variants count as one), by best rank, then by order of the queries. */
  readonly results: readonly MergedResult[];
  /** One entry per query, in order. */
  readonly queries: readonly QueryResults[];
  readonly cost: Cost;
  /** The bodies as they came, one per request that was answered. */
  readonly responses: readonly Open[];
  readonly infos: readonly ReplyInfo[];
}
