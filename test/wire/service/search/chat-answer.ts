import type { ChatRequest, ContextSize } from './chat-request.ts';
import { countText, type SearchContext, usd } from './context.ts';
import type { Page } from './pages.ts';
import { searchPages, toResults, type WebResult, words } from './web.ts';

/** A whole answer, from which complete and streamed bodies are cut. */
export interface ComposedAnswer {
  /** Reasoning included, inline. */
  readonly content: string;
  readonly finishReason: 'stop' | 'length';
  readonly results: readonly WebResult[];
  readonly images: readonly Record<string, unknown>[] | undefined;
  readonly related: readonly string[] | undefined;
  /** Steps of pro search. */
  readonly steps: readonly Record<string, unknown>[] | undefined;
  readonly promptTokens: number;
  readonly usage: (completionTokens: number, final: boolean) => Record<string, unknown> | undefined;
  /** USD. */
  readonly totalCost: number;
}

interface AnswerPrice {
  readonly input: number;
  readonly output: number;
  readonly request: Readonly<Record<ContextSize, number>>;
}

const resultCounts: Readonly<Record<ContextSize, number>> = { low: 3, medium: 5, high: 8 };

export function composeAnswer(context: SearchContext, request: ChatRequest): ComposedAnswer {
  const { answer: models } = context.models;
  const deep = request.model === models.deepResearch;
  const script = context.script.answer ?? {};
  const pages = request.searches ? searchPages(context.pages, request.question, request.filters, context.now()) : [];
  const results = toResults(pages, request.question, {
    results: resultCounts[request.contextSize],
    tokens: 10_000,
    tokensPerPage: 1_024,
  });
  const spoken = script.text ?? extract(request.question, results);
  const shaped = request.schema === undefined ? spoken : JSON.stringify(fillSchema(request.schema, spoken));
  const thinks = deep || request.model === models.reasoningPro;
  const reasoning = `The question asks about ${words(request.question).slice(0, 6).join(' ')}; {${results.length}} sources are compared.`;
  const opening = script.openThink === true ? '' : '<think>\n';
  const full = thinks ? `${opening}${reasoning}\n</think>\n\n${shaped}` : shaped;
  const cut = cutContent(full, request);
  const promptTokens = request.texts.reduce((sum, text) => sum + countText(text), 0);
  const reasoningTokens = deep ? countText(reasoning) : 0;
  const citationTokens = deep ? results.reduce((sum, { snippet }) => sum + countText(snippet), 0) : 0;
  const queries = deep ? 2 + results.length : 0;
  const price = priceOf(context, request.model);
  const requestCost = price.request[request.contextSize] / 1000;
  const costs = (completionTokens: number) => {
    const parts = {
      input_tokens_cost: usd(promptTokens, price.input),
      output_tokens_cost: usd(completionTokens, price.output),
      ...(deep
        ? {
            citation_tokens_cost: usd(citationTokens, 2),
            reasoning_tokens_cost: usd(reasoningTokens, 3),
            search_queries_cost: usd(queries, 5_000),
          }
        : { request_cost: requestCost }),
    };
    return {
      ...parts,
      total_cost: Number(
        Object.values(parts)
          .reduce((sum, part) => sum + part, 0)
          .toFixed(12),
      ),
    };
  };
  return {
    content: cut.text,
    finishReason: script.finishReason ?? cut.finishReason,
    results,
    images: request.images === undefined ? undefined : imagesOf(pages, request.images),
    related: request.relatedQuestions
      ? pages.slice(0, 3).map(({ title }) => `What else is known about “${title}”?`)
      : undefined,
    steps: request.proSearch ? stepsOf(request.question, results) : undefined,
    promptTokens,
    usage(completionTokens, final) {
      if (script.usage === 'absent') return undefined;
      const zero = { input_tokens_cost: 0, output_tokens_cost: 0, total_cost: 0 };
      return {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
        ...(final ? { search_context_size: request.contextSize } : {}),
        ...(final && deep
          ? { citation_tokens: citationTokens, num_search_queries: queries, reasoning_tokens: reasoningTokens }
          : {}),
        ...(script.usage === 'without-cost' ? {} : { cost: final ? costs(completionTokens) : zero }),
      };
    },
    totalCost: costs(countText(cut.text)).total_cost,
  };
}

function priceOf(context: SearchContext, model: string): AnswerPrice {
  const { base, pro } = context.models.answer;
  const request = model === base ? { low: 5, medium: 8, high: 12 } : { low: 6, medium: 10, high: 14 };
  if (model === base) return { input: 1, output: 1, request };
  return model === pro ? { input: 3, output: 15, request } : { input: 2, output: 8, request };
}

/** One sentence per source, with its marker; adjacent markers where two sources say the same. */
export function extract(question: string, results: readonly { readonly snippet: string }[]): string {
  const wanted = new Set(words(question));
  const said = new Map<string, number[]>();
  for (const [at, { snippet }] of results.entries()) {
    const sentences = snippet
      .replaceAll('\n...\n', ' ')
      .split(/(?<=[.!?])\s+/)
      .filter((text) => text !== '');
    const best = sentences
      .map((text) => ({ text, hits: words(text).filter((word) => wanted.has(word)).length }))
      .sort((a, b) => b.hits - a.hits)[0];
    if (best !== undefined) said.set(best.text, [...(said.get(best.text) ?? []), at + 1]);
  }
  if (said.size === 0) return 'No source was found for this question.';
  return [...said]
    .map(([text, markers]) => `${text.replace(/[.!?]$/, '')}.${markers.map((marker) => `[${marker}]`).join('')}`)
    .join(' ');
}

function cutContent(
  text: string,
  { stops, maxTokens }: ChatRequest,
): { text: string; finishReason: 'stop' | 'length' } {
  const ends = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  let kept = text.slice(0, Math.min(text.length, ...ends));
  if (countText(kept) <= maxTokens) return { text: kept, finishReason: 'stop' };
  const pieces = kept.split(/(?<=\s)/);
  while (pieces.length > 0 && countText(kept) > maxTokens) {
    pieces.pop();
    kept = pieces.join('');
  }
  return { text: kept, finishReason: 'length' };
}

/** The plainest value that fits a JSON Schema, with the text in its strings. */
export function fillSchema(schema: Readonly<Record<string, unknown>>, text: string): unknown {
  const {
    type,
    properties,
    items,
    enum: allowed,
  } = schema as {
    type?: string | string[];
    properties?: Record<string, Record<string, unknown>>;
    items?: Record<string, unknown>;
    enum?: unknown[];
  };
  if (allowed !== undefined) return allowed[0];
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return Object.fromEntries(Object.entries(properties ?? {}).map(([key, inner]) => [key, fillSchema(inner, text)]));
    case 'array':
      return [fillSchema(items ?? { type: 'string' }, text)];
    case 'number':
    case 'integer':
      return Number(/\d+/.exec(text)?.[0] ?? 0);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return text;
  }
}

function imagesOf(
  pages: readonly Page[],
  { domains, formats }: NonNullable<ChatRequest['images']>,
): Record<string, unknown>[] {
  const denied = domains.filter((domain) => domain.startsWith('-')).map((domain) => domain.slice(1));
  const allowed = domains.filter((domain) => !domain.startsWith('-'));
  return pages
    .flatMap((page) => (page.images ?? []).map((image) => ({ page, image })))
    .filter(({ image }) => {
      const { hostname, pathname } = new URL(image.url);
      const onDomain = (domain: string) => hostname === domain || hostname.endsWith(`.${domain}`);
      return (
        (allowed.length === 0 || allowed.some(onDomain)) &&
        !denied.some(onDomain) &&
        (formats.length === 0 || formats.some((format) => pathname.endsWith(`.${format}`)))
      );
    })
    .slice(0, 30)
    .map(({ page, image }) => ({
      image_url: image.url,
      origin_url: page.url,
      title: image.title,
      width: image.width,
      height: image.height,
    }));
}

function stepsOf(question: string, results: readonly WebResult[]): Record<string, unknown>[] {
  return [
    {
      thought: 'Find pages about the question.',
      type: 'web_search',
      web_search: { search_keywords: [words(question).join(' ')], search_results: results },
    },
    {
      thought: 'Read the best page in full.',
      type: 'fetch_url_content',
      fetch_url_content: { contents: results.slice(0, 1) },
    },
  ];
}
