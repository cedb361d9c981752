import type { AnswerEvent, Grounding } from '../answer/contract.ts';
import { type HistoryTurn, recentTurns } from '../answer/grounded/request.ts';
import type { ModelUsage } from '../answer/language-model.ts';
import { IbidError } from '../core/errors.ts';
import { Meter } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import {
  type AnswerRequest,
  type AnswerUsage,
  findModel,
  PartialResultError,
  type SearchFilters,
  type SearchService,
  type Answer as WebAnswer,
} from '../wire/search/index.ts';
import { LinkedWriter } from './linked-writer.ts';

export interface WebAnswerOptions extends CallOptions {
  /** @default 'answer-base' */
  readonly model?: string | undefined;
  /** How much of the web is read for it; changes the fee of the request. @default the service's, low */
  readonly contextSize?: 'low' | 'medium' | 'high' | undefined;
  /** Which pages may be used. */
  readonly web?: SearchFilters | undefined;
  /** @default 2,048; the deep model decides for itself */
  readonly maxTokens?: number | undefined;
  /** Of a deep model. */
  readonly effort?: 'low' | 'medium' | 'high' | undefined;
  readonly history?: readonly HistoryTurn[] | undefined;
  readonly meter?: Meter | undefined;
}

export const defaultAnswerModel = 'answer-base';
const MAX_TOKENS = 2048;
const HISTORY_TOKENS = 20_000;

/**
 * An answer of the service from the web alone: no document is looked at, and none is sent. Its sources are links, not
 * citations.
 * @throws IbidError INVALID_ARGUMENT, BUDGET_EXCEEDED, and what the service throws before the first word;
 * OPERATION_RETIRED among it
 */
export async function* answerByService(
  question: string,
  service: SearchService,
  options: WebAnswerOptions = {},
): AsyncGenerator<AnswerEvent, void, undefined> {
  if (question.trim() === '') throw new IbidError('INVALID_ARGUMENT', 'the question is empty');
  const { signal, onSilence, meter = new Meter() } = options;
  const request = requestOf(question, service, options);
  const { usd, maxUsd = usd } = service.answers.estimateCost(request);
  const reservation = meter.reserve(maxUsd);
  const writer = new LinkedWriter();
  const asked = findModel(service.profile.models, 'answer', request.model);
  // reasoning without its opening tag looks like an answer until its closing tag comes
  let isHeld = asked?.reasons === true;
  let held = '';
  let end: WebAnswer | undefined;
  let failure: { readonly stop: Grounding['stop']; readonly error: Error } | undefined;
  yield { type: 'hits', hits: [], query: question };
  try {
    const stream = await service.answers.stream(request, { signal, onSilence });
    try {
      for await (const event of stream) {
        if (event.type === 'sources') writer.setPages(event.sources);
        else if (event.type === 'reasoning') {
          isHeld = false;
          yield { type: 'thinking', text: event.text };
        } else if (event.type === 'reclassified') {
          isHeld = false;
          held = '';
          yield { type: 'thinking', text: event.reasoning };
        } else if (event.type === 'step') yield stepEvent(event.step);
        else if (event.type === 'text') {
          held += event.text;
          if (isHeld) continue;
          yield* writer.write(held);
          held = '';
        } else if (event.type === 'done') end = event.answer;
      }
    } finally {
      await stream.cancel();
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof IbidError)) throw error;
    // the clients of answers put an answer there, and nothing else
    end = error instanceof PartialResultError ? (error.partial as WebAnswer) : undefined;
    const began = writer.text !== '' || held.trim() !== '';
    if (!began) {
      if (error instanceof PartialResultError) reservation.settle(costOf(end) ?? maxUsd);
      else reservation.cancel();
      throw error;
    }
    failure = { stop: 'broken', error };
  } finally {
    reservation.settle(costOf(end) ?? maxUsd); // no effect when it is settled already
  }
  if (end) writer.setPages(end.sources);
  yield* writer.write(held);
  yield* writer.end();
  const stop = failure ?? { stop: end?.finishReason === 'length' ? ('length' as const) : ('end' as const) };
  const answer = writer.finish(
    question,
    [],
    { model: end?.model || request.model, ...stop, usage: usageOf(end?.usage), costUsd: costOf(end) ?? maxUsd },
    { dropped: end?.notes ?? [] },
  );
  if (writer.text === '') yield { type: 'text', text: answer.answer };
  yield { type: 'done', answer };
}

function requestOf(question: string, service: SearchService, options: WebAnswerOptions): AnswerRequest {
  const { model = defaultAnswerModel, contextSize, web = {}, effort, history = [] } = options;
  const isDeep = findModel(service.profile.models, 'answer', model)?.deep === true;
  if (effort !== undefined && !isDeep)
    throw new IbidError('INVALID_ARGUMENT', `an effort is for a deep model, not for "${model}"`, {
      hint: 'Name a deep model, such as answer-deep-research, or leave the effort out.',
    });
  const maxTokens = options.maxTokens ?? (isDeep ? undefined : MAX_TOKENS);
  return {
    ...web,
    model,
    messages: [
      ...recentTurns(history, HISTORY_TOKENS).map(({ role, text }) => ({ role, content: text })),
      { role: 'user', content: question },
    ],
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(contextSize === undefined ? {} : { search_context_size: contextSize }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
  };
}

function stepEvent({ thought, type }: { readonly thought?: string; readonly type?: string }): AnswerEvent {
  return { type: 'step', tool: type ?? 'step', input: thought ?? '', found: 0 };
}

/** Undefined while the service has not said what it used. */
function costOf(answer: WebAnswer | undefined): number | undefined {
  return answer?.usage ? answer.cost.usd : undefined;
}

function usageOf(usage: AnswerUsage | undefined): ModelUsage {
  return {
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  };
}
