import type { CallOptions } from '../core/types.ts';
import type { WebFilters } from './filters.ts';

/** A request to the web. */
export interface WebQuery extends WebFilters {
  /** One or several variants of the query, at least one. */
  readonly queries: readonly string[];
  /**
   * All variants in one request, for the price of one. Which variant found a page is then known only where the service
   * says so.
   * @default false: a request each
   */
  readonly together?: boolean | undefined;
  /** Pages wanted for each variant, 1 to 20. */
  readonly limit: number;
}

/** A page as a search service shows it: extracts, not the whole. Nothing in it is trusted. */
export interface WebPage {
  readonly url: string;
  readonly title: string;
  /** Extracts, which need not follow on each other. */
  readonly extracts: readonly string[];
  /** `YYYY-MM-DD`. */
  readonly published?: string | undefined;
  readonly updated?: string | undefined;
}

/** The pages of one query variant. */
export interface WebList {
  readonly query: string;
  /** In the service's order, best first. */
  readonly pages: readonly WebPage[];
}

/** The pages of one query and its variants. */
export interface WebAnswer {
  /** One for each variant that got an answer; one under the first variant where a service gives one list for all. */
  readonly lists: readonly WebList[];
  readonly costUsd: number;
  /** Variants that failed, when others did not. */
  readonly failed: readonly { readonly query: string; readonly error: Error }[];
}

/** A search of the live web. `estimateUsd` is the highest price of a query, in USD. */
export interface WebSearch {
  readonly id: string;
  /** @throws IbidError when no variant got an answer */
  search(query: WebQuery, options?: CallOptions): Promise<WebAnswer>;
  estimateUsd(query: WebQuery): number;
  /** Time limit where the caller names no deadline, in ms. @default 4,000 */
  readonly deadlineMs?: number | undefined;
}

/** Where a page stood in the list of a query variant. */
export interface Appearance {
  readonly query: string;
  /** From 1. */
  readonly rank: number;
}

/** One page, whatever addresses and query variants found it; its text is cleaned. */
export interface FoundPage extends WebPage {
  /** Tells that two addresses are one page; see `canonicalUrl`. */
  readonly canonical: string;
  /** Best rank first. */
  readonly found: readonly [Appearance, ...Appearance[]];
}
