import type { Call, ServerEvent, StreamReply, WireCallOptions } from '../http/contract.ts';
import { WireError } from '../http/errors.ts';
import { checkInteger, checkText } from './check.ts';
import { infoOf, type SearchContext } from './context.ts';
import { invalid, type Where } from './failures.ts';
import { type Open, recordOf, records, textOf } from './parse.ts';
import { poll, type WaitOptions } from './poll.ts';
import { type CostEstimate, estimateResearchCost, type ResearchEstimate } from './prices.ts';
import { checkResearch, checkSize } from './research-check.ts';
import { isFailed, isFinished, parseResearch, readRun, runFailed } from './research-parse.ts';
import { researchStream } from './research-stream.ts';
import type { ResearchOptions, ResearchRequest, ResearchRun, ResearchStream } from './research-types.ts';
import { researchBody } from './serialise.ts';
import { settledResearch } from './settled.ts';
import { estimateTokens } from './token-estimate.ts';

/** A file a run has made. */
export interface ResearchFile extends Open {
  readonly id: string;
  readonly filename?: string;
  readonly bytes?: number;
  readonly created_at?: number;
}

export interface ResumeOptions extends ResearchOptions {
  /** The last `sequenceNumber` seen; without it the events come from the beginning. */
  readonly startingAfter?: number | undefined;
  /** What to do when the service no longer holds the events: wait for the result, or throw. @default 'wait' */
  readonly onExpired?: 'wait' | 'throw' | undefined;
}

export interface ResearchWaitOptions extends WaitOptions, Pick<ResearchOptions, 'onFailure' | 'cancelOnAbort'> {}

/** Agentic research: models with built-in tools, presets and functions of the caller's. */
export interface Research {
  /** One run. With `background: true` it comes back queued. @throws WireError RUN_FAILED with the run as `partial` */
  create(request: ResearchRequest, options?: ResearchOptions): Promise<ResearchRun>;
  /** One run as it works. A broken stream of a background run is taken up again. */
  stream(request: ResearchRequest, options?: ResearchOptions): Promise<ResearchStream>;
  /** A run as it stands, whatever its status. */
  get(id: string, options?: WireCallOptions): Promise<ResearchRun>;
  /** Asks for the end of a run; `wait` shows when it has ended. @throws WireError REQUEST_REJECTED for a finished or unknown run */
  cancel(id: string, options?: WireCallOptions): Promise<Open>;
  /** Polls until a run is over. @throws WireError RUN_FAILED, TIMEOUT */
  wait(id: string, options?: ResearchWaitOptions): Promise<ResearchRun>;
  /** The events of a background run, from where a reader left off. */
  resume(id: string, options?: ResumeOptions): Promise<ResearchStream>;
  files(id: string, options?: WireCallOptions): Promise<readonly ResearchFile[]>;
  fileContent(id: string, fileId: string, options?: WireCallOptions): Promise<StreamReply<Uint8Array>>;
  /** Tool fees of a run; model tokens too where their price is given, since the service lists none. */
  estimateCost(
    request: ResearchRequest,
    expected?: Pick<ResearchEstimate, 'tokenPrices' | 'outputTokens'>,
  ): CostEstimate;
}

const cancelTimeoutMs = 10_000;

export function research(context: SearchContext): Research {
  const { transport, profile, operations } = context;
  const { prices } = profile;

  const callOf = (request: ResearchRequest, stream: boolean, options: ResearchOptions): Call => {
    checkResearch(request, stream);
    const maxTokens = request.max_tokens ?? request.max_output_tokens;
    const model = request.models?.[0] ?? request.model ?? request.preset ?? '';
    const json = { ...researchBody(profile.dialect, request, stream), ...options.extraBody };
    checkSize(request, json);
    return {
      json,
      estimate: {
        inputTokens: inputTokensOf(request),
        ...(maxTokens === undefined ? {} : { outputTokens: maxTokens }),
      },
      attributes: { 'gen_ai.request.model': model },
      ...(stream ? {} : { settle: settledResearch }),
      options,
    };
  };

  /** A failure to cancel must not hide why it was wanted. */
  const cancelQuietly = async (id: string): Promise<void> => {
    const options = { timeouts: { totalMs: cancelTimeoutMs }, maxRetries: 1 };
    await transport.json(operations['research.cancel'], { path: { response_id: id }, options }).catch(() => {});
  };

  const get = async (id: string, options?: WireCallOptions): Promise<ResearchRun> => {
    checkText('id', id);
    const operation = operations['research.get'];
    const reply = await transport.json(operation, { path: { response_id: id }, options });
    const info = infoOf(reply);
    return readRun(parseResearch({ operation, info }, reply.body), prices, info);
  };

  /** Until the run is over, good or bad. */
  const over = async (id: string, options: ResearchWaitOptions): Promise<ResearchRun> => {
    const { onFailure: _, cancelOnAbort = true, ...waiting } = options;
    try {
      const look = (call: WireCallOptions): Promise<ResearchRun> => get(id, call);
      return await poll(operations['research.get'], look, ({ status }) => isFinished(status), waiting);
    } catch (error) {
      if (cancelOnAbort && options.signal?.aborted === true) await cancelQuietly(id);
      throw error;
    }
  };

  const accepted = (where: Where, run: ResearchRun, onFailure: ResearchOptions['onFailure']): ResearchRun => {
    if (onFailure !== 'return' && isFailed(run)) throw runFailed(where, run);
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

  const streamOf = (
    operation: Where['operation'],
    reply: StreamReply<ServerEvent>,
    options: ResearchOptions,
    background: boolean,
  ): ResearchStream =>
    researchStream({
      operation,
      reply,
      info: infoOf(reply),
      prices,
      onFailure: options.onFailure ?? 'throw',
      signal: options.signal,
      ...(background ? { reopen: reopen(options) } : {}),
      ...(options.cancelOnAbort === false ? {} : { onAbort: cancelQuietly }),
    });

  return {
    get,

    async create(request, options = {}) {
      const operation = operations['research.create'];
      const reply = await transport.json(operation, callOf(request, false, options));
      const where = { operation, info: infoOf(reply) };
      return accepted(where, readRun(parseResearch(where, reply.body), prices, where.info), options.onFailure);
    },

    async stream(request, options = {}) {
      const operation = operations['research.stream'];
      const reply = await transport.events(operation, callOf(request, true, options));
      return streamOf(operation, reply, options, request.background === true);
    },

    async cancel(id, options) {
      checkText('id', id);
      const operation = operations['research.cancel'];
      const reply = await transport.json(operation, { path: { response_id: id }, options });
      return recordOf({ operation, info: infoOf(reply) }, 'the body', reply.body);
    },

    async wait(id, options = {}) {
      const run = await over(id, options);
      return accepted({ operation: operations['research.get'], info: run.info }, run, options.onFailure);
    },

    async resume(id, options = {}) {
      checkText('id', id);
      const { startingAfter, onExpired = 'wait', ...call } = options;
      checkInteger('startingAfter', startingAfter, 0, Number.MAX_SAFE_INTEGER);
      try {
        const reply = await reopen(call)(id, startingAfter);
        return streamOf(operations['research.resume'], reply, call, true);
      } catch (error) {
        const expired = error instanceof WireError && error.code === 'REQUEST_REJECTED' && error.status === 400;
        if (!expired || onExpired === 'throw') throw error;
        const run = await over(id, call);
        return endedStream(accepted({ operation: operations['research.get'], info: run.info }, run, call.onFailure));
      }
    },

    async files(id, options) {
      checkText('id', id);
      const operation = operations['research.files'];
      const reply = await transport.json(operation, { path: { response_id: id }, options });
      const where = { operation, info: infoOf(reply) };
      const { data } = recordOf(where, 'the body', reply.body);
      if (!Array.isArray(data)) throw invalid(where, 'data is not an array');
      return records(data).map((file): ResearchFile => ({ ...file, id: textOf(where, 'data[].id', file.id) }));
    },

    fileContent(id, fileId, options) {
      checkText('id', id);
      checkText('fileId', fileId);
      return transport.bytes(operations['research.fileContent'], {
        path: { response_id: id, file_id: fileId },
        options,
      });
    },

    estimateCost(request, expected = {}) {
      checkResearch(request, false);
      const offered = request.tools?.map((tool) => tool.type).filter((type) => Object.hasOwn(prices.tools, type));
      return estimateResearchCost(prices, {
        ...expected,
        preset: request.preset,
        maxSteps: request.max_steps,
        inputTokens: inputTokensOf(request),
        // A bare model without tools does not search.
        tools: offered ?? (request.preset === undefined ? [] : undefined),
      });
    },
  };
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
