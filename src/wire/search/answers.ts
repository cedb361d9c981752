import { infoOf } from '../http/answer.ts';
import type { Call, Operation, ServerEvent, StreamReply } from '../http/contract.ts';
import { ask } from '../http/endpoint.ts';
import { WireError } from '../http/errors.ts';
import { asyncAnswers } from './answer-async.ts';
import { type CheckedAnswer, checkAnswer } from './answer-check.ts';
import { type AnswerFacts, parseChatResponse, readAnswer } from './answer-parse.ts';
import { researchInstead, researchInsteadStream } from './answer-retired.ts';
import { AnswerAccumulator } from './answer-stream.ts';
import type {
  Answer,
  AnswerEvent,
  AnswerOptions,
  AnswerRequest,
  AnswerStream,
  Answers,
  AsyncAnswers,
} from './answer-types.ts';
import type { SearchContext } from './context.ts';
import { broken, withPartial } from './failures.ts';
import { estimateAnswerCost } from './prices.ts';
import { readOnce, readUntil } from './read-once.ts';
import { separateReasoning } from './reasoning.ts';
import type { Research } from './research-types.ts';
import { answerBody } from './serialise.ts';
import { settledAnswer } from './settled.ts';

/** @param reads the methods that follow from the table of operations */
export function answers(
  context: SearchContext,
  research: Research,
  reads: Pick<AsyncAnswers, 'get' | 'list'>,
  defaults: Pick<AnswerOptions, 'onRetired'>,
): Answers {
  const { transport, profile, operations } = context;
  const onRetired = (options: AnswerOptions): NonNullable<AnswerOptions['onRetired']> =>
    options.onRetired ?? defaults.onRetired ?? 'throw';

  return {
    async create(request, options = {}) {
      const checked = checkAnswer(profile, request, false, options);
      const operation = forModel(operations['answers.create'], checked);
      try {
        const { reply, where } = await ask({
          wiring: context,
          operation,
          call: callOf(context, checked, false, options),
        });
        return readAnswer(parseChatResponse(where, reply.body), factsFor(context, checked, infoOf(reply)));
      } catch (error) {
        const fallback = onRetired(options);
        if (fallback === 'throw' || !isRetired(error)) throw error;
        return researchInstead(research, checked, fallback, options);
      }
    },

    async stream(request, options = {}) {
      const checked = checkAnswer(profile, request, true, options);
      const operation = forModel(operations['answers.stream'], checked);
      try {
        const reply = await transport.events(operation, callOf(context, checked, true, options));
        return answerStream(operation, reply, factsFor(context, checked, infoOf(reply)));
      } catch (error) {
        const fallback = onRetired(options);
        if (fallback === 'throw' || !isRetired(error)) throw error;
        return researchInsteadStream(research, checked, fallback, options);
      }
    },

    estimateCost(request, expected = {}) {
      const checked = checkAnswer(profile, request, true);
      return estimateAnswerCost(profile.prices.answers[checked.model.name], {
        inputTokens: checked.inputTokens,
        maxTokens: request.max_tokens,
        outputTokens: expected.outputTokens,
        contextSize: contextSizeOf(checked.request),
      });
    },

    async: asyncAnswers(context, reads),
  };
}

/** The service says in so many words that the operation is gone; any other refusal is not a reason to pay elsewhere. */
function isRetired(error: unknown): boolean {
  return error instanceof WireError && error.code === 'OPERATION_RETIRED';
}

/** A deep model bills while it searches: what may already be running is not sent again. */
function forModel(operation: Operation, { model }: CheckedAnswer): Operation {
  return model.deep === true ? { ...operation, repeat: 'unsent' } : operation;
}

function contextSizeOf(request: AnswerRequest): AnswerFacts['contextSize'] {
  return request.search_context_size ?? request.web_search_options?.search_context_size;
}

function factsFor(context: SearchContext, checked: CheckedAnswer, info: AnswerFacts['info']): AnswerFacts {
  return {
    model: checked.model,
    prices: context.profile.prices,
    contextSize: contextSizeOf(checked.request),
    notes: checked.notes,
    info,
  };
}

function callOf(context: SearchContext, checked: CheckedAnswer, stream: boolean, options: AnswerOptions): Call {
  const { request, model, inputTokens } = checked;
  const { max_tokens: maxTokens } = request;
  return {
    json: { ...answerBody(context.profile.dialect, request, model, stream), ...options.extraBody },
    estimate: { inputTokens, ...(maxTokens === undefined ? {} : { outputTokens: maxTokens }) },
    attributes: {
      'gen_ai.request.model': model.wireName,
      ...(maxTokens === undefined ? {} : { 'gen_ai.request.max_tokens': maxTokens }),
    },
    ...(stream ? {} : { settle: settledAnswer }),
    options,
  };
}

/** A connection that breaks, or stays open in silence, takes nothing from an answer that is whole. */
async function* untilBroken<T>(pieces: AsyncIterable<T>, isWhole: () => boolean): AsyncGenerator<T, void, undefined> {
  try {
    yield* pieces;
  } catch (error) {
    if (!(isWhole() && error instanceof WireError && error.retryable)) throw error;
  }
}

/** Dresses the events of an answer as an `AnswerStream`. */
function answerStream(operation: Operation, reply: StreamReply<ServerEvent>, facts: AnswerFacts): AnswerStream {
  const where = { operation, info: facts.info };
  const reasons = facts.model.reasons === true;
  const accumulator = new AnswerAccumulator(where, reasons);
  const partial = (): Answer => readAnswer(accumulator.response(), facts);
  const over = (): boolean => accumulator.ended;
  const reading = readOnce<ServerEvent, AnswerEvent, Answer>({
    where,
    pieces: untilBroken(readUntil(reply, over), () => accumulator.complete),
    push: ({ data }) => accumulator.push(data),
    over,
    settle: () => reply.settle(settledAnswer(accumulator.response()) ?? {}),
    end() {
      if (!accumulator.complete) throw broken(where, 'the stream ended before the answer did', partial());
      const rest = accumulator.flush();
      const answer = partial();
      return { result: answer, events: [...rest, { type: 'done', answer }] };
    },
    fail: (error) => withPartial(error, partial()),
  });
  return {
    ...reading,
    get partialText() {
      return separateReasoning(accumulator.content, reasons).text;
    },
    info: facts.info,
    cancel: () => reply.cancel(),
  };
}
