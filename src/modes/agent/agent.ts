import type { AnswerEvent, Grounding } from '../../answer/contract.ts';
import { type Ending, finish } from '../../answer/grounded/grounded.ts';
import { AnswerWriter } from '../../answer/grounded/writer.ts';
import type { ToolModel } from '../../answer/tool-model.ts';
import { wordsOf } from '../../core/arguments.ts';
import { IbidError } from '../../core/errors.ts';
import { affordable, Meter } from '../../core/meter.ts';
import { modelEvents, stopReason } from '../../services/language-model.ts';
import type { Message, MessageRequest, StreamEvent } from '../../wire/messages/index.ts';
import { streamTools, ToolLoopError, type ToolLoopEvent, type ToolRun } from '../tools/loop.ts';
import type { AgentOptions } from './contract.ts';
import { lastWordRequest } from './last-word.ts';
import { ownTools } from './own-tools.ts';
import { firstBlockOf, PreambleFilter } from './preamble.ts';
import { agentPresets } from './presets.ts';
import { conversationOf, KEPT_BACK, requestOf } from './request.ts';
import { type AgentIndex, AgentTools } from './tools.ts';
import { UsageTracker } from './usage.ts';

const TOOL_TIMEOUT_MS = 60_000;

/**
 * Lets a model look for itself: it searches, reads on and opens documents in a bounded loop, then answers. Only what
 * the tools have shown can be cited, and every citation is proven. When steps, tokens or money run out it must answer
 * from what it has; when the service fails midway, what is written by then is the answer.
 * @throws IbidError INVALID_ARGUMENT, BUDGET_EXCEEDED before the first step, and what the service throws before the
 * first answer
 */
export async function* answerAsAgent(
  question: string,
  index: AgentIndex,
  service: ToolModel,
  options: AgentOptions,
): AsyncGenerator<AnswerEvent, void, undefined> {
  wordsOf(question, 'the question');
  const steps = resolveSteps(options);
  const { signal, meter = new Meter() } = options;
  const writer = new AnswerWriter();
  const tools = new AgentTools(index, writer, await ownTools(options, signal));
  const request = requestOf(conversationOf(question, options, tools), service, steps, meter, options);
  affordable(service.estimateCost(request)?.usd, options.model, meter);
  const run = new AgentRun(service, request, tools, new PreambleFilter(writer), meter, options);
  yield* run.events(steps);
  yield* writer.end();
  const nothingShown = tools.hits.length === 0 && writer.citations.length === 0;
  const answerability = {
    confidence: nothingShown ? 'none' : 'high',
    support: writer.citations.length > 0 ? 1 : 0,
  } as const;
  const answer = finish(question, tools.hits, answerability, writer, run.ending);
  if (writer.text === '') yield { type: 'text', text: answer.answer };
  yield { type: 'done', answer };
}

/** The calls of one question: rounds of tools, then an answer without tools where a bound was reached. */
class AgentRun {
  readonly #service: ToolModel;
  readonly #request: MessageRequest;
  readonly #tools: AgentTools;
  readonly #preamble: PreambleFilter;
  readonly #options: AgentOptions;
  readonly #tracker: UsageTracker;
  readonly #keptBackUsd: number;
  #stop: Grounding['stop'] = 'end';
  #error: Error | undefined;

  constructor(
    service: ToolModel,
    request: MessageRequest,
    tools: AgentTools,
    preamble: PreambleFilter,
    meter: Meter,
    options: AgentOptions,
  ) {
    const { maxUsd = Infinity, maxTotalTokens = Infinity } = options;
    this.#service = service;
    this.#request = request;
    this.#tools = tools;
    this.#preamble = preamble;
    this.#options = options;
    this.#tracker = new UsageTracker(service, request, { meter, maxUsd, maxTotalTokens });
    this.#keptBackUsd = KEPT_BACK * Math.min(maxUsd, Math.max(0, meter.leftUsd));
  }

  /** How it ended and what it cost. */
  get ending(): Ending {
    const ending = { model: this.#options.model, stop: this.#stop, ...this.#tracker.total };
    return this.#error ? { ...ending, error: this.#error } : ending;
  }

  /** @throws what the service throws before its first answer; later failures are in `ending` */
  async *events(steps: number): AsyncGenerator<AnswerEvent, void, undefined> {
    try {
      const bounded = yield* this.#search(steps);
      if (bounded) yield* this.#lastWord(bounded);
    } catch (cause) {
      this.#options.signal?.throwIfAborted();
      const { hasBegun } = this.#tracker;
      this.#tracker.fail(cause);
      if (!(cause instanceof IbidError) || !hasBegun) throw cause;
      this.#stop = 'broken';
      this.#error = cause;
    } finally {
      this.#tracker.close();
    }
    yield* this.#preamble.end();
  }

  /** @returns the run so far, where steps, tokens or money ended it */
  async *#search(steps: number): AsyncGenerator<AnswerEvent, ToolRun | undefined, undefined> {
    const { signal, onSilence, maxTotalTokens = Infinity } = this.#options;
    const loop = streamTools(this.#service, this.#request, {
      tools: this.#tools.definitions,
      maxSteps: steps + 1,
      toolTimeoutMs: TOOL_TIMEOUT_MS,
      signal,
      onSilence,
      ...(maxTotalTokens === Infinity ? {} : { maxTotalTokens: Math.floor(maxTotalTokens * (1 - KEPT_BACK)) }),
      beforeStep: (step) => this.#tracker.begin(step, this.#options, this.#keptBackUsd),
    });
    try {
      for await (const event of loop) {
        if (event.type === 'stream') {
          yield* this.#hear(event.event, event.step);
          if (isCall(event.event)) yield* this.#preamble.aside(event.step);
        } else if (event.type === 'message') yield* this.#endStep(event.message, event.step);
        else if (event.type === 'tool') yield stepEvent(event, this.#tools);
      }
    } catch (cause) {
      if (!(cause instanceof ToolLoopError)) throw cause;
      this.#stop = cause.code === 'BUDGET_EXCEEDED' ? 'budget' : 'steps';
      return cause.run;
    }
    return undefined;
  }

  *#hear(event: StreamEvent, step: number): Generator<AnswerEvent> {
    this.#tracker.hear(event);
    for (const told of modelEvents(event, firstBlockOf(step), this.#tools.documents)) yield* this.#preamble.hear(told);
  }

  *#endStep(message: Message, step: number): Generator<AnswerEvent> {
    this.#tracker.add(message);
    if (isShortened(message)) this.#tools.forget();
    // some services say so without a call: then the words are the answer
    if (message.stop_reason === 'tool_use' && message.content.some(isToolUse)) yield* this.#preamble.aside(step);
    else this.#stop = stopReason(message);
  }

  /** Nothing where the rest of the budget does not cover an answer. */
  async *#lastWord(bounded: ToolRun): AsyncGenerator<AnswerEvent, void, undefined> {
    const { signal, onSilence } = this.#options;
    const last = await lastWordRequest(
      this.#service,
      this.#request,
      bounded,
      this.#tools,
      this.#tracker,
      this.#options,
    );
    if (!last) return;
    await this.#tracker.begin(last, this.#options);
    const stream = this.#service.stream(last, { signal, onSilence });
    for await (const event of stream) yield* this.#hear(event, bounded.steps + 1);
    this.#tracker.add(await stream.message());
  }
}

const isToolUse = ({ type }: { readonly type: string }): boolean => type === 'tool_use';

const isCall = (event: StreamEvent): boolean => event.type === 'content_block_start' && isToolUse(event.content_block);

function stepEvent(event: Extract<ToolLoopEvent, { type: 'tool' }>, tools: AgentTools): AnswerEvent {
  const { toolUse } = event;
  const input = JSON.stringify(toolUse.input) ?? '';
  return { type: 'step', tool: toolUse.name, input, found: tools.foundBy(toolUse.id) };
}

function resolveSteps({ preset = 'pro-search', maxSteps }: AgentOptions): number {
  const steps = maxSteps ?? (Object.hasOwn(agentPresets, preset) ? agentPresets[preset] : undefined);
  if (steps === undefined || !Number.isSafeInteger(steps) || steps < 1) {
    const known = Object.keys(agentPresets).join(', ');
    throw new IbidError('INVALID_ARGUMENT', `an agent needs a preset (${known}) or a number of steps from 1`);
  }
  return steps;
}

/** Whether the service has taken something out of the conversation that the model had in front of it. */
function isShortened({ content, context_management: managed }: Message): boolean {
  return (managed?.applied_edits?.length ?? 0) > 0 || content.some(({ type }) => type === 'compaction');
}
