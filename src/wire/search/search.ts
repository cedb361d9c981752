import { mapConcurrent } from '../../core/async.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { ReplyInfo } from '../http/contract.ts';
import { sumCosts } from '../http/cost.ts';
import { WireError } from '../http/errors.ts';
import {
  checkBoolean,
  checkInteger,
  checkKnown,
  checkOneOf,
  checkRecord,
  checkText,
  checkTexts,
  isRecord,
  refuse,
} from './check.ts';
import { checkCountry, checkFilters, checkLanguages, filterFields } from './check-filters.ts';
import { infoOf, type SearchContext } from './context.ts';
import { invalid, type Where } from './failures.ts';
import { normaliseUrl } from './markers.ts';
import { type Open, recordOf } from './parse.ts';
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
import { defined } from './serialise.ts';

const known: readonly string[] = [
  ...filterFields,
  ...['query', 'max_results', 'max_tokens', 'max_tokens_per_page', 'search_context_size', 'search_language_filter'],
  ...['country', 'search_type', 'display_server_time'],
];

const maxTogether = 5;
const maxQueries = 1_000;
const maxTokens = 1_000_000;
const defaultConcurrency = 5;

/** @returns the queries of the request @throws IbidError INVALID_ARGUMENT naming the field */
export function checkSearch(request: SearchRequest, options: SearchOptions = {}): readonly string[] {
  checkRecord('request', request);
  if ('search_mode' in request) refuse('search_mode', 'is refused by the service', 'Leave it out; answers take it.');
  checkKnown('', request, known);
  checkOneOf('several', options.several, ['split', 'together']);
  checkInteger('concurrency', options.concurrency, 1, 100);
  const { query } = request;
  if (Array.isArray(query)) checkTexts('query', query, options.several === 'together' ? maxTogether : maxQueries);
  else checkText('query', query);
  checkInteger('max_results', request.max_results, 1, request.search_type === 'people' ? 1_000 : 20);
  checkInteger('max_tokens', request.max_tokens, 1, maxTokens);
  checkInteger('max_tokens_per_page', request.max_tokens_per_page, 1, maxTokens);
  checkOneOf('search_context_size', request.search_context_size, ['low', 'medium', 'high']);
  for (const budget of ['max_tokens', 'max_tokens_per_page'] as const) {
    if (request.search_context_size !== undefined && request[budget] !== undefined) {
      refuse('search_context_size', `cannot be combined with ${budget}`, 'Give a size or budgets, not both.');
    }
  }
  checkFilters('', request);
  checkLanguages('search_language_filter', request.search_language_filter);
  checkCountry('country', request.country);
  checkOneOf('search_type', request.search_type, ['web', 'people']);
  checkBoolean('display_server_time', request.display_server_time);
  return typeof query === 'string' ? [query] : query;
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
  const { transport, profile, operations } = context;
  const operation = operations.search;

  const ask = async (request: SearchRequest, query: SearchRequest['query'], options: SearchOptions): Promise<Asked> => {
    const reply = await transport.json(operation, {
      json: { ...defined({ ...request, query }), ...options.extraBody },
      options,
    });
    const where = { operation, info: infoOf(reply) };
    const body = recordOf(where, 'the body', reply.body);
    return { body, lists: readLists(where, body, typeof query === 'string' ? 1 : query.length), info: where.info };
  };

  return async (request, options = {}) => {
    const queries = checkSearch(request, options);
    const price = searchListPrice(profile.prices, 1);
    if (options.several === 'together' || queries.length === 1) {
      const { body, lists, info } = await ask(request, queries.length === 1 ? queries[0]! : queries, options);
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
        return await ask(request, query, { ...options, signal: inner });
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

/** Results are a flat list, or one list per query. */
function readLists(where: Where, body: Readonly<Record<string, unknown>>, queries: number): Lists {
  const { results } = body;
  if (!Array.isArray(results)) throw invalid(where, 'results is not an array');
  if (!results.some(Array.isArray)) return { lists: [readPages(where, 'results', results)], grouped: false };
  if (results.length !== queries) {
    throw invalid(where, `results holds ${results.length} lists for ${queries} queries`);
  }
  const lists = results.map((list: unknown, index) => {
    if (!Array.isArray(list)) throw invalid(where, `results[${index}] is not an array like the others`);
    return readPages(where, `results[${index}]`, list);
  });
  return { lists, grouped: true };
}

function readPages(where: Where, at: string, list: readonly unknown[]): readonly FoundPage[] {
  return list.map((entry, index) => {
    if (!isRecord(entry) || typeof entry.url !== 'string') throw invalid(where, `${at}[${index}] has no url`);
    return entry as FoundPage; // its url has been checked, the other fields are optional
  });
}

/**
 * Several rankings as one list without repeats: by best rank, then by the order of the queries. The page shown is the one found first.
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
