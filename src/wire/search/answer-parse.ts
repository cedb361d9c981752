import { isRecord } from '../../core/records.ts';
import { invalidAnswer, shaped, type Where } from '../http/answer.ts';
import type { ReplyInfo } from '../http/contract.ts';
import { type Cost, type CostPart, noCost } from '../http/cost.ts';
import type { Answer, AnswerChoice, AnswerUsage, ChatResponse, SearchResult } from './answer-types.ts';
import { findCitations, normaliseUrl, type Source } from './markers.ts';
import type { SearchModel } from './models.ts';
import { type Open, optionalQuantity, optionalText, records, texts } from './parse.ts';
import { answerListPrice, type ContextSize, type PriceTable } from './prices.ts';
import { separateReasoning } from './reasoning.ts';

/** A body that has been checked as far as this client uses it. @throws WireError RESPONSE_INVALID */
export function parseChatResponse(where: Where, body: unknown): ChatResponse {
  const response = shaped<ChatResponse>(where, body, { choices: 'array' });
  const { message } = shaped<AnswerChoice>(where, response.choices[0], { message: 'object' }, 'choices[0]');
  const { content } = message;
  if (content !== undefined && content !== null && typeof content !== 'string' && !Array.isArray(content)) {
    throw invalidAnswer(where, 'choices[0].message.content is not a text');
  }
  return response; // the other fields are read through checks when they are used
}

/** A message's text, also from an array of text parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return records(content)
    .map((part) => optionalText(part.text) ?? '')
    .join('');
}

export interface AnswerFacts {
  readonly model: SearchModel;
  readonly prices: PriceTable;
  readonly contextSize: ContextSize | undefined;
  readonly notes: readonly string[];
  readonly info: ReplyInfo;
}

/** Reads an answer out of the body, whether it came at once or was put together from a stream. */
export function readAnswer(response: ChatResponse, facts: AnswerFacts): Answer {
  const choice = response.choices[0]!;
  const { text, reasoning } = separateReasoning(contentText(choice.message.content), facts.model.reasons === true);
  const sources = readSources(response);
  const usage = isRecord(response.usage) ? (response.usage as AnswerUsage) : undefined; // its fields are all optional
  return {
    text,
    reasoning,
    reasoningSteps: records(choice.message.reasoning_steps),
    finishReason: optionalText(choice.finish_reason),
    sources,
    citations: findCitations(text, sources),
    images: records(response.images),
    relatedQuestions: texts(response.related_questions),
    usage,
    cost: answerCost(usage, facts),
    model: optionalText(response.model) ?? facts.model.wireName,
    via: 'answers',
    notes: facts.notes,
    response,
    info: facts.info,
  };
}

/**
 * The citations in their order, each with what `search_results` knows of it; without citations, the search results in
 * order.
 */
export function readSources(response: Open): readonly Source[] {
  const results: readonly SearchResult[] = records(response.search_results);
  const byUrl = new Map<string, SearchResult>();
  for (const result of results) {
    const url = optionalText(result.url);
    if (url !== undefined && !byUrl.has(normaliseUrl(url))) byUrl.set(normaliseUrl(url), result);
  }
  if (!Array.isArray(response.citations) || response.citations.length === 0) {
    return results.map((result, index) => sourceOf(index + 1, optionalText(result.url) ?? '', result));
  }
  return response.citations.map((citation: unknown, index) => {
    const url = optionalText(citation) ?? (isRecord(citation) ? optionalText(citation.url) : undefined) ?? '';
    return sourceOf(index + 1, url, byUrl.get(normaliseUrl(url)) ?? (isRecord(citation) ? citation : undefined));
  });
}

export function sourceOf(number: number, url: string, entry: Open | undefined): Source {
  if (entry === undefined) return { number, url };
  const title = optionalText(entry.title);
  const snippet = optionalText(entry.snippet);
  const date = optionalText(entry.date);
  return {
    number,
    url,
    ...(title === undefined ? {} : { title }),
    ...(snippet === undefined ? {} : { snippet }),
    ...(date === undefined ? {} : { date }),
    entry,
  };
}

/** The service's own figure; the list price where it gives none. */
function answerCost(usage: AnswerUsage | undefined, facts: AnswerFacts): Cost {
  const own = serviceCost(usage?.cost);
  if (own !== undefined) return own;
  if (usage === undefined) return noCost;
  const size = usage.search_context_size;
  const contextSize = size === 'low' || size === 'medium' || size === 'high' ? size : facts.contextSize;
  const quantities = {
    prompt_tokens: optionalQuantity(usage.prompt_tokens),
    completion_tokens: optionalQuantity(usage.completion_tokens),
    citation_tokens: optionalQuantity(usage.citation_tokens),
    reasoning_tokens: optionalQuantity(usage.reasoning_tokens),
    num_search_queries: optionalQuantity(usage.num_search_queries),
  };
  return answerListPrice(facts.prices.answers[facts.model.name], quantities, contextSize);
}

/**
 * `{total_cost, input_tokens_cost, request_cost, …}` as a cost: parts are its numbers but the total, named without
 * `_cost`. `undefined` without a total.
 */
export function serviceCost(cost: unknown): Cost | undefined {
  if (!isRecord(cost)) return undefined;
  const usd = optionalQuantity(cost.total_cost);
  if (usd === undefined) return undefined;
  const parts: CostPart[] = [];
  for (const [name, value] of Object.entries(cost)) {
    const part = optionalQuantity(value);
    if (name === 'total_cost' || !name.endsWith('_cost') || part === undefined || part === 0) continue;
    parts.push({ name: name.replace(/(_tokens)?_cost$/, ''), usd: part });
  }
  return { usd, credits: 0, source: 'service', parts };
}
