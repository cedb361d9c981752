import type { AnswerEvent, Grounding } from '../answer/contract.ts';
import { defaultInstructions, type HistoryTurn, recentTurns } from '../answer/grounded/request.ts';
import type { ModelUsage } from '../answer/language-model.ts';
import { IbidError } from '../core/errors.ts';
import { Meter, type Reservation } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import {
  answeredCalls,
  type InputItem,
  PartialResultError,
  presetSteps,
  type ResearchRequest,
  type ResearchRun,
  type ResearchStream,
  type ResearchUsage,
  researchSources,
  type SearchFilters,
  type SearchService,
} from '../wire/search/index.ts';
import type { AgentPreset } from './agent/presets.ts';
import { LinkedWriter } from './linked-writer.ts';
import { ResearchFunctions, type ResearchIndex } from './research-functions.ts';

export interface ResearchAnswerOptions extends CallOptions {
  /** @default 'pro-search', unless a model is named */
  readonly preset?: AgentPreset | undefined;
  /** `provider/model`, instead of the preset's. Several are tried in order. */
  readonly model?: string | readonly string[] | undefined;
  /** Rounds in which the documents may be searched. @default the preset's steps */
  readonly maxSteps?: number | undefined;
  /** Of the answer; what a model thinks counts too. @default 4,096 */
  readonly maxTokens?: number | undefined;
  readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined;
  /** Which pages may be looked at; false: no web at all. @default all */
  readonly web?: SearchFilters | false | undefined;
  readonly history?: readonly HistoryTurn[] | undefined;
  readonly meter?: Meter | undefined;
}

const MAX_TOKENS = 4096;
const HISTORY_TOKENS = 20_000;
/** Text before a function call is about the search; what is longer than this is the answer and is told as it comes. */
const PREAMBLE = 400;
/**
 * The service chooses the model and bills its tokens; its reference lists no prices. A worst case is computed with the
 * highest price in the list of the messages service, and with `TOKENS_PER_STEP` tokens of pages and passages a step.
 */
const DEAREST = { inputPerMillion: 5, outputPerMillion: 25 };
const TOKENS_PER_STEP = 16_000;

const instructions = [
  defaultInstructions,
  'You have the web, and the user’s own documents through search_index. Look into the documents first; use the web for what they cannot know.',
  'Passages of the documents come with marks such as [s1.2]. After every sentence that rests on them write the mark, exactly so.',
  'Sentences that rest on pages of the web carry your usual citation markers.',
].join('\n');

/**
 * An answer of the service's own research agent, which searches the web and, through a function, the index. What it
 * says of the documents is proven as everywhere; pages of the web are links. A run that breaks off keeps what was
 * written.
 * @throws IbidError INVALID_ARGUMENT, BUDGET_EXCEEDED, and what the service throws before the first word
 */
export async function* answerByResearch(
  question: string,
  index: ResearchIndex,
  service: SearchService,
  options: ResearchAnswerOptions = {},
): AsyncGenerator<AnswerEvent, void, undefined> {
  if (question.trim() === '') throw new IbidError('INVALID_ARGUMENT', 'the question is empty');
  const { signal, onSilence, meter = new Meter() } = options;
  const rounds = resolveSteps(options) + 1;
  const writer = new LinkedWriter();
  const functions = new ResearchFunctions(index, writer);
  const tracker = new UsageTracker();
  let input = conversationOf(question, options);
  let ending: Ending = { stop: 'end' };
  for (let round = 1; round <= rounds; round++) {
    const isLast = round === rounds;
    const request = requestOf(input, functions, options, isLast);
    const estimate = worstUsd(service, request, options);
    let reservation: Reservation;
    try {
      reservation = meter.reserve(estimate);
    } catch (error) {
      if (round === 1) throw error;
      ending = { stop: 'budget' };
      break;
    }
    const { run, stop, error } = yield* oneRound(service, request, writer, {
      ...{ isLast, reservation, estimate, signal, onSilence },
    });
    tracker.add(run, reservation, estimate);
    if (stop !== 'end') {
      ending = { stop, ...(error ? { error } : {}) };
      break;
    }
    const calls = run?.functionCalls ?? [];
    if (!run || calls.length === 0) break;
    const outputs = await functions.answer(calls, { signal });
    for (const { call, found } of outputs) yield { type: 'step', tool: call.name, input: call.arguments, found };
    input = [...input, ...answeredCalls(run, outputs)];
    if (isLast) ending = { stop: 'steps' };
  }
  yield* writer.end();
  yield { type: 'hits', hits: functions.hits, query: question };
  const { model = modelName(options), usage, costUsd } = tracker;
  const answer = writer.finish(question, functions.hits, { model, ...ending, usage, costUsd });
  if (writer.text === '') yield { type: 'text', text: answer.answer };
  yield { type: 'done', answer };
}

interface Ending {
  readonly stop: Grounding['stop'];
  readonly error?: Error;
}

interface RoundEnd extends Ending {
  readonly run: ResearchRun | undefined;
}

/** One request, told as it works. What a run says before it calls a function is thinking, not answer. */
async function* oneRound(
  service: SearchService,
  request: ResearchRequest,
  writer: LinkedWriter,
  round: CallOptions & {
    readonly isLast: boolean;
    readonly reservation: Reservation;
    readonly estimate: number;
  },
): AsyncGenerator<AnswerEvent, RoundEnd, undefined> {
  const { isLast, reservation, estimate, signal, onSilence } = round;
  let stream: ResearchStream;
  try {
    stream = await service.research.stream(request, { signal, onSilence });
  } catch (error) {
    reservation.cancel();
    if (writer.text === '' || signal?.aborted || !(error instanceof IbidError)) throw error;
    return { run: undefined, stop: 'broken', error };
  }
  const items: { readonly type: string }[] = [];
  let held = '';
  let told = isLast;
  let said = '';
  let queries: readonly string[] = [];
  let run: ResearchRun | undefined;
  let failure: RoundEnd | undefined;
  try {
    for await (const event of stream) {
      if (event.type === 'text') {
        said += event.text;
        held += event.text;
        if (!told && held.length <= PREAMBLE) continue;
        told = true;
        yield* writer.write(held);
        held = '';
      } else if (event.type === 'item_done') {
        items.push(event.item);
        writer.setPages(researchSources(items));
      } else if (event.type === 'search_queries') queries = event.queries;
      else if (event.type === 'search_results')
        yield { type: 'step', tool: 'web_search', input: JSON.stringify({ queries }), found: event.results.length };
      else if (event.type === 'fetch_url_results')
        yield {
          type: 'step',
          tool: 'fetch_url',
          input: JSON.stringify({ urls: event.contents.map(({ url }) => url) }),
          found: event.contents.length,
        };
      else if (event.type === 'reasoning_started' && event.thought) yield { type: 'thinking', text: event.thought };
      else if (event.type === 'done') run = event.run;
    }
  } catch (error) {
    signal?.throwIfAborted();
    // what stopped midway has cost something, nobody says how much
    reservation.settle(costOf(partialOf(error)) ?? estimate);
    failure = failed(error);
    run = failure.run;
    if (run?.outputText.startsWith(said)) held += run.outputText.slice(said.length);
    if (writer.text === '' && held.trim() === '') throw error;
  } finally {
    reservation.settle(costOf(run) ?? estimate); // no effect when it is settled already
    await stream.cancel();
  }
  if (run && !failure && run.outputText.startsWith(said)) held += run.outputText.slice(said.length);
  if (run) writer.setPages(run.sources);
  const isPreamble = !failure && !told && (run?.functionCalls.length ?? 0) > 0;
  if (isPreamble) {
    if (held.trim() !== '') yield { type: 'thinking', text: held };
  } else if (held !== '') yield* writer.write(held);
  return failure ?? { run, stop: 'end' };
}

function partialOf(error: unknown): ResearchRun | undefined {
  // the clients of research put a run there, and nothing else
  return error instanceof PartialResultError ? (error.partial as ResearchRun) : undefined;
}

function failed(error: unknown): RoundEnd {
  if (!(error instanceof IbidError)) throw error;
  const run = partialOf(error);
  return run?.status === 'incomplete' ? { run, stop: 'length' } : { run, stop: 'broken', error };
}

/** Undefined while the service has not said what it used. */
function costOf(run: ResearchRun | undefined): number | undefined {
  return run?.usage ? run.cost.usd : undefined;
}

/** What all rounds used. */
class UsageTracker {
  model: string | undefined;
  costUsd = 0;
  #input = 0;
  #output = 0;
  #cached = 0;

  add(run: ResearchRun | undefined, reservation: Reservation, estimate: number): void {
    const cost = costOf(run);
    reservation.settle(cost ?? estimate);
    this.costUsd += cost ?? (run ? estimate : 0);
    this.model = run?.model ?? this.model;
    const usage: ResearchUsage = run?.usage ?? {};
    this.#input += usage.input_tokens ?? 0;
    this.#output += usage.output_tokens ?? 0;
    // open fields of the wire
    const details = usage.input_tokens_details as { readonly cached_tokens?: unknown } | null | undefined;
    if (typeof details?.cached_tokens === 'number') this.#cached += details.cached_tokens;
  }

  get usage(): ModelUsage {
    return {
      inputTokens: this.#input,
      outputTokens: this.#output,
      cacheReadTokens: this.#cached,
      cacheWriteTokens: 0,
    };
  }
}

function resolveSteps({ preset = 'pro-search', maxSteps }: ResearchAnswerOptions): number {
  const steps = maxSteps ?? presetSteps[preset];
  if (steps === undefined || !Number.isSafeInteger(steps) || steps < 1 || steps > 100) {
    const known = Object.keys(presetSteps).join(', ');
    throw new IbidError('INVALID_ARGUMENT', `research needs a preset (${known}) or a number of steps from 1 to 100`);
  }
  return steps;
}

function modelName({ preset = 'pro-search', model }: ResearchAnswerOptions): string {
  return (typeof model === 'string' ? model : model?.[0]) ?? preset;
}

/** The rules stand beside the preset's own prompt, not in its place. */
function conversationOf(question: string, { history = [] }: ResearchAnswerOptions): readonly InputItem[] {
  return [
    { type: 'message', role: 'developer', content: instructions },
    ...recentTurns(history, HISTORY_TOKENS).map(
      ({ role, text }): InputItem => ({ type: 'message', role, content: text }),
    ),
    { type: 'message', role: 'user', content: question },
  ];
}

/** Without the functions in the last round: it has to answer from what it has. */
function requestOf(
  input: readonly InputItem[],
  functions: ResearchFunctions,
  options: ResearchAnswerOptions,
  isLast: boolean,
): ResearchRequest {
  const { model, web = {}, effort, maxSteps, maxTokens = MAX_TOKENS } = options;
  const preset = options.preset ?? (model === undefined ? 'pro-search' : undefined);
  const pages =
    web === false
      ? []
      : [
          { type: 'web_search' as const, ...(Object.keys(web).length > 0 ? { config: web } : {}) },
          { type: 'fetch_url' as const },
        ];
  const tools = [...pages, ...(isLast ? [] : functions.tools)];
  return {
    ...(preset === undefined ? {} : { preset }),
    ...(model === undefined ? {} : typeof model === 'string' ? { model } : { models: model }),
    input,
    ...(tools.length > 0 ? { tools } : { tool_choice: 'none' }),
    max_tokens: maxTokens,
    ...(maxSteps === undefined ? {} : { max_steps: maxSteps }),
    ...(effort === undefined ? {} : { reasoning: { effort } }),
  };
}

function worstUsd(service: SearchService, request: ResearchRequest, options: ResearchAnswerOptions): number {
  const steps = resolveSteps(options);
  const { usd: fees } = service.research.estimateCost(request);
  const written = (request.max_tokens ?? MAX_TOKENS) * DEAREST.outputPerMillion;
  const input = Math.ceil(JSON.stringify(request.input).length / 3) + steps * TOKENS_PER_STEP;
  return fees + (input * DEAREST.inputPerMillion + written) / 1e6;
}
