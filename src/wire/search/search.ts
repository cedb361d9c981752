import { mapConcurrent } from '../../core/async.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { infoOf, invalidAnswer, shaped, shapedList, type Where } from '../http/answer.ts';
import { fields, integer, list, oneOf, required, text, textOr } from '../http/check.ts';
import type { ReplyInfo } from '../http/contract.ts';
import { sumCosts } from '../http/cost.ts';
import { ask } from '../http/endpoint.ts';
import { WireError } from '../http/errors.ts';
import { known } from './check.ts';
import { checkFilters, country, filterFields, languages } from './check-filters.ts';
import type { SearchContext } from './context.ts';
import { normaliseUrl } from './markers.ts';
import type { Open } from './parse.ts';
import { type CostEstimate, searchListPrice } from './prices.ts';
import type {
  Appearance,
  FoundPage,
  MergedResult,
  QueryResults,
  SearchAnswer,
  SearchOptions,
  SearchRequest,
} from './search-types.ts';

const maxTogether = 5;
const defaultConcurrency = 5;

const checkRequest = fields({
  ...known('max_results', 'max_tokens', 'max_tokens_per_page', 'search_context_size', 'search_type'),
  ...known('display_server_time'),
  ...filterFields,
  query: required(textOr(list(text, 1_000, 1))), // each of them costs
  search_language_filter: languages,
  country,
});

/** @returns the queries of the request @throws IbidError INVALID_ARGUMENT naming the field */
function checkSearch(request: SearchRequest, options: SearchOptions = {}): readonly string[] {
  checkRequest('', request);
  checkFilters('', request);
  oneOf(['split', 'together'])('several', options.several);
  integer(1, 100)('concurrency', options.concurrency);
  const queries = typeof request.query === 'string' ? [request.query] : request.query;
  if (options.several === 'together') list(text, maxTogether)('query', queries);
  return queries;
}

/** Failures of the key: what is not sent yet would fail in the same way. */
const forAll: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['KEY_REJECTED', 'BILLING', 'PERMISSION_DENIED']);

interface Asked {
  readonly body: Open;
  readonly lists: Lists;
  readonly info: ReplyInfo;
}

interface Failed {
  readonly error: WireError;
}

const isWireError = (error: unknown): error is WireError => error instanceof WireError;

export type Search = (request: SearchRequest, options?: SearchOptions) => Promise<SearchAnswer>;

export function search(context: SearchContext): Search {
  const { profile, operations } = context;

  const find = async (
    request: SearchRequest,
    query: SearchRequest['query'],
    options: SearchOptions,
  ): Promise<Asked> => {
    const call = { json: { ...request, query, ...options.extraBody }, options };
    const { reply, where } = await ask({ wiring: context, operation: operations.search, call });
    const body = shaped<Found>(where, reply.body, { results: 'array' });
    const lists = readLists(where, body.results, typeof query === 'string' ? 1 : query.length);
    return { body, lists, info: infoOf(reply) };
  };

  return async (request, options = {}) => {
    const queries = checkSearch(request, options);
    const price = searchListPrice(profile.prices, 1);
    if (options.several === 'together' || queries.length === 1) {
      const { body, lists, info } = await find(request, queries.length === 1 ? queries[0]! : queries, options);
      const attributed = queries.length === 1 || lists.grouped;
      return {
        results: mergeResults(lists.lists, attributed),
        queries: queries.map((query, index) => ({
          query,
          results: attributed ? (lists.lists[index] ?? []) : undefined,
        })),
        cost: price,
        responses: [body],
        infos: [info],
      };
    }
    const { concurrency = defaultConcurrency, signal } = options;
    let hopeless: Failed | undefined;
    /** What the others found is paid for: one that fails does not take it away. */
    const one = async (query: string, inner: AbortSignal): Promise<Asked | Failed> => {
      if (hopeless !== undefined) return hopeless;
      try {
        return await find(request, query, { ...options, signal: inner });
      } catch (error) {
        if (!isWireError(error) || inner.aborted) throw error;
        const failed = { error };
        if (forAll.has(error.code)) hopeless = failed;
        return failed;
      }
    };
    const outcomes = await Array.fromAsync(mapConcurrent(queries, one, { concurrency, signal }));
    const answers = outcomes.filter((outcome) => 'body' in outcome);
    const [first] = outcomes;
    if (answers.length === 0 && first !== undefined && 'error' in first) throw first.error;
    const entries = outcomes.map((outcome, index): QueryResults => {
      const query = queries[index]!;
      return 'error' in outcome
        ? { query, results: undefined, error: outcome.error }
        : { query, results: outcome.lists.lists.flat() };
    });
    return {
      results: mergeResults(
        entries.map(({ results }) => results ?? []),
        true,
      ),
      queries: entries,
      cost: sumCosts(answers.map(() => price)),
      responses: answers.map(({ body }) => body),
      infos: answers.map(({ info }) => info),
    };
  };
}

/** What a search will cost: one request per query, or one for all of them. @throws IbidError INVALID_ARGUMENT */
export function estimateSearchCost(
  context: SearchContext,
  request: SearchRequest,
  options: SearchOptions = {},
): CostEstimate {
  const queries = checkSearch(request, options);
  const cost = searchListPrice(context.profile.prices, options.several === 'together' ? 1 : queries.length);
  return { ...cost, maxUsd: cost.usd };
}

interface Lists {
  readonly lists: readonly (readonly FoundPage[])[];
  /** One list per query. */
  readonly grouped: boolean;
}

interface Found extends Open {
  readonly results: readonly unknown[];
}

/** Results are a flat list, or one list per query. */
function readLists(where: Where, results: readonly unknown[], queries: number): Lists {
  const read = (list: unknown, at: string): readonly FoundPage[] => shapedList(where, list, { url: 'string' }, at);
  if (!results.some(Array.isArray)) return { lists: [read(results, 'results')], grouped: false };
  if (results.length !== queries) {
    throw invalidAnswer(where, `results holds ${results.length} lists for ${queries} queries`);
  }
  return { lists: results.map((list, index) => read(list, `results[${index}]`)), grouped: true };
}

/**
 * Several rankings as one list without repeats: by best rank, then by the order of the queries. The page shown is the
 * one found first.
 * @param attributed whether list i is known to belong to query i
 */
export function mergeResults(lists: readonly (readonly FoundPage[])[], attributed: boolean): readonly MergedResult[] {
  const merged = new Map<string, { page: FoundPage; found: Appearance[] }>();
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let position = 0; position < longest; position++) {
    lists.forEach((list, query) => {
      const page = list[position];
      if (page === undefined) return;
      const key = normaliseUrl(page.url);
      const entry = merged.get(key) ?? { page, found: [] };
      merged.set(key, entry);
      // The same page again in one list is a variant of an address, not a second finding.
      if (attributed && !entry.found.some((appearance) => appearance.query === query)) {
        entry.found.push({ query, rank: position + 1 });
      }
    });
  }
  return [...merged.values()];
}

/** The passages of a snippet: the service joins them with a line of three dots. Empty ones are left out. */
export function snippetPassages(snippet: string): readonly string[] {
  return snippet
    .split(/^[ \t]*(?:\.\.\.|…)[ \t]*\r?$/m)
    .map((passage) => passage.trim())
    .filter((passage) => passage !== '');
}
