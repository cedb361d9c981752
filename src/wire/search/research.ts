import { setTimeout as delay } from 'node:timers/promises';
import { objectOf } from '../../core/arguments.ts';
import { infoOf } from '../http/answer.ts';
import { integer, requireId } from '../http/check.ts';
import type { Call, Operation, ServerEvent, StreamReply } from '../http/contract.ts';
import type { SearchContext } from './context.ts';
import { waitFor } from './poll.ts';
import { type CostEstimate, estimateResearchCost, type PriceTable, type ResearchEstimate } from './prices.ts';
import type { SearchDialect } from './profile.ts';
import { checkResearch } from './research-check.ts';
import { isFailed, isFinished, receiveRun, runFailed } from './research-parse.ts';
import { hasExpired, type ResearchStreamOptions, researchStream } from './research-stream.ts';
import type {
  Research,
  ResearchOptions,
  ResearchRequest,
  ResearchRun,
  ResearchStream,
  ResearchWaitOptions,
} from './research-types.ts';
import { researchBody } from './serialise.ts';
import { settledResearch } from './settled.ts';
import { estimateTokens } from './token-estimate.ts';

const cancelTimeoutMs = 10_000;
const cancelWaitMs = 1_000;

type PlainMethods = Pick<Research, 'get' | 'cancel' | 'files' | 'fileContent'>;

/** @param plain the methods that follow from the table of operations */
export function research(context: SearchContext, plain: PlainMethods): Research {
  const { transport, profile, operations } = context;
  const { prices } = profile;

  /** A failure to cancel must not hide why it was wanted. */
  const cancelQuietly = async (id: string): Promise<void> => {
    const cancelled = plain.cancel(id, { timeouts: { totalMs: cancelTimeoutMs }, maxRetries: 1 }).catch(() => {});
    // whoever gives up is not held by a service that does not hear of it
    await Promise.race([cancelled, delay(cancelWaitMs, undefined, { ref: false })]);
  };

  /** Until the run is over, good or bad. */
  const over = async (id: string, options: ResearchWaitOptions): Promise<ResearchRun> => {
    const { onFailure: _, cancelOnAbort = true, ...waiting } = objectOf(options, 'the options');
    const operation = operations['research.get'];
    try {
      return await waitFor(
        operation,
        (call) => plain.get(id, call),
        ({ status }) => isFinished(status),
        waiting,
      );
    } catch (error) {
      if (cancelOnAbort && options.signal?.aborted === true) await cancelQuietly(id);
      throw error;
    }
  };

  const accepted = (operation: Operation, run: ResearchRun, onFailure: ResearchOptions['onFailure']): ResearchRun => {
    if (onFailure !== 'return' && isFailed(run)) throw runFailed({ operation, info: run.info }, run);
    return run;
  };

  const reopen =
    (options: ResearchOptions) =>
    (id: string, after: number | undefined): Promise<StreamReply<ServerEvent>> =>
      transport.events(operations['research.resume'], {
        path: { response_id: id },
        query: { stream: true, starting_after: after },
        options,
      });

  const ended =
    (options: ResearchOptions) =>
    (id: string): Promise<ResearchRun> =>
      over(id, options);

  const streamOf = (
    operation: Operation,
    reply: StreamReply<ServerEvent>,
    options: ResearchOptions,
    goesOn: Pick<ResearchStreamOptions, 'reopen' | 'ended'>,
  ): ResearchStream =>
    researchStream({
      operation,
      reply,
      info: infoOf(reply),
      prices,
      onFailure: options.onFailure ?? 'throw',
      signal: options.signal,
      ...goesOn,
      ...(options.cancelOnAbort === false ? {} : { onAbort: cancelQuietly }),
    });

  return {
    ...plain,

    async create(request, options = {}) {
      const operation = operations['research.create'];
      const run = await receiveRun({
        wiring: context,
        operation,
        call: callOf(profile.dialect, request, false, options),
      });
      return accepted(operation, run, options.onFailure);
    },

    async stream(request, options = {}) {
      const operation = operations['research.stream'];
      const reply = await transport.events(operation, callOf(profile.dialect, request, true, options));
      const goesOn = request.background === true ? { reopen: reopen(options), ended: ended(options) } : {};
      return streamOf(operation, reply, options, goesOn);
    },

    async wait(id, options = {}) {
      return accepted(operations['research.get'], await over(id, options), options.onFailure);
    },

    async resume(id, options = {}) {
      const { startingAfter, onExpired = 'wait', ...call } = objectOf(options, 'the options');
      requireId('id', id);
      integer(0)('startingAfter', startingAfter);
      try {
        const reply = await reopen(call)(id, startingAfter);
        const goesOn = { reopen: reopen(call), ...(onExpired === 'wait' ? { ended: ended(call) } : {}) };
        return streamOf(operations['research.resume'], reply, call, goesOn);
      } catch (error) {
        if (!hasExpired(error) || onExpired === 'throw') throw error;
        return endedStream(accepted(operations['research.get'], await over(id, call), call.onFailure));
      }
    },

    estimateCost: (request, expected = {}) => estimateCost(prices, request, expected),
  };
}

function callOf(dialect: SearchDialect, request: ResearchRequest, stream: boolean, options: ResearchOptions): Call {
  checkResearch(request);
  const maxTokens = request.max_tokens ?? request.max_output_tokens;
  return {
    json: { ...researchBody(dialect, request, stream), ...options.extraBody },
    estimate: {
      inputTokens: inputTokensOf(request),
      ...(maxTokens === undefined ? {} : { outputTokens: maxTokens }),
    },
    attributes: { 'gen_ai.request.model': request.models?.[0] ?? request.model ?? request.preset ?? '' },
    ...(stream ? {} : { settle: settledResearch }),
    options,
  };
}

function estimateCost(
  prices: PriceTable,
  request: ResearchRequest,
  expected: Pick<ResearchEstimate, 'tokenPrices' | 'outputTokens'>,
): CostEstimate {
  checkResearch(request);
  const offered = request.tools
    ?.map((tool) => tool.type)
    .filter((type) => type === 'sandbox' || Object.hasOwn(prices.tools, type));
  return estimateResearchCost(prices, {
    ...expected,
    preset: request.preset,
    maxSteps: request.max_steps,
    inputTokens: inputTokensOf(request),
    // A bare model without tools does not search.
    tools: offered ?? (request.preset === undefined ? [] : undefined),
  });
}

/** Everything the request holds as text, generously. */
function inputTokensOf({ input, instructions, tools }: ResearchRequest): number {
  let tokens = estimateTokens(instructions ?? '');
  if (tools !== undefined) tokens += estimateTokens(JSON.stringify(tools));
  if (typeof input === 'string') return tokens + estimateTokens(input);
  for (const item of input) {
    if (item.type !== 'message') tokens += estimateTokens(item.type === 'function_call' ? item.arguments : item.output);
    else if (typeof item.content === 'string') tokens += estimateTokens(item.content);
    else for (const part of item.content) tokens += part.type === 'input_text' ? estimateTokens(part.text) : 0;
  }
  return tokens;
}

/** A run that is over already, as a stream of its one last event. */
function endedStream(run: ResearchRun): ResearchStream {
  return {
    info: run.info,
    id: run.id,
    lastSequenceNumber: undefined,
    partialText: run.outputText,
    async *[Symbol.asyncIterator]() {
      yield { type: 'done', run, sequenceNumber: undefined };
    },
    final: async () => run,
    cancel: async () => {},
  };
}
