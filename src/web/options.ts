import { checkChoice, namedOf, wholeOf } from '../core/arguments.ts';
import { checkTexts, filterNames, resolveFilters, type WebFilters } from './filters.ts';
import { DEFAULT_PER_SITE } from './merged-search.ts';

/** How the web takes part in a search. */
export interface WebOptions extends WebFilters {
  /**
   * Query variants, 1 to 5, each a request of its own and paid as such. Keywords find more than sentences.
   * @default the query, its rarest half and its rarest third (of at least four words, on an index of at least 500
   * chunks), in one request
   */
  readonly queries?: readonly string[] | undefined;
  /** Pages for each query variant, 1 to 20; the price is the same. @default 20 */
  readonly limit?: number | undefined;
  /** Hits of one site at most. @default 3 */
  readonly perSite?: number | undefined;
  /**
   * How long the index's own hits may wait for the web, all of it: search, pages, vectors. @default 4,000; 30,000 where
   * a model searches
   */
  readonly deadlineMs?: number | undefined;
  /** Reads the pages themselves instead of the search's extracts. Private addresses are refused. @default false */
  readonly fetch?: boolean | undefined;
}

export type ResolvedWebOptions = Omit<WebOptions, 'limit' | 'perSite' | 'deadlineMs'> &
  Required<{ readonly [K in 'limit' | 'perSite' | 'deadlineMs']: number }>;

const optionNames = ['queries', 'limit', 'perSite', 'deadlineMs', 'fetch', ...filterNames] as const;

const DEFAULT_DEADLINE_MS = 4000;

/** @param deadlineMs of the web search itself @throws IbidError INVALID_ARGUMENT naming the field */
export function resolveWebOptions(
  options: WebOptions | true,
  deadlineMs: number = DEFAULT_DEADLINE_MS,
): ResolvedWebOptions {
  checkChoice(options, 'web');
  const given = options === true ? {} : namedOf(options, optionNames, 'web');
  checkTexts('web.queries', given.queries, 5);
  resolveFilters(given);
  return {
    ...given,
    limit: wholeOf(given.limit ?? 20, 'web.limit', 1, 20),
    perSite: wholeOf(given.perSite ?? DEFAULT_PER_SITE, 'web.perSite', 1, 1000),
    deadlineMs: wholeOf(given.deadlineMs ?? deadlineMs, 'web.deadlineMs', 1, 600_000),
  };
}
