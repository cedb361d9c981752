import { settleLimited } from '../core/limited.ts';
import type { CallOptions } from '../core/types.ts';
import type { WebAnswer, WebPage, WebQuery, WebSearch } from '../web/contract.ts';
import { type FoundPage, type SearchRequest, type SearchService, snippetPassages } from '../wire/search/index.ts';
import { searchFilters } from './filters.ts';

const WORDINGS_AT_ONCE = 5;
/**
 * Extracts of a page, in tokens, as many as the service gives by default. A search costs the same whatever it brings.
 */
export const TOKENS_PER_PAGE = 4096;

/** The raw search of the search service behind the `WebSearch` contract. */
export function serviceWebSearch(service: SearchService): WebSearch {
  return {
    id: 'search',
    estimateUsd: (query) => service.estimateSearchCost(requestOf(query), severalOf(query)).usd,
    search: (query, options = {}) =>
      query.together && query.queries.length > 1 ? askTogether(service, query, options) : ask(service, query, options),
  };
}

/**
 * Sends a request for each query variant: the variant of every page is known, and a failed variant takes no other with
 * it.
 */
async function ask(service: SearchService, query: WebQuery, { signal }: CallOptions): Promise<WebAnswer> {
  const lost = lostRequests(service);
  const settled = await settleLimited(
    query.queries,
    (text) => service.search(requestOf({ ...query, queries: [text] }), { signal, onUnanswered: lost.onUnanswered }),
    WORDINGS_AT_ONCE,
  );
  signal?.throwIfAborted();
  const lists: WebAnswer['lists'][number][] = [];
  const failed: WebAnswer['failed'][number][] = [];
  let costUsd = 0;
  settled.forEach((one, i) => {
    const variant = query.queries[i]!;
    if (one.status === 'rejected') failed.push({ query: variant, error: asError(one.reason) });
    else {
      lists.push({ query: variant, pages: one.value.results.map(({ page }) => pageOf(page)) });
      costUsd += one.value.cost.usd;
    }
  });
  if (lists.length === 0 && failed.length > 0) throw failed[0]!.error;
  return { lists, costUsd: costUsd + lost.usd(), failed };
}

/** Counts attempts that were sent and never answered: they may have been billed, whatever the next one brought. */
function lostRequests({ profile }: SearchService): { readonly usd: () => number; readonly onUnanswered: () => void } {
  let attempts = 0;
  const onUnanswered = (): void => {
    attempts++;
  };
  return { usd: () => attempts * profile.prices.search, onUnanswered };
}

/**
 * Sends up to five query variants in one request. Where the reply is one list, the variant of a page is unknown, and
 * all pages count for the first variant.
 */
async function askTogether(service: SearchService, query: WebQuery, { signal }: CallOptions): Promise<WebAnswer> {
  const lost = lostRequests(service);
  const options = { ...severalOf(query), signal, onUnanswered: lost.onUnanswered };
  const { queries, results, cost } = await service.search(requestOf(query), options);
  const own = queries.flatMap((one) =>
    one.results ? [{ query: one.query, pages: one.results.map((page) => pageOf(page)) }] : [],
  );
  const merged = { query: query.queries[0]!, pages: results.map(({ page }) => pageOf(page)) };
  return { lists: own.length > 0 ? own : [merged], costUsd: cost.usd + lost.usd(), failed: [] };
}

const severalOf = ({ together }: WebQuery): { readonly several: 'together' | 'split' } => ({
  several: together ? 'together' : 'split',
});

function requestOf(query: WebQuery): SearchRequest {
  const { queries, limit } = query;
  return {
    query: queries.length === 1 ? queries[0]! : queries,
    max_results: limit,
    max_tokens_per_page: TOKENS_PER_PAGE,
    max_tokens: TOKENS_PER_PAGE * limit * queries.length, // of all lists
    ...searchFilters(query),
  };
}

/** The page of a result. Only the address has been checked: any other field that is not a string counts as absent. */
function pageOf({ url, title, snippet, date, last_updated: updated }: FoundPage): WebPage {
  return {
    url,
    title: typeof title === 'string' ? title : '',
    extracts: typeof snippet === 'string' ? snippetPassages(snippet) : [],
    ...(typeof date === 'string' ? { published: date } : {}),
    ...(typeof updated === 'string' ? { updated } : {}),
  };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
