import type { Exchange, Reply, Route } from '../contract.ts';
import { type Check, flag, integer, list, Misfit, oneOf, record, text } from '../shape.ts';
import { checkBody, keyed, refuse, type SearchContext } from './context.ts';
import { filterFields, readFilters } from './filters.ts';
import { searchPages, toResults, type WebBudget, type WebResult } from './web.ts';

/** USD per request. */
const searchPrice = 0.005;

/** Content budgets behind the three words. */
const contextSizes: Readonly<Record<string, { tokens: number; tokensPerPage: number }>> = {
  low: { tokens: 2_500, tokensPerPage: 500 },
  medium: { tokens: 5_000, tokensPerPage: 2_000 },
  high: { tokens: 10_000, tokensPerPage: 4_096 },
};

const query: Check = (value, path) =>
  typeof value === 'string' ? text({ min: 1 })(value, path) : list(text({ min: 1 }), { min: 1, max: 5 })(value, path);

const shape = record({
  query,
  'max_results?': integer(1),
  'max_tokens?': integer(1, 1_000_000),
  'max_tokens_per_page?': integer(1, 1_000_000),
  'search_context_size?': oneOf('low', 'medium', 'high'),
  'country?': text({ pattern: /^[A-Z]{2}$/ }),
  'search_type?': oneOf('web', 'people'),
  'search_mode?': oneOf('web', 'academic', 'sec'),
  'display_server_time?': flag,
  ...filterFields,
});

const combinations: Check = (value) => {
  // Called after `shape`.
  const body = value as Record<string, unknown>;
  readFilters(body);
  if (
    body.search_context_size !== undefined &&
    (body.max_tokens !== undefined || body.max_tokens_per_page !== undefined)
  ) {
    throw new Misfit(
      ['search_context_size'],
      'value_error',
      'cannot be combined with max_tokens or max_tokens_per_page',
    );
  }
  if (body.search_type !== 'people') integer(1, 20)(body.max_results ?? 10, ['max_results']);
};

export function webRoutes(context: SearchContext): Route[] {
  return [keyed(context, 'POST', '/search', (exchange) => search(context, exchange))];
}

function search(context: SearchContext, { request, ledger }: Exchange): Reply {
  const body = checkBody(context, request.body, (value, path) => {
    shape(value, path);
    combinations(value, path);
  });
  if (body.search_mode !== undefined) refuse(400, 'invalid_parameter', 'search_mode is not supported', 'search_mode');
  const script = context.script.search ?? {};
  const size = contextSizes[(body.search_context_size as string | undefined) ?? 'high']!;
  const budget: WebBudget = {
    results: (body.max_results as number | undefined) ?? 10,
    tokens: (body.max_tokens as number | undefined) ?? size.tokens,
    tokensPerPage: (body.max_tokens_per_page as number | undefined) ?? size.tokensPerPage,
  };
  const filters = readFilters(body);
  const queries = (Array.isArray(body.query) ? body.query : [body.query]) as string[];
  const lists = queries.map((each) => {
    if (script.empty === true) return [];
    const results = toResults(searchPages(context.pages, each, filters, context.now()), each, budget);
    return script.variants === true ? results.flatMap(withVariants) : results;
  });
  ledger.add({ service: 'search', operation: 'search', units: 1, usd: searchPrice, items: queries });
  return {
    json: {
      id: context.nextId('search'),
      results: Array.isArray(body.query) ? joinLists(lists, script.multi ?? 'flat') : lists[0],
      server_time: body.display_server_time === true ? new Date(context.now() * 1000).toISOString() : null,
    },
  };
}

function joinLists(lists: readonly (readonly WebResult[])[], form: 'grouped' | 'flat' | 'first-only'): unknown {
  if (form === 'grouped') return lists;
  return form === 'flat' ? lists.flat() : lists[0];
}

/** The same page under the addresses a crawler meets it at. */
function withVariants(result: WebResult): WebResult[] {
  const address = new URL(result.url);
  return [
    result,
    { ...result, url: `${address.protocol}//www.${address.host}${address.pathname}?utm_source=feed#top` },
    { ...result, url: `http://${address.host.toUpperCase()}${address.pathname.replace(/\/?$/, '/')}` },
  ];
}
