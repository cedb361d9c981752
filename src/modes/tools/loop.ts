import { listOf, numberOf, objectOf, optionsOf, wholeOf } from '../../core/arguments.ts';
import { mapConcurrent } from '../../core/async.ts';
import { IbidError } from '../../core/errors.ts';
import { type Cost, noCost, sumCosts } from '../../wire/http/cost.ts';
import {
  addUsage,
  billedRounds,
  type ContentBlock,
  type Message,
  type MessageCallOptions,
  type MessageParam,
  type MessageRequest,
  type MessagesService,
  type PriceOptions,
  type StreamEvent,
  type Tool,
  type ToolResultBlockParam,
  type ToolUseBlock,
  toolResult,
  type Usage,
} from '../../wire/messages/index.ts';
import { runTool, type ToolCallReport, toolMap } from './run-tool.ts';

export interface ToolLoopOptions extends MessageCallOptions {
  readonly tools: readonly Tool[];
  /** Calls of the model, resumed pauses included. @default 10 */
  readonly maxSteps?: number | undefined;
  /** Resumptions of a paused server-tool turn. @default 5 */
  readonly maxPauses?: number | undefined;
  /** Input and output tokens of all steps together. */
  readonly maxTotalTokens?: number | undefined;
  /** The next step is not sent when at worst it would cost more than is left. Needs a model with a price. */
  readonly maxUsd?: number | undefined;
  /** Called with the request of each step before it is sent. BUDGET_EXCEEDED from here ends the loop as `maxUsd` does. */
  readonly beforeStep?: ((request: MessageRequest) => void | Promise<void>) | undefined;
  /** Handlers running at once, of the calls of one step. @default 8 */
  readonly concurrency?: number | undefined;
  /** Milliseconds for one handler; 0: none. @default 0 */
  readonly toolTimeoutMs?: number | undefined;
  /** Prices other than the service's own. */
  readonly prices?: PriceOptions['prices'];
  /**
   * `runTools` only: told of each answer and tool result as it is there, so that nothing is lost when a later step
   * fails.
   */
  readonly onEvent?: ((event: ToolLoopEvent) => void) | undefined;
}

/** How a loop went. `messages` can be sent again as it is, with a further user turn. */
export interface ToolRun {
  /** The model's last answer. */
  readonly message: Message;
  /** Text of the last turn, over its pauses. */
  readonly text: string;
  readonly messages: readonly MessageParam[];
  readonly steps: number;
  readonly calls: readonly ToolCallReport[];
  /** Summed over all steps. */
  readonly usage: Usage;
  /** Undefined for a model without a price. */
  readonly cost: Cost | undefined;
}

/**
 * A loop that reached a bound, with everything up to there. `messages` is whole: open calls are answered as not run.
 */
export class ToolLoopError extends IbidError {
  readonly run: ToolRun;

  constructor(code: 'STEPS_EXCEEDED' | 'BUDGET_EXCEEDED', message: string, hint: string, run: ToolRun) {
    super(code, message, { hint });
    this.run = run;
  }
}

/** What happens in a loop of tool calls; steps count from 1. */
export type ToolLoopEvent =
  /** Streaming form only: an event of the answer of this step. */
  | { readonly type: 'stream'; readonly step: number; readonly event: StreamEvent }
  | { readonly type: 'message'; readonly step: number; readonly message: Message }
  | ({ readonly type: 'tool'; readonly step: number } & ToolCallReport)
  | { readonly type: 'done'; readonly run: ToolRun };

/** What the loop needs of a client of the messages service. */
export type ToolLoopService = Pick<MessagesService, 'create' | 'stream' | 'estimateCost' | 'costOf'>;

/**
 * Runs the model and its tools until it answers without calling one. Assistant content goes back unchanged; all results
 * of a step go in one user message, in the order of the calls. A forced `tool_choice` holds for the first step only, or
 * the loop would never end.
 * @throws ToolLoopError STEPS_EXCEEDED or BUDGET_EXCEEDED with the transcript so far
 */
export async function runTools(
  service: ToolLoopService,
  request: MessageRequest,
  options: ToolLoopOptions,
): Promise<ToolRun> {
  const { onEvent, ...rest } = checked(service, request, options);
  const call = callOptionsOf(rest);
  // biome-ignore lint/correctness/useYield: an answer that is not streamed has no events
  const loop = toolLoop(service, request, rest, async function* (next, signal) {
    return await service.create(next, { ...call, signal });
  });
  for (;;) {
    const next = await loop.next();
    if (next.done === true) return next.value;
    onEvent?.(next.value);
  }
}

/** The same as events, the answers streamed; ends with `done`. */
export function streamTools(
  service: ToolLoopService,
  request: MessageRequest,
  options: ToolLoopOptions,
): AsyncGenerator<ToolLoopEvent, ToolRun, undefined> {
  const call = callOptionsOf(checked(service, request, options));
  return toolLoop(service, request, options, async function* (next, signal) {
    const answer = service.stream(next, { ...call, signal });
    yield* { [Symbol.asyncIterator]: () => answer[Symbol.asyncIterator]() };
    return answer.message();
  });
}

function checked(service: ToolLoopService, request: MessageRequest, options: ToolLoopOptions): ToolLoopOptions {
  objectOf(service, 'the client', 'create');
  objectOf(request, 'the request');
  listOf(optionsOf(options).tools, 'tools');
  return options;
}

/** The loop's own options are not the transport's. */
function callOptionsOf(options: ToolLoopOptions): MessageCallOptions {
  const { tools, maxSteps, maxPauses, maxTotalTokens, maxUsd, beforeStep, concurrency, ...rest } = options;
  const { toolTimeoutMs, prices, onEvent, ...call } = rest;
  return call;
}

/** One call of the model; yields its events in the streaming form, none otherwise. */
type Turn = (request: MessageRequest, signal: AbortSignal) => AsyncGenerator<StreamEvent, Message, undefined>;

async function* toolLoop(
  service: ToolLoopService,
  request: MessageRequest,
  options: ToolLoopOptions,
  turn: Turn,
): AsyncGenerator<ToolLoopEvent, ToolRun, undefined> {
  const bounds = checkBounds(options);
  const tools = toolMap(options.tools);
  const abort = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, abort.signal]) : abort.signal;
  const state = new Transcript(service, request, options);
  let pauses = 0;
  try {
    for (;;) {
      state.checkBudget(bounds, tools);
      const sent = await state.next(tools, options.beforeStep);
      const step = state.steps;
      const events = turn(sent, signal);
      let next = await events.next();
      try {
        for (; next.done !== true; next = await events.next()) yield { type: 'stream', step, event: next.value };
      } finally {
        if (next.done !== true) await events.return(undefined as never); // leaving: the value is not looked at
      }
      const message = next.value;
      state.add(message);
      yield { type: 'message', step, message };
      if (message.stop_reason === 'pause_turn' || message.stop_reason === 'compaction') {
        pauses += 1;
        if (pauses > bounds.maxPauses)
          state.exceeded(`the turn was paused more than ${bounds.maxPauses} times`, 'Raise maxPauses.');
        if (step >= bounds.maxSteps) state.exceeded(`the model was called ${step} times`, 'Raise maxSteps.');
        continue;
      }
      const calls = openCalls(message);
      // Cut or refused answers may hold a call that is not whole: nothing of them is run.
      if (message.stop_reason !== 'tool_use' || calls.length === 0) break;
      if (step >= bounds.maxSteps)
        state.exceeded(`the model was called ${step} times and asks for more tools`, 'Raise maxSteps.');
      const results: ToolResultBlockParam[] = [];
      for await (const report of runAll(tools, calls, { signal, step, ...bounds })) {
        state.calls.push(report);
        results.push(report.result);
        yield { type: 'tool', step, ...report };
      }
      state.answer(results);
    }
    const run = state.finish('the answer was cut before this call was whole');
    yield { type: 'done', run };
    return run;
  } finally {
    abort.abort();
  }
}

interface Bounds {
  readonly maxSteps: number;
  readonly maxPauses: number;
  readonly maxTotalTokens: number;
  readonly maxUsd: number;
  readonly concurrency: number;
  readonly timeoutMs: number;
}

function checkBounds(options: ToolLoopOptions): Bounds {
  const most = (name: string, value: number): number => numberOf(value, name, 0, Infinity);
  return {
    maxSteps: wholeOf(options.maxSteps ?? 10, 'maxSteps', 1),
    maxPauses: wholeOf(options.maxPauses ?? 5, 'maxPauses', 0),
    maxTotalTokens: most('maxTotalTokens', options.maxTotalTokens ?? Number.POSITIVE_INFINITY),
    maxUsd: most('maxUsd', options.maxUsd ?? Number.POSITIVE_INFINITY),
    concurrency: wholeOf(options.concurrency ?? 8, 'concurrency', 1),
    timeoutMs: wholeOf(options.toolTimeoutMs ?? 0, 'toolTimeoutMs', 0),
  };
}

/** The conversation as it grows, and what it has cost. */
class Transcript {
  steps = 0;
  readonly calls: ToolCallReport[] = [];
  readonly #service: ToolLoopService;
  readonly #first: MessageRequest;
  readonly #prices: PriceOptions;
  readonly #messages: MessageParam[];
  #usage: Usage | undefined;
  #cost: Cost | undefined = noCost;
  #message: Message | undefined;
  #container: MessageRequest['container'];

  constructor(service: ToolLoopService, request: MessageRequest, { prices }: ToolLoopOptions) {
    this.#service = service;
    this.#first = request;
    this.#prices = prices === undefined ? {} : { prices };
    this.#messages = [...request.messages];
    this.#container = request.container;
  }

  request(tools: ReadonlyMap<string, Tool>): MessageRequest {
    const { tools: own = [], tool_choice: choice, ...rest } = this.#first;
    const definitions = [...own, ...[...tools.values()].map(({ definition }) => definition)];
    return {
      ...rest,
      messages: this.#messages,
      ...(definitions.length === 0 ? {} : { tools: definitions }),
      ...(choice === undefined ? {} : { tool_choice: this.steps > 1 ? unforced(choice) : choice }),
      ...(this.#container === undefined ? {} : { container: this.#container }),
    };
  }

  /** The request of the next step. */
  async next(tools: ReadonlyMap<string, Tool>, beforeStep: ToolLoopOptions['beforeStep']): Promise<MessageRequest> {
    this.steps += 1;
    const request = this.request(tools);
    try {
      await beforeStep?.(request);
    } catch (cause) {
      this.steps -= 1;
      if (!(cause instanceof IbidError) || cause.code !== 'BUDGET_EXCEEDED' || this.#message === undefined) throw cause;
      const run = this.finish('the money budget was reached');
      throw new ToolLoopError('BUDGET_EXCEEDED', cause.message, 'Raise the budget or lower max_tokens.', run);
    }
    return request;
  }

  add(message: Message): void {
    this.#message = message;
    this.#usage = addUsage(this.#usage, message.usage);
    const cost =
      this.#service.costOf(message, this.#prices) ??
      this.#service.costOf({ usage: message.usage, model: this.#first.model }, this.#prices);
    this.#cost = cost === undefined || this.#cost === undefined ? undefined : sumCosts([this.#cost, cost]);
    if (message.container?.id !== undefined) this.#container = message.container.id;
    if (message.content.length === 0) return;
    const last = this.#messages.at(-1);
    // After a pause the turn goes on: one assistant message, its blocks unchanged and in order.
    if (last?.role === 'assistant' && typeof last.content !== 'string') {
      this.#messages[this.#messages.length - 1] = { role: 'assistant', content: [...last.content, ...message.content] };
    } else this.#messages.push({ role: 'assistant', content: message.content });
  }

  answer(results: readonly ToolResultBlockParam[]): void {
    this.#messages.push({ role: 'user', content: results });
  }

  checkBudget({ maxTotalTokens, maxUsd }: Bounds, tools: ReadonlyMap<string, Tool>): void {
    const spent = this.#usage === undefined ? 0 : totalTokens(this.#usage);
    if (this.#message !== undefined && spent >= maxTotalTokens) {
      throw new ToolLoopError(
        'BUDGET_EXCEEDED',
        `${spent} tokens are used, the limit is ${maxTotalTokens}`,
        'Raise maxTotalTokens.',
        this.finish('the token budget was reached'),
      );
    }
    if (maxUsd === Number.POSITIVE_INFINITY) return;
    const next = this.request(tools);
    const worst = this.#service.estimateCost(next, this.#prices);
    if (worst === undefined || this.#cost === undefined) {
      throw new IbidError('INVALID_ARGUMENT', `maxUsd needs a price for ${this.#first.model}`, {
        hint: 'Pass `prices`.',
      });
    }
    const total = this.#cost.usd + worst.usd;
    if (total <= maxUsd) return;
    const problem = `the next step may bring the cost to ${total.toFixed(6)} USD, the limit is ${maxUsd}`;
    if (this.#message === undefined)
      throw new IbidError('BUDGET_EXCEEDED', problem, { hint: 'Raise maxUsd or lower max_tokens.' });
    throw new ToolLoopError(
      'BUDGET_EXCEEDED',
      problem,
      'Raise maxUsd or lower max_tokens.',
      this.finish('the money budget was reached'),
    );
  }

  exceeded(problem: string, hint: string): never {
    throw new ToolLoopError('STEPS_EXCEEDED', problem, hint, this.finish('the step limit was reached'));
  }

  /** @param reason why calls that are still open were not run */
  finish(reason: string): ToolRun {
    const last = this.#messages.at(-1);
    const content =
      last?.role === 'assistant' && typeof last.content !== 'string' ? (last.content as readonly ContentBlock[]) : [];
    const open = content.filter((block) => block.type === 'tool_use');
    if (open.length > 0)
      this.answer(open.map(({ id }) => toolResult(id, { content: `Not run: ${reason}.`, isError: true })));
    return {
      message: this.#message!, // only called after a first answer
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      messages: this.#messages,
      steps: this.steps,
      calls: this.calls,
      usage: this.#usage!,
      cost: this.#cost,
    };
  }
}

const openCalls = ({ content }: Message): ToolUseBlock[] => content.filter((block) => block.type === 'tool_use');

function unforced(choice: NonNullable<MessageRequest['tool_choice']>): NonNullable<MessageRequest['tool_choice']> {
  if (choice === 'any') return 'auto';
  if (typeof choice === 'string' || (choice.type !== 'any' && choice.type !== 'tool')) return choice;
  return choice.disable_parallel_tool_use === true ? { type: 'auto', disable_parallel_tool_use: true } : 'auto';
}

/** Every input there is, and the output. */
const totalTokens = (usage: Usage): number =>
  billedRounds(usage).reduce((sum, { fresh, written, read, output }) => sum + fresh + written + read + output, 0);

/**
 * Reports in the order of the calls, handlers side by side. An abort is waited for: no handler outlives its run
 * unnoticed.
 */
async function* runAll(
  tools: ReadonlyMap<string, Tool>,
  calls: readonly ToolUseBlock[],
  options: Pick<Bounds, 'concurrency' | 'timeoutMs'> & { readonly signal: AbortSignal; readonly step: number },
): AsyncGenerator<ToolCallReport, void, undefined> {
  yield* mapConcurrent(calls, (call, signal) => runTool(tools, call, { ...options, signal }), {
    concurrency: options.concurrency,
    signal: options.signal,
  });
}
