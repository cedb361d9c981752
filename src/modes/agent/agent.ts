import type { AnswerEvent, Grounding } from '../../answer/contract.ts';
import { applyEvent, finish } from '../../answer/grounded/grounded.ts';
import { defaultInstructions, type HistoryTurn, recentTurns } from '../../answer/grounded/request.ts';
import { AnswerWriter } from '../../answer/grounded/writer.ts';
import type { ModelEvent } from '../../answer/language-model.ts';
import type { ToolModel } from '../../answer/tool-model.ts';
import { IbidError } from '../../core/errors.ts';
import { affordable, Meter } from '../../core/meter.ts';
import type { CallOptions } from '../../core/types.ts';
import {
  modelEvents,
  modelFields,
  type ServiceModelOptions,
  stopReason,
  thinkingTokens,
} from '../../services/language-model.ts';
import {
  type ContextEdit,
  cacheControl,
  clearToolUses,
  compaction,
  type Message,
  type MessageParam,
  type MessageRequest,
  modelRules,
  type StreamEvent,
} from '../../wire/messages/index.ts';
import { streamTools, ToolLoopError, type ToolLoopEvent, type ToolRun } from '../tools/loop.ts';
import { lastWordRequest } from './last-word.ts';
import { type OwnTools, ownTools } from './own-tools.ts';
import { type AgentPreset, agentPresets } from './presets.ts';
import { type AgentIndex, AgentTools } from './tools.ts';
import { UsageTracker } from './usage.ts';

export interface AgentOptions extends CallOptions, OwnTools {
  /** @default 'pro-search' */
  readonly preset?: AgentPreset | undefined;
  /** Rounds of tools; instead of the preset's. */
  readonly maxSteps?: number | undefined;
  /** Input and output of all steps together. Looked at before each step, so that the last one may go over it. */
  readonly maxTotalTokens?: number | undefined;
  /** For this question; the budget of the meter holds too. */
  readonly maxUsd?: number | undefined;
  readonly model: string;
  /** Of one step's words; what it thinks comes on top. @default 2,048 */
  readonly maxTokens?: number | undefined;
  /** @default adaptive for more than three rounds of tools, where the model has it; else off */
  readonly thinking?: MessageRequest['thinking'] | undefined;
  readonly effort?: MessageRequest['effort'] | undefined;
  readonly cache?: ServiceModelOptions['cache'];
  readonly inferenceGeo?: ServiceModelOptions['inferenceGeo'];
  readonly serviceTier?: ServiceModelOptions['serviceTier'];
  readonly history?: readonly HistoryTurn[] | undefined;
  readonly meter?: Meter | undefined;
}

const MAX_TOKENS = 2048;
const HISTORY_TOKENS = 20_000;
/** Rounds of tools above which a conversation may outgrow what a model reads well. */
const LONG_RUN = agentPresets['pro-search'];
const TOOL_TIMEOUT_MS = 60_000;
/** Share of the tokens and the money that is kept for an answer, when searching has used up the rest. */
const KEPT_BACK = 0.25;
/** Blocks are numbered anew in each step; no step has this many. */
const BLOCKS_PER_STEP = 10_000;

const instructions = [
  defaultInstructions,
  'Search before you answer. Use short queries, other words when the first find nothing, and read around a passage that is cut.',
  'Answer as soon as the sources do; when they do not, say so.',
].join('\n');

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
  if (question.trim() === '') throw new IbidError('INVALID_ARGUMENT', 'the question is empty');
  const steps = resolveSteps(options);
  const { signal, onSilence, meter = new Meter(), maxTotalTokens = Infinity } = options;
  const writer = new AnswerWriter();
  const tools = new AgentTools(index, writer, await ownTools(options, signal));
  const request = requestOf(conversationOf(question, options, tools), service, steps, meter, options);
  affordable(service.estimateCost(request)?.usd, options.model, meter);
  const maxUsd = options.maxUsd ?? Infinity;
  const keptBackUsd = KEPT_BACK * Math.min(maxUsd, Math.max(0, meter.leftUsd));
  const tracker = new UsageTracker(service, request, { meter, maxUsd, maxTotalTokens });
  const preamble = new PreambleFilter(writer);
  let stop: Grounding['stop'] = 'end';
  let error: Error | undefined;
  let bounded: ToolRun | undefined;
  try {
    const loop = streamTools(service, request, {
      tools: tools.definitions,
      maxSteps: steps + 1,
      toolTimeoutMs: TOOL_TIMEOUT_MS,
      signal,
      onSilence,
      ...(maxTotalTokens === Infinity ? {} : { maxTotalTokens: Math.floor(maxTotalTokens * (1 - KEPT_BACK)) }),
      beforeStep: (step) => tracker.begin(step, options, keptBackUsd),
    });
    try {
      for await (const event of loop) {
        if (event.type === 'stream') {
          tracker.hear(event.event);
          for (const told of modelEvents(event.event, event.step * BLOCKS_PER_STEP, tools.documents))
            yield* preamble.hear(told);
          if (isCall(event.event)) yield* preamble.aside(event.step * BLOCKS_PER_STEP);
        } else if (event.type === 'message') {
          tracker.add(event.message);
          if (isShortened(event.message)) tools.forget();
          // some services say so without a call: then the words are the answer
          if (event.message.stop_reason === 'tool_use' && event.message.content.some(isToolUse))
            yield* preamble.aside(event.step * BLOCKS_PER_STEP);
          else stop = stopReason(event.message);
        } else if (event.type === 'tool') yield stepEvent(event, tools);
      }
    } catch (cause) {
      if (!(cause instanceof ToolLoopError)) throw cause;
      stop = cause.code === 'BUDGET_EXCEEDED' ? 'budget' : 'steps';
      bounded = cause.run;
    }
    if (bounded) {
      const last = await lastWordRequest(service, request, bounded, tools, tracker, options);
      if (last) {
        await tracker.begin(last, options);
        const stream = service.stream(last, { signal, onSilence });
        for await (const event of stream) {
          tracker.hear(event);
          for (const told of modelEvents(event, (bounded.steps + 1) * BLOCKS_PER_STEP, tools.documents))
            yield* preamble.hear(told);
        }
        tracker.add(await stream.message());
      }
    }
  } catch (cause) {
    signal?.throwIfAborted();
    const hasBegun = tracker.hasBegun;
    tracker.fail(cause);
    if (!(cause instanceof IbidError) || !hasBegun) throw cause;
    stop = 'broken';
    error = cause;
  } finally {
    tracker.close();
  }
  yield* preamble.end();
  yield* writer.end();
  const nothingShown = tools.hits.length === 0 && writer.citations.length === 0;
  const answerability = {
    confidence: nothingShown ? 'none' : 'high',
    support: writer.citations.length > 0 ? 1 : 0,
  } as const;
  const ending = { model: options.model, stop, ...tracker.total, ...(error ? { error } : {}) };
  const answer = finish(question, tools.hits, answerability, writer, ending);
  if (writer.text === '') yield { type: 'text', text: answer.answer };
  yield { type: 'done', answer };
}

/**
 * Separates the answer from remarks about the search. A step that ends in a call of a tool was a remark; a step with a
 * citation is the answer. So the text of a step is held until its first citation or its end. Text that was given out as
 * the answer stays in the answer, also when the model searches again.
 */
class PreambleFilter {
  readonly #writer: AnswerWriter;
  #held: ModelEvent[] = [];
  #isAnswer = false;

  constructor(writer: AnswerWriter) {
    this.#writer = writer;
  }

  *hear(event: ModelEvent): Generator<AnswerEvent> {
    if (event.type === 'thinking') {
      yield event;
      return;
    }
    this.#held.push(event);
    if (event.type === 'citation') this.#isAnswer = true;
    if (this.#isAnswer) yield* this.end();
  }

  /** A call of a tool has begun, which may be cut, or the step ended in calls. */
  *aside(firstBlock: number): Generator<AnswerEvent> {
    for (const event of this.#held)
      if (event.type === 'text' && event.text.trim() !== '') yield { type: 'thinking', text: event.text };
    this.#held = [];
    if (!this.#isAnswer) return;
    this.#isAnswer = false;
    const gap = firstBlock + BLOCKS_PER_STEP - 1;
    yield* this.#writer.write(gap, '\n\n');
    yield* this.#writer.endBlock(gap);
  }

  *end(): Generator<AnswerEvent> {
    const held = this.#held;
    this.#held = [];
    for (const event of held) yield* applyEvent(this.#writer, event);
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

/**
 * A long run may fill the window: from the service's own thresholds on, it sums up the conversation where the model can,
 * else drops old results of tools.
 */
function contextEdits({ profile }: ToolModel, model: string): readonly ContextEdit[] {
  return [modelRules(profile, model)?.compaction === true ? compaction() : clearToolUses()];
}

/** The question behind the conversation so far, whose questions have their passages beside them. */
function conversationOf(question: string, { history = [] }: AgentOptions, tools: AgentTools): readonly MessageParam[] {
  const turns = recentTurns(history, HISTORY_TOKENS).map(({ role, text, hits = [] }): MessageParam => {
    const sources = role === 'user' ? tools.remember(hits) : [];
    return { role, content: sources.length > 0 ? [...sources, { type: 'text', text }] : text };
  });
  return [...turns, { role: 'user', content: question }];
}

/** A long run thinks as long as it needs, where the model can decide that, and where money is not short. */
function requestOf(
  messages: readonly MessageParam[],
  service: ToolModel,
  steps: number,
  { leftUsd }: Meter,
  options: AgentOptions,
): MessageRequest {
  const request = plainRequest(messages, service, steps, options);
  const canAdapt = modelRules(service.profile, options.model)?.thinking?.includes('adaptive') === true;
  if (options.thinking || steps <= LONG_RUN || !canAdapt) return request;
  const thinking = { type: 'adaptive' } as const;
  const thoughtful = { ...request, thinking, max_tokens: request.max_tokens + thinkingTokens(thinking) };
  const left = Math.min(leftUsd, options.maxUsd ?? Infinity);
  return (service.estimateCost(thoughtful)?.usd ?? 0) <= KEPT_BACK * left ? thoughtful : request;
}

function plainRequest(
  messages: readonly MessageParam[],
  service: ToolModel,
  steps: number,
  options: AgentOptions,
): MessageRequest {
  const cache = cacheControl(options.cache === '1h' ? '1h' : undefined);
  return {
    model: options.model,
    max_tokens: (options.maxTokens ?? MAX_TOKENS) + thinkingTokens(options.thinking),
    system: [{ type: 'text', text: instructions, cache_control: cache }], // tools stand before it and are cached with it
    messages,
    cache_control: cache, // what the tools have shown is read again with every step
    citations: true,
    ...modelFields(options),
    ...(steps > LONG_RUN ? { context_management: { edits: contextEdits(service, options.model) } } : {}),
  };
}
