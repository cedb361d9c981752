import type { Call, Operation, ServerEvent, StreamReply } from '../http/contract.ts';
import { ItemsOf } from '../http/each.ts';
import { WireError } from '../http/errors.ts';
import { type AsyncAnswers, asyncAnswers } from './answer-async.ts';
import { type CheckedAnswer, checkAnswer } from './answer-check.ts';
import { type AnswerFacts, parseChatResponse, readAnswer } from './answer-parse.ts';
import { researchInstead, researchInsteadStream } from './answer-retired.ts';
import { AnswerAccumulator } from './answer-stream.ts';
import type { Answer, AnswerEvent, AnswerOptions, AnswerRequest, AnswerStream } from './answer-types.ts';
import { infoOf, type SearchContext } from './context.ts';
import { factsOf, PartialResultError, withPartial } from './failures.ts';
import { type CostEstimate, estimateAnswerCost } from './prices.ts';
import { readUntil } from './read-until.ts';
import { separateReasoning } from './reasoning.ts';
import type { Research } from './research.ts';
import { answerBody } from './serialise.ts';
import { settledAnswer } from './settled.ts';

/** Search-grounded answers with citations. */
export interface Answers {
  /** The whole answer at once. @throws IbidError INVALID_ARGUMENT before sending; WireError OPERATION_RETIRED, … */
  create(request: AnswerRequest, options?: AnswerOptions): Promise<Answer>;
  /** The answer as it is written. @throws WireError STREAM_BROKEN with `partial` when the stream ends before the answer does */
  stream(request: AnswerRequest, options?: AnswerOptions): Promise<AnswerStream>;
  /** What a request will cost, from the price list and a generous token count. */
  estimateCost(request: AnswerRequest, expected?: { readonly outputTokens?: number | undefined }): CostEstimate;
  /** Answers that are queued and fetched later. */
  readonly async: AsyncAnswers;
}

export function answers(
  context: SearchContext,
  research: Research,
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
        const reply = await transport.json(operation, callOf(context, checked, false, options));
        const where = { operation, info: infoOf(reply) };
        return readAnswer(parseChatResponse(where, reply.body), factsFor(context, checked, where.info));
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

    async: asyncAnswers(context),
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

export function factsFor(context: SearchContext, checked: CheckedAnswer, info: AnswerFacts['info']): AnswerFacts {
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

/** Dresses the events of an answer as an `AnswerStream`. */
export function answerStream(operation: Operation, reply: StreamReply<ServerEvent>, facts: AnswerFacts): AnswerStream {
  const where = { operation, info: facts.info };
  const accumulator = new AnswerAccumulator(where, facts.model.reasons === true);
  const partialText = (): string => separateReasoning(accumulator.content, facts.model.reasons === true).text;
  const partial = (): Answer => readAnswer(accumulator.response(), facts);
  let answer: Answer | undefined;
  let started = false;

  /** The events in arrays, as they arrived together: `final` needs no turn of the event loop for each of them. */
  async function* batches(): AsyncGenerator<readonly AnswerEvent[], void, undefined> {
    if (started) throw new WireError('CONFLICT', `${operation.name}: a stream can be read once`, factsOf(where));
    started = true;
    try {
      for await (const batch of readUntil(reply, () => accumulator.ended)) {
        const events: AnswerEvent[] = [];
        let failure: { readonly error: unknown } | undefined;
        for (const { data } of batch) {
          try {
            for (const event of accumulator.push(data)) events.push(event);
          } catch (error) {
            failure = { error }; // what came before it is still told, however the bytes were cut
          }
          if (accumulator.ended || failure !== undefined) break;
        }
        if (accumulator.ended) reply.settle(settledAnswer(accumulator.response()) ?? {});
        if (events.length > 0) yield events;
        if (failure !== undefined) throw failure.error;
      }
      if (!accumulator.complete) {
        throw new PartialResultError(
          'STREAM_BROKEN',
          `${operation.name}: the stream ended before the answer did`,
          partial(),
          factsOf(where),
        );
      }
      yield accumulator.flush();
      answer = partial();
    } catch (error) {
      throw withPartial(error, partial());
    }
    yield [{ type: 'done', answer }];
  }

  return {
    get partialText() {
      return partialText();
    },
    info: facts.info,
    [Symbol.asyncIterator]: () => new ItemsOf(batches()),
    async final() {
      if (answer === undefined) for await (const _ of batches());
      return answer!; // set at the end of the loop, which otherwise throws
    },
    cancel: () => reply.cancel(),
  };
}
