import { supportFor } from '../answer/answerability/support-for.ts';
import type { Answer, AnswerEvent, AnswerMode, Band } from '../answer/contract.ts';
import { type StandAlone, standAloneQuery } from '../answer/conversation.ts';
import { answerExtractive, resolveAnswerOptions } from '../answer/extractive/extractive.ts';
import { answerGrounded } from '../answer/grounded/grounded.ts';
import type { HistoryTurn } from '../answer/grounded/request.ts';
import type { LanguageModel, ModelUsage } from '../answer/language-model.ts';
import { collectionStatistics } from '../answer/statistics.ts';
import { IbidError } from '../core/errors.ts';
import type { Meter } from '../core/meter.ts';
import type { CallOptions, Hit } from '../core/types.ts';
import type { RerankChoice } from '../search-index/reranking.ts';
import type { IndexServices, Session } from '../search-index/sessions.ts';
import { defaultModel, type ServiceModelOptions, serviceLanguageModel } from '../services/language-model.ts';
import type { WebOptions } from '../web/options.ts';
import type { AgentPreset } from './agent/agent.ts';
import type { AgentIndex } from './agent/tools.ts';
import type { WebAnswerOptions } from './answer-service.ts';
import type { BatchAnswerOptions, BatchEvent, BatchQuestion, Retrieve } from './batch/contract.ts';
import { fallOver } from './fallback.ts';
import type { ResearchAnswerOptions } from './research.ts';

// What talks to a service is imported when it is asked for: HTTP alone is a third of what starting a search would load.

export type AskMode = AnswerMode;

/** All modes, as they are offered. */
export const askModes: readonly AskMode[] = ['extractive', 'grounded', 'agent', 'research', 'answer'];

export interface AskOptions extends CallOptions {
  /** @default the first of `fallback`, else 'grounded' with a client of the messages service, else 'extractive' */
  readonly mode?: AskMode | undefined;
  /** Modes to fall over to, in order, when one fails before its first word: for want of a key, money, or a service that works. */
  readonly fallback?: readonly AskMode[] | undefined;
  readonly where?: string | undefined;
  /** Extractive: sentences cited at most. @default 3 */
  readonly sentences?: number | undefined;
  /** Passages looked at. @default 10 extractive, 20 grounded */
  readonly passages?: number | undefined;
  /** Lets a model score what was found before it is read, for about half a cent a search. @default false */
  readonly rerank?: boolean | RerankChoice | undefined;
  /** The conversation before the question, oldest first. */
  readonly history?: readonly HistoryTurn[] | undefined;
  /** Grounded: the next question will have this one's hits in its history; they are marked for the service's cache. @default false */
  readonly continues?: boolean | undefined;
  /** Of the messages service: grounded and agent. */
  readonly model?: ServiceModelOptions | undefined;
  /** Of the search service's research. */
  readonly research?: Pick<ResearchAnswerOptions, 'model' | 'effort' | 'web'> | undefined;
  /** Of the search service's answers. */
  readonly answer?: Pick<WebAnswerOptions, 'model' | 'effort' | 'web' | 'contextSize'> | undefined;
  /** Longest answer of a model, in tokens. */
  readonly maxTokens?: number | undefined;
  /** Agent and research: how thorough. @default 'pro-search' */
  readonly preset?: AgentPreset | undefined;
  /** Agent and research: rounds of tools, instead of the preset's. */
  readonly maxSteps?: number | undefined;
  /** Agent: input and output of all its steps together. A quarter is kept back for the answer. @default no bound but steps and money */
  readonly maxTotalTokens?: number | undefined;
  /** Extractive, grounded: the web is searched with the index; agent: the model may search it. @default false */
  readonly web?: boolean | WebOptions | undefined;
  /** What the question may cost, in USD, shared with other calls of the same meter. */
  readonly meter?: Meter | undefined;
}

const PASSAGES = { extractive: 10, grounded: 20 };

/** What answering needs of an index. */
export interface Answerable {
  session(): Promise<Session>;
  find(
    query: string,
    options: CallOptions & {
      readonly limit: number;
      readonly where?: string | undefined;
      /** The web too, if the question may have it. @default false */
      readonly web?: boolean | undefined;
    },
  ): Promise<readonly Hit[]>;
  /** Pages of the web alone; absent when the question may not have it. */
  readonly searchWeb?: ((query: string, options: CallOptions) => Promise<readonly Hit[]>) | undefined;
  /** What models have made of follow-up questions, so that the same one after the same conversation is not paid for again. */
  readonly rewritten: Map<string, StandAlone>;
  /** Chunks `[from, to)` of a document. */
  read(uri: string, from: number, to: number, options: CallOptions): Promise<readonly Hit[]>;
}

/**
 * Answers a question, event by event; the last event is `done`. The texts joined are the answer's.
 * @throws IbidError INVALID_ARGUMENT, INVALID_FILTER, KEY_MISSING, BUDGET_EXCEEDED, and what a service throws before the first word
 */
export async function* answerEvents(
  index: Answerable,
  services: IndexServices,
  question: string,
  options: AskOptions,
): AsyncGenerator<AnswerEvent, void, undefined> {
  if (question.trim() === '') throw new IbidError('INVALID_ARGUMENT', 'the question is empty');
  const modes = modesOf(services, options);
  const answerIn = (mode: AskMode): AsyncIterable<AnswerEvent> => {
    if (mode === 'extractive') return extractive(index, question, options);
    if (mode === 'grounded') return grounded(index, services, question, options);
    if (mode === 'agent') return agent(index, services, question, options);
    return mode === 'research' ? research(index, services, question, options) : fromTheWeb(services, question, options);
  };
  yield* fallOver(modes, answerIn, options);
}

/** The mode asked for and those to fall over to, each once. @throws IbidError INVALID_ARGUMENT */
function modesOf({ messages }: IndexServices, { mode, fallback = [] }: AskOptions): readonly AskMode[] {
  const first = mode ?? fallback[0] ?? (messages ? 'grounded' : 'extractive');
  const modes = [...new Set([first, ...fallback])];
  const unknown = modes.find((one) => !askModes.includes(one));
  if (unknown !== undefined)
    throw new IbidError('INVALID_ARGUMENT', `there is no mode "${String(unknown)}"`, {
      hint: `Use ${askModes.join(', ')}.`,
    });
  return modes;
}

async function* extractive(index: Answerable, question: string, options: AskOptions): AsyncGenerator<AnswerEvent> {
  const { where, sentences, passages = PASSAGES.extractive, signal } = options;
  const { query } = await standAlone(index, question, options);
  const hits = await index.find(query, { where, limit: passages, web: true, signal });
  yield { type: 'hits', hits, query };
  const { snapshot, calibration } = await index.session();
  const statistics = await collectionStatistics(snapshot.lexical, query, { signal });
  const answer = answerExtractive(query, hits, statistics, { sentences, calibration });
  yield* toldAtOnce({ ...answer, question });
}

/** What to search for in place of a follow-up question. With a model it may be asked to rewrite it. */
async function standAlone(
  index: Answerable,
  question: string,
  { history = [], meter, signal }: AskOptions,
  model?: LanguageModel,
): Promise<StandAlone> {
  if (history.length === 0) return { query: question, by: 'question', costUsd: 0 };
  const { snapshot } = await index.session();
  const statistics = (text: string) => collectionStatistics(snapshot.lexical, text, { signal });
  return await standAloneQuery(question, history, { model, meter, statistics, cache: index.rewritten, signal });
}

function* toldAtOnce(answer: Answer): Generator<AnswerEvent> {
  for (const citation of answer.citations) yield { type: 'citation', citation };
  yield { type: 'text', text: answer.answer };
  yield { type: 'done', answer };
}

async function* grounded(
  index: Answerable,
  services: IndexServices,
  question: string,
  options: AskOptions,
): AsyncGenerator<AnswerEvent> {
  const { where, passages = PASSAGES.grounded, history, continues, maxTokens, meter, signal } = options;
  const model = serviceLanguageModel(messagesOf(services), options.model);
  const { query, costUsd, usage } = await standAlone(index, question, options, model);
  const hits = await index.find(query, { where, limit: passages, web: true, signal });
  const judged = { query, ...(await judgeHits(await index.session(), query, hits, signal)) };
  const call = { history, continues, maxTokens, meter, signal };
  for await (const event of answerGrounded(question, hits, judged, model, call))
    yield event.type === 'done' && usage ? { ...event, answer: withCosts(event.answer, usage, costUsd) } : event;
}

/** An answer with what was spent before it was asked for. */
function withCosts(answer: Answer, spent: ModelUsage, costUsd: number): Answer {
  const { grounding } = answer;
  if (!grounding) return answer;
  const { usage } = grounding;
  const sum = {
    inputTokens: usage.inputTokens + spent.inputTokens,
    outputTokens: usage.outputTokens + spent.outputTokens,
    cacheReadTokens: usage.cacheReadTokens + spent.cacheReadTokens,
    cacheWriteTokens: usage.cacheWriteTokens + spent.cacheWriteTokens,
  };
  return { ...answer, grounding: { ...grounding, usage: sum, costUsd: grounding.costUsd + costUsd } };
}

export interface AskBatchOptions extends BatchAnswerOptions, Pick<AskOptions, 'where' | 'passages' | 'web'> {}

/**
 * Answers many questions through the batch operation, as `grounded` would.
 * @throws IbidError KEY_MISSING, INVALID_ARGUMENT, BUDGET_EXCEEDED before anything is sent, and what the service throws
 */
export async function* batchEvents(
  index: Answerable,
  services: IndexServices,
  questions: readonly BatchQuestion[],
  options: AskBatchOptions,
): AsyncGenerator<BatchEvent, void, undefined> {
  const { where, passages = PASSAGES.grounded, web: _, ...batch } = options;
  const retrieve: Retrieve = async (question, { signal }) => {
    const hits = await index.find(question, { where, limit: passages, web: true, signal });
    return { hits, judged: await judgeHits(await index.session(), question, hits, signal) };
  };
  const { answerInBatch } = await import('./batch/answers.ts');
  yield* answerInBatch(questions, retrieve, messagesOf(services), batch);
}

/** How far the hits support an answer, by the index's own thresholds. */
async function judgeHits(
  { snapshot, calibration }: Session,
  question: string,
  hits: readonly Hit[],
  signal: AbortSignal | undefined,
): Promise<{ readonly band: Band; readonly support: number }> {
  const statistics = await collectionStatistics(snapshot.lexical, question, { signal });
  const { refuseBelow, answerFrom } = resolveAnswerOptions({ calibration });
  const support = supportFor(question, hits, statistics);
  return { support, band: support < refuseBelow ? 'refused' : support < answerFrom ? 'closest' : 'answered' };
}

async function* agent(
  index: Answerable,
  services: IndexServices,
  question: string,
  options: AskOptions,
): AsyncGenerator<AnswerEvent> {
  const { where, history, maxTokens, maxTotalTokens, preset, maxSteps, meter, signal, model } = options;
  const tools: AgentIndex = {
    search: (query, call) => index.find(query, { where, ...call }),
    read: (uri, from, to, call) => index.read(uri, from, to, call),
    searchWeb: index.searchWeb,
  };
  const { answerAsAgent } = await import('./agent/agent.ts');
  yield* answerAsAgent(question, tools, messagesOf(services), {
    model: model?.model ?? defaultModel,
    thinking: model?.thinking,
    effort: model?.effort,
    history,
    maxTokens,
    maxTotalTokens,
    preset,
    maxSteps,
    meter,
    signal,
  });
}

async function* research(
  index: Answerable,
  services: IndexServices,
  question: string,
  options: AskOptions,
): AsyncGenerator<AnswerEvent> {
  const { where, history, maxTokens, preset, maxSteps, meter, signal } = options;
  const search = {
    search: (query: string, call: CallOptions & { readonly limit: number }) => index.find(query, { where, ...call }),
  };
  const { answerByResearch } = await import('./research.ts');
  yield* answerByResearch(question, search, searchOf(services), {
    ...options.research,
    history,
    maxTokens,
    preset,
    maxSteps,
    meter,
    signal,
  });
}

async function* fromTheWeb(
  services: IndexServices,
  question: string,
  options: AskOptions,
): AsyncGenerator<AnswerEvent> {
  const { history, maxTokens, meter, signal } = options;
  const { answerByService } = await import('./answer-service.ts');
  yield* answerByService(question, searchOf(services), { ...options.answer, history, maxTokens, meter, signal });
}

/** @throws IbidError KEY_MISSING */
function searchOf({ search }: IndexServices): NonNullable<IndexServices['search']> {
  if (search) return search;
  throw new IbidError('KEY_MISSING', 'an answer of the search service needs a key for it, and there is none', {
    hint: 'Set IBID_SEARCH_API_KEY and IBID_SEARCH_BASE_URL, or pass `services: { search }` to openIndex.',
  });
}

/** @throws IbidError KEY_MISSING */
function messagesOf({ messages }: IndexServices): NonNullable<IndexServices['messages']> {
  if (messages) return messages;
  throw new IbidError(
    'KEY_MISSING',
    'an answer written by a model needs the messages service, and there is no key for it',
    {
      hint: 'Set IBID_MESSAGES_API_KEY and IBID_MESSAGES_BASE_URL, or pass `services: { messages }` to openIndex; without them, answers are extractive.',
    },
  );
}
