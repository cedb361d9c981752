import type { Exchange, Route } from '../contract.ts';
import type { AdminStore } from './admin.ts';
import { limitOf } from './door.ts';
import type { BilledAnswer } from './engine.ts';
import { refuseField } from './errors.ts';

type Get = (path: string, handle: (exchange: Exchange) => unknown, query?: readonly string[]) => Route;

const widths: Readonly<Record<string, { ms: number; most: number; usual: number }>> = {
  '1m': { ms: 60_000, most: 1440, usual: 60 },
  '1h': { ms: 3_600_000, most: 168, usual: 24 },
  '1d': { ms: 86_400_000, most: 31, usual: 7 },
};
const filters = [
  'models[]',
  'workspace_ids[]',
  'api_key_ids[]',
  'service_tiers[]',
  'context_window[]',
  'inference_geos[]',
  'group_by[]',
];
const range = ['starting_at', 'ending_at', 'bucket_width', 'limit', 'page'];

/** Usage, usage of one tool, and cost, in buckets, from what was really billed. */
export function reportRoutes(store: AdminStore, get: Get): Route[] {
  return [
    get('/usage_report/messages', (exchange) => report(store, exchange, usageResults), [...range, ...filters]),
    // The name of the tool-specific report is not part of the reference.
    get('/usage_report/{tool}', (exchange) => report(store, exchange, () => []), range),
    get('/cost_report', (exchange) => report(store, exchange, costResults), [...range, 'group_by[]']),
  ];
}

function report(
  store: AdminStore,
  exchange: Exchange,
  results: (entries: readonly BilledAnswer[], groups: readonly string[]) => unknown[],
): unknown {
  const { query } = exchange.request;
  const width =
    widths[query.get('bucket_width') ?? '1d'] ?? refuseField('bucket_width', "Input should be '1m', '1h' or '1d'");
  const from = Date.parse(query.get('starting_at') ?? refuseField('starting_at', 'Field required'));
  const to = Date.parse(query.get('ending_at') ?? store.at(width.ms));
  if (Number.isNaN(from) || Number.isNaN(to)) refuseField('starting_at', 'must be an RFC 3339 time');
  if (to <= from) refuseField('ending_at', 'must be after starting_at');
  const limit = query.has('limit') ? limitOf(query, width.most) : width.usual;
  const first =
    Math.floor(from / width.ms) * width.ms + Number(query.get('page')?.replace('page_', '') ?? 0) * width.ms;
  const data: unknown[] = [];
  let at = first;
  for (; at < to && data.length < limit; at += width.ms) {
    const inside = store.engine.billed.filter(
      (entry) => entry.atMs >= at && entry.atMs < at + width.ms && wanted(entry, query),
    );
    data.push({
      starting_at: iso(at),
      ending_at: iso(at + width.ms),
      results: results(inside, query.getAll('group_by[]')),
    });
  }
  const more = at < to;
  const page = Math.round((at - Math.floor(from / width.ms) * width.ms) / width.ms);
  return { data, has_more: more, next_page: more ? `page_${page}` : null };
}

function iso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

function wanted(entry: BilledAnswer, query: URLSearchParams): boolean {
  const fits = (parameter: string, value: string): boolean => {
    const list = query.getAll(parameter);
    return list.length === 0 || list.includes(value);
  };
  return fits('models[]', entry.model) && fits('service_tiers[]', entry.tier) && fits('inference_geos[]', entry.geo);
}

function grouped(entries: readonly BilledAnswer[], groups: readonly string[]): Map<string, BilledAnswer[]> {
  const out = new Map<string, BilledAnswer[]>();
  for (const entry of entries) {
    const key = JSON.stringify([
      groups.includes('model') ? entry.model : null,
      groups.includes('service_tier') ? entry.tier : null,
    ]);
    out.set(key, [...(out.get(key) ?? []), entry]);
  }
  return out;
}

function usageResults(entries: readonly BilledAnswer[], groups: readonly string[]): unknown[] {
  return [...grouped(entries, groups)].map(([key, list]) => {
    const [model, tier] = JSON.parse(key) as [string | null, string | null];
    const total = (pick: (entry: BilledAnswer) => number): number => list.reduce((sum, entry) => sum + pick(entry), 0);
    return {
      uncached_input_tokens: total((entry) => entry.tokens.input),
      cache_creation: {
        ephemeral_5m_input_tokens: total((entry) => entry.tokens.write5m),
        ephemeral_1h_input_tokens: total((entry) => entry.tokens.write1h),
      },
      cache_read_input_tokens: total((entry) => entry.tokens.read),
      output_tokens: total((entry) => entry.tokens.output),
      server_tool_use: { web_search_requests: total((entry) => entry.tokens.webSearches) },
      api_key_id: null,
      workspace_id: null,
      model,
      service_tier: tier,
      context_window: null,
    };
  });
}

/** `amount` is a decimal string in cents. */
function costResults(entries: readonly BilledAnswer[]): unknown[] {
  if (entries.length === 0) return [];
  const usd = entries.reduce((sum, entry) => sum + entry.usd, 0);
  return [
    {
      currency: 'USD',
      amount: (usd * 100).toFixed(6),
      workspace_id: null,
      description: null,
      cost_type: null,
      context_window: null,
      model: null,
      service_tier: null,
      token_type: null,
    },
  ];
}
