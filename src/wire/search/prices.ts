import { refuse } from '../http/check.ts';
import { type Cost, type CostPart, costOf, noCost, perMillion } from '../http/cost.ts';
import { findModel, presetSteps, type SearchModel } from './models.ts';

export type ContextSize = 'low' | 'medium' | 'high';

/** USD per million tokens, per search and per request of one answer model. */
export interface AnswerPrices {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  readonly citationPerMillion?: number;
  readonly reasoningPerMillion?: number;
  readonly perSearch?: number;
  /** USD per request by `search_context_size`. */
  readonly perRequest?: Readonly<Record<ContextSize, number>>;
  /** Of a model that works for minutes: what a usual run uses, and the top of its usual price range in USD. */
  readonly typicalRun?: AnswerQuantities & { readonly maxUsd: number };
}

/** Price list of a profile, in USD. Answer and embedding models by their reference names. */
export interface PriceTable {
  readonly answers: Readonly<Record<string, AnswerPrices>>;
  /** Per million tokens. */
  readonly embeddings: Readonly<Record<string, number>>;
  /** Per request of the search operation; a request with several queries is one request. */
  readonly search: number;
  /** Per call of a built-in research tool. */
  readonly tools: Readonly<Record<string, number>>;
  /** Per container session of the research tool `sandbox`. */
  readonly sandbox: number;
  /** What the tokens of a research run cost at most: the service bills its provider's price and lists none. */
  readonly research: {
    readonly inputPerMillion: number;
    readonly outputPerMillion: number;
    /** Tokens of pages and passages that a step reads. */
    readonly tokensPerStep: number;
  };
}

const proFees = { low: 0.006, medium: 0.01, high: 0.014 };

/** The prices section of the reference document. */
export const referencePrices: PriceTable = {
  answers: {
    'answer-base': {
      inputPerMillion: 1,
      outputPerMillion: 1,
      perRequest: { low: 0.005, medium: 0.008, high: 0.012 },
    },
    'answer-pro': { inputPerMillion: 3, outputPerMillion: 15, perRequest: proFees },
    'answer-reasoning-pro': { inputPerMillion: 2, outputPerMillion: 8, perRequest: proFees },
    'answer-deep-research': {
      inputPerMillion: 2,
      outputPerMillion: 8,
      citationPerMillion: 2,
      reasoningPerMillion: 3,
      perSearch: 0.005,
      // 0.41 USD in the reference: its three quantities make 0.368, the rest are 21,000 citation tokens
      typicalRun: {
        completion_tokens: 7_000,
        reasoning_tokens: 74_000,
        num_search_queries: 18,
        citation_tokens: 21_000,
        maxUsd: 1.3,
      },
    },
  },
  embeddings: {
    'embed-v1-0.6b': 0.004,
    'embed-v1-4b': 0.03,
    'embed-context-v1-0.6b': 0.004,
    'embed-context-v1-4b': 0.03,
  },
  search: 0.005,
  tools: { web_search: 0.005, fetch_url: 0.0005 },
  sandbox: 0.03,
  // the highest price in the list of the messages service
  research: { inputPerMillion: 5, outputPerMillion: 25, tokensPerStep: 16_000 },
};

/** The compatible public service lists other prices for the contextual pair. */
export const publicPrices: PriceTable = {
  ...referencePrices,
  embeddings: { ...referencePrices.embeddings, 'embed-context-v1-0.6b': 0.008, 'embed-context-v1-4b': 0.05 },
};

/** Prices that are agreed otherwise: they go before those of the profile. */
export interface OwnSearchPrices {
  /** By model, in USD per million tokens. Of an embedding model, `input`. Names of other services' models are left alone. */
  readonly models?: Readonly<Record<string, { readonly input: number; readonly output?: number | undefined }>>;
  /** In USD: a request of the search operation, a call of a research tool, a session of the sandbox. */
  readonly fees?: { readonly [Name in 'search' | 'web_search' | 'fetch_url' | 'sandbox']?: number | undefined };
}

/** @throws IbidError INVALID_ARGUMENT */
export function withOwnPrices(
  { models, prices }: { readonly models: readonly SearchModel[]; readonly prices: PriceTable },
  { models: own = {}, fees = {} }: OwnSearchPrices,
): PriceTable {
  const answers = { ...prices.answers };
  const embeddings = { ...prices.embeddings };
  for (const [name, { input, output = 0 }] of Object.entries(own)) {
    checkPrices(`prices.models["${name}"]`, [input, output]);
    const answer = findModel(models, 'answer', name)?.name;
    const vectors = (findModel(models, 'contextual', name) ?? findModel(models, 'embedding', name))?.name;
    if (answer !== undefined)
      answers[answer] = { ...answers[answer], inputPerMillion: input, outputPerMillion: output };
    if (vectors !== undefined) embeddings[vectors] = input;
  }
  const { search = prices.search, sandbox = prices.sandbox, ...tools } = fees;
  checkPrices('prices.fees', [search, sandbox, ...Object.values(tools)]);
  const given = Object.fromEntries(
    Object.entries(tools).flatMap(([name, usd]) => (usd === undefined ? [] : [[name, usd]])),
  );
  return { ...prices, answers, embeddings, search, sandbox, tools: { ...prices.tools, ...given } };
}

function checkPrices(field: string, prices: readonly unknown[]): void {
  if (!prices.every((usd) => usd === undefined || (typeof usd === 'number' && Number.isFinite(usd) && usd >= 0)))
    refuse(field, 'must be numbers of USD, at least 0');
}

/** What a call is expected to cost before it is made. */
export interface CostEstimate extends Cost {
  /** The most it can cost; absent where the reference gives no bound. */
  readonly maxUsd?: number;
}

/** Token counts of an answer, in the service's words. */
export interface AnswerQuantities {
  readonly prompt_tokens?: number | undefined;
  readonly completion_tokens?: number | undefined;
  readonly citation_tokens?: number | undefined;
  readonly reasoning_tokens?: number | undefined;
  readonly num_search_queries?: number | undefined;
}

/**
 * The list price of an answer; a model without prices costs nothing here, which is why the service's own figure goes
 * first.
 */
export function answerListPrice(
  prices: AnswerPrices | undefined,
  quantities: AnswerQuantities,
  contextSize: ContextSize = 'low',
): Cost {
  if (prices === undefined) return noCost;
  const tokens = (name: string, quantity: number | undefined, price: number | undefined): CostPart => ({
    name,
    quantity: quantity ?? 0,
    usd: perMillion(quantity ?? 0, price ?? 0),
  });
  const searches = quantities.num_search_queries ?? 0;
  const parts = [
    tokens('input', quantities.prompt_tokens, prices.inputPerMillion),
    tokens('output', quantities.completion_tokens, prices.outputPerMillion),
    tokens('citation', quantities.citation_tokens, prices.citationPerMillion),
    tokens('reasoning', quantities.reasoning_tokens, prices.reasoningPerMillion),
    { name: 'search', quantity: searches, usd: searches * (prices.perSearch ?? 0) },
    { name: 'request', quantity: 1, usd: prices.perRequest?.[contextSize] ?? 0 },
  ];
  return costOf(parts.filter(({ usd }) => usd !== 0)); // a bill without the lines that cost nothing with this model
}

/** Output assumed where a request sets no `max_tokens`. */
const assumedOutputTokens = 1_000;

export interface AnswerEstimate {
  readonly inputTokens: number;
  /** `max_tokens` of the request: the upper bound becomes known. */
  readonly maxTokens?: number | undefined;
  /** Expected output. @default 1,000, or `maxTokens` when that is smaller */
  readonly outputTokens?: number | undefined;
  readonly contextSize?: ContextSize | undefined;
}

/** Cost of an answer before it is asked for. The deep model's figure is the reference's typical run. */
export function estimateAnswerCost(prices: AnswerPrices | undefined, estimate: AnswerEstimate): CostEstimate {
  const { inputTokens, maxTokens, contextSize } = estimate;
  if (prices?.typicalRun !== undefined) {
    const { maxUsd, ...quantities } = prices.typicalRun;
    const cost = answerListPrice(prices, { prompt_tokens: inputTokens, ...quantities }, contextSize);
    return { ...cost, maxUsd: Math.max(cost.usd, maxUsd) };
  }
  const outputTokens = estimate.outputTokens ?? Math.min(assumedOutputTokens, maxTokens ?? assumedOutputTokens);
  const price = (output: number): Cost =>
    answerListPrice(prices, { prompt_tokens: inputTokens, completion_tokens: output }, contextSize);
  return maxTokens === undefined ? price(outputTokens) : { ...price(outputTokens), maxUsd: price(maxTokens).usd };
}

export interface ResearchEstimate {
  readonly preset?: string | undefined;
  readonly maxSteps?: number | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** The provider's own prices, USD per million: the service adds no margin and the reference lists none. */
  readonly tokenPrices?: { readonly inputPerMillion: number; readonly outputPerMillion: number } | undefined;
  /** Built-in tools offered; the sandbox is paid once. @default search and fetch */
  readonly tools?: readonly string[] | undefined;
}

/** The service's short names of its presets. */
const shortNames: Readonly<Record<string, string>> = {
  fast: 'fast-search',
  low: 'pro-search',
  medium: 'deep-research',
  high: 'advanced-deep-research',
};

/** A bare model takes one step; a preset that nobody knows is taken for the most thorough. */
function stepsOf(preset: string | undefined): number {
  if (preset === undefined) return 1;
  return presetSteps[shortNames[preset] ?? preset] ?? Math.max(...Object.values(presetSteps));
}

/**
 * Tool fees of a research run, one call of each offered tool per step, plus model tokens where their price is given.
 */
export function estimateResearchCost(prices: PriceTable, estimate: ResearchEstimate): CostEstimate {
  const steps = estimate.maxSteps ?? stepsOf(estimate.preset);
  const parts: CostPart[] = (estimate.tools ?? Object.keys(prices.tools))
    .filter((name) => name !== 'sandbox')
    .map((name) => ({
      name,
      quantity: steps,
      usd: steps * (prices.tools[name] ?? 0),
    }));
  if (estimate.tools?.includes('sandbox')) parts.push({ name: 'sandbox', quantity: 1, usd: prices.sandbox });
  const tokens = estimate.tokenPrices;
  if (tokens !== undefined) {
    const input = estimate.inputTokens ?? 0;
    const output = estimate.outputTokens ?? assumedOutputTokens;
    parts.push({ name: 'input', quantity: input, usd: perMillion(input, tokens.inputPerMillion) });
    parts.push({ name: 'output', quantity: output, usd: perMillion(output, tokens.outputPerMillion) });
  }
  return costOf(parts);
}

export function searchListPrice(prices: PriceTable, requests: number): Cost {
  return costOf([{ name: 'request', quantity: requests, usd: requests * prices.search }]);
}

/** @param model a reference name */
export function embeddingsListPrice(prices: PriceTable, model: string, tokens: number): Cost {
  return costOf([{ name: 'input', quantity: tokens, usd: perMillion(tokens, prices.embeddings[model] ?? 0) }]);
}
