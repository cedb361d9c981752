import { isRecord } from '../../core/records.ts';
import { type Cost, type CostPart, perMillion, perThousand, costOf as sumParts } from '../http/cost.ts';
import { isNative } from './check-tools.ts';
import type { MessageRequest, Usage } from './types.ts';

/** USD per 1M tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

/** The reference document's table. */
export const modelPrices: Readonly<Record<string, ModelPrice>> = {
  'assistant-large-4-6': { input: 5, output: 25 },
  'assistant-medium-4-6': { input: 3, output: 15 },
  'assistant-small-4-5': { input: 1, output: 5 },
};

/** Factors on the input price (cache), on everything (batch, geography), and what one search costs. */
export const priceFactors: {
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly cacheRead: number;
  readonly batch: number;
  readonly inferenceGeoUs: number;
  /** USD per 1,000 searches. */
  readonly webSearchPerThousand: number;
} = { cacheWrite5m: 1.25, cacheWrite1h: 2, cacheRead: 0.1, batch: 0.5, inferenceGeoUs: 1.1, webSearchPerThousand: 10 };

export interface PriceOptions {
  /** Half price. In results it is also known from `usage.service_tier`. */
  readonly batch?: boolean | undefined;
  /** By model. @default `modelPrices`; of a client, those it was opened with and those of its profile */
  readonly prices?: Readonly<Record<string, ModelPrice>> | undefined;
  /** USD for one search of the model. @default 0.01 */
  readonly webSearchUsd?: number | undefined;
}

const webSearchPrice = ({ webSearchUsd = perThousand(1, priceFactors.webSearchPerThousand) }: PriceOptions): number =>
  webSearchUsd;

function priceOf(model: string, prices: PriceOptions['prices']): ModelPrice | undefined {
  const table = prices ?? modelPrices;
  return table[model] ?? table[String(model).replace(/-\d{8}$/, '')];
}

/**
 * What is no count, or beyond all measure, counts as none: a paid answer must not end in an error because of its usage.
 */
export function countOf(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}

/** Tokens of one round. Input is in parts that do not overlap: fresh, written to the cache, read from it. */
export interface BilledRound {
  readonly fresh: number;
  readonly written: number;
  /** The part of `written` that is kept for an hour. */
  readonly writtenHour: number;
  readonly read: number;
  readonly output: number;
}

/** What is billed of an answer: with compaction its rounds, because the total leaves the compaction out. */
export function billedRounds(usage: Usage): readonly BilledRound[] {
  const rounds = Array.isArray(usage.iterations) ? usage.iterations.filter((one): boolean => isRecord(one)) : [];
  return (rounds.length > 0 ? rounds : [usage]).map((round) => ({
    fresh: countOf(round.input_tokens),
    written: countOf(round.cache_creation_input_tokens),
    writtenHour: countOf(round.cache_creation?.ephemeral_1h_input_tokens),
    read: countOf(round.cache_read_input_tokens),
    output: countOf(round.output_tokens),
  }));
}

/**
 * What an answer cost, from its usage. Input is billed in parts that do not overlap (fresh, written to the cache, read
 * from it); with compaction the parts of all iterations count, because the top level leaves the compaction out.
 * @returns undefined for a model without a price
 */
export function messageCost(usage: Usage, model: string, options: PriceOptions = {}): Cost | undefined {
  const price = priceOf(model, options.prices);
  if (price === undefined) return undefined;
  const batch = options.batch ?? usage.service_tier === 'batch';
  const factor = (batch ? priceFactors.batch : 1) * (usage.inference_geo === 'us' ? priceFactors.inferenceGeoUs : 1);
  const tokens = { fresh: 0, write5m: 0, write1h: 0, read: 0, output: 0 };
  for (const round of billedRounds(usage)) {
    tokens.fresh += round.fresh;
    // without a breakdown all of it counts as short-lived, the default
    tokens.write5m += Math.max(0, round.written - round.writtenHour);
    tokens.write1h += round.writtenHour;
    tokens.read += round.read;
    tokens.output += round.output;
  }
  const part = (name: string, quantity: number, usd: number): CostPart => ({
    name,
    quantity,
    usd: perMillion(quantity, usd * factor),
  });
  const searches = countOf(usage.server_tool_use?.web_search_requests);
  return sumParts([
    part('input', tokens.fresh, price.input),
    part('cache-write-5m', tokens.write5m, price.input * priceFactors.cacheWrite5m),
    part('cache-write-1h', tokens.write1h, price.input * priceFactors.cacheWrite1h),
    part('cache-read', tokens.read, price.input * priceFactors.cacheRead),
    part('output', tokens.output, price.output),
    { name: 'web-search', quantity: searches, usd: searches * webSearchPrice(options) },
  ]);
}

export interface EstimateOptions extends PriceOptions {
  /** From `countTokens`; else guessed from the request's characters. */
  readonly inputTokens?: number | undefined;
}

/**
 * The most a request can cost: all of `max_tokens`, every prefix written to the cache when it carries a marker, every
 * allowed web search. A web search without `max_uses` counts ten (the service's own bound on a turn). Input beyond the
 * threshold of a compaction is read twice, and a summary is written. Not in it is what tools of the service bring, such
 * as the pages that a web search reads: they are input too, and nobody knows their tokens before.
 * @returns undefined for a model without a price
 */
export function estimateMessageCost(request: MessageRequest, options: EstimateOptions = {}): Cost | undefined {
  const price = priceOf(request.model, options.prices);
  if (price === undefined) return undefined;
  const factor =
    (options.batch === true ? priceFactors.batch : 1) *
    (request.inference_geo === 'us' ? priceFactors.inferenceGeoUs : 1);
  const tokens = options.inputTokens ?? estimateInputTokens(request);
  const { name, multiplier } = dearestInput(request);
  const searches = searchBound(request);
  const summed = isCompacted(request, tokens) ? tokens : 0;
  const summary = summed > 0 ? SUMMARY_TOKENS : 0;
  return sumParts([
    { name, quantity: tokens, usd: perMillion(tokens, price.input * multiplier * factor) },
    { name: 'compaction', quantity: summed, usd: perMillion(summed, price.input * factor) },
    { name: 'compaction-summary', quantity: summary, usd: perMillion(summary, (price.input + price.output) * factor) },
    { name: 'output', quantity: request.max_tokens, usd: perMillion(request.max_tokens, price.output * factor) },
    { name: 'web-search', quantity: searches, usd: searches * webSearchPrice(options) },
  ]);
}

/** What a token of input may cost at most: with a marker anywhere all of it may be a cache write. */
function dearestInput(request: MessageRequest): { readonly name: string; readonly multiplier: number } {
  const ttls = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isRecord(value)) {
      if (isRecord(value.cache_control)) ttls.add(value.cache_control.ttl ?? '5m');
      if (Array.isArray(value.content)) visit(value.content);
    }
  };
  visit([request, request.tools ?? [], request.system ?? [], request.messages]);
  if (ttls.has('1h')) return { name: 'cache-write-1h', multiplier: priceFactors.cacheWrite1h };
  if (ttls.has('5m')) return { name: 'cache-write-5m', multiplier: priceFactors.cacheWrite5m };
  return { name: 'input', multiplier: 1 };
}

/** Longer than the summaries that were seen; the service states no bound. */
const SUMMARY_TOKENS = 8000;
const COMPACTION_FROM = 150_000;

function isCompacted({ context_management: managed }: MessageRequest, tokens: number): boolean {
  const edit = managed?.edits.find(({ type }) => type.startsWith('compact_'));
  if (edit === undefined) return false;
  const from = isRecord(edit.trigger) ? edit.trigger.value : undefined;
  return tokens >= (typeof from === 'number' ? from : COMPACTION_FROM);
}

function searchBound(request: MessageRequest): number {
  const search = request.tools?.find((tool) => isNative(tool) && tool.name === 'web_search');
  if (search === undefined) return 0;
  const bound = 'max_uses' in search ? search.max_uses : undefined;
  return typeof bound === 'number' ? bound : 10;
}

/** Characters per token: English prose has about four, code and other scripts fewer; three errs on the dear side. */
const CHARACTERS_PER_TOKEN = 3;
const TOOL_OVERHEAD_TOKENS = 590;
const IMAGE_TOKENS = 1568;
/** Base64 of a PDF says little about its pages: bytes per page of a text PDF, tokens per page with its image. */
const PDF_CHARACTERS_PER_PAGE = 40_000;
const PDF_TOKENS_PER_PAGE = 3000 + IMAGE_TOKENS;

/** A guess from the request's size, on the high side; `countTokens` asks the service. */
export function estimateInputTokens(request: Pick<MessageRequest, 'messages' | 'system' | 'tools'>): number {
  let characters = 0;
  let tokens = request.tools === undefined || request.tools.length === 0 ? 0 : TOOL_OVERHEAD_TOKENS;
  const visit = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      if (key !== 'signature' && key !== 'cited_text') characters += value.length;
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, key);
    } else if (typeof value === 'object' && value !== null) {
      const fields = value as Record<string, unknown>;
      if (fields.type === 'image') tokens += IMAGE_TOKENS;
      else if (fields.type === 'base64') {
        tokens += Math.ceil(String(fields.data).length / PDF_CHARACTERS_PER_PAGE) * PDF_TOKENS_PER_PAGE;
      } else if (fields.type === 'file') {
        tokens += PDF_TOKENS_PER_PAGE; // nothing is known of it: a page
      } else for (const [name, inner] of Object.entries(fields)) visit(inner, name);
    }
  };
  visit(request.system, '');
  visit(request.messages, '');
  visit(request.tools, '');
  return tokens + Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Adds up usage of several answers; the keys that are counts are summed, the others are the last one's. */
export function addUsage(left: Usage | undefined, right: Usage): Usage {
  if (left === undefined) return right;
  if (hasIterations(left) !== hasIterations(right)) return addUsage(asIterations(left), asIterations(right));
  return addCounts(
    left as unknown as Record<string, unknown>,
    right as unknown as Record<string, unknown>,
  ) as unknown as Usage;
}

const hasIterations = ({ iterations }: Usage): boolean => (iterations?.length ?? 0) > 0;

/** Where one side has iterations, which alone are what is billed, the other side's counts become one. */
function asIterations(usage: Usage): Usage {
  if (hasIterations(usage)) return usage;
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens, cache_creation } = usage;
  const counts = {
    input_tokens,
    output_tokens,
    ...(cache_creation_input_tokens === undefined ? {} : { cache_creation_input_tokens }),
    ...(cache_read_input_tokens === undefined ? {} : { cache_read_input_tokens }),
    ...(cache_creation === undefined ? {} : { cache_creation }),
  };
  return { ...usage, iterations: [{ type: 'message', ...counts }] };
}

function addCounts(left: Record<string, unknown>, right: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = { ...left };
  for (const [key, value] of Object.entries(right)) {
    const before = out[key];
    if (value === null || value === undefined) continue;
    if (typeof value === 'number') out[key] = typeof before === 'number' ? before + value : value;
    else if (Array.isArray(value)) out[key] = Array.isArray(before) ? [...before, ...value] : value;
    else if (typeof value === 'object' && typeof before === 'object' && before !== null) {
      out[key] = addCounts(before as Record<string, unknown>, value as Record<string, unknown>);
    } else out[key] = value;
  }
  return out;
}
