import {
  type AgentPreset,
  type AskMode,
  type AskOptions,
  type HistoryTurn,
  IbidError,
  Meter,
  type ModeOptions,
  type RerankChoice,
  type ResearchAsk,
  type Reservation,
  type RunJournal,
  type ServiceModelOptions,
  type WebOptions,
} from '../index.ts';
import { refuseUnused } from './ask-uses.ts';
import type { PrintOptions } from './asking.ts';
import { failureOfKey } from './config/settings.ts';
import type { CommonFlags } from './context.ts';
import { tellWarning } from './errors.ts';
import { hasKey, messagesService, variable } from './keys.ts';
import { tell } from './say.ts';
import { servedModels } from './servers.ts';
import { type WebFlags, webFilters } from './web.ts';

export interface AskFlags extends CommonFlags, Omit<WebFlags, 'web'> {
  readonly web?: boolean;
  readonly where?: string;
  readonly sentences?: number;
  readonly passages?: number;
  readonly rerank?: boolean;
  readonly rerankModel?: string;
  readonly look?: boolean;
  readonly mode?: AskMode;
  readonly extractive?: boolean;
  readonly agent?: boolean;
  readonly fallback?: readonly AskMode[];
  readonly preset?: AgentPreset;
  readonly model?: string;
  readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** The model marks its sources itself. */
  readonly marks?: boolean;
  /** Tokens, or as many as the model wants. */
  readonly thinking?: number | 'adaptive';
  readonly cache?: '5m' | '1h';
  readonly inferenceGeo?: 'us' | 'global';
  readonly serviceTier?: 'auto' | 'standard_only';
  readonly maxSteps?: number;
  readonly maxTokens?: number;
  readonly maxTotalTokens?: number;
  readonly budget?: number;
  readonly history?: string;
  readonly continue?: boolean;
  readonly stream: boolean;
  /** Every citation's quote, also where the answer says the same. */
  readonly quotes?: boolean;
  readonly batch?: string;
  readonly output?: string;
  readonly wait?: boolean;
  /** The id of a run, or the newest that is left. */
  readonly resume?: string | true;
  /** As `resume`. */
  readonly cancel?: string | true;
  readonly sandbox?: boolean;
  readonly images?: boolean;
  readonly relatedQuestions?: boolean;
  /** Research without the web. */
  readonly ownDocumentsOnly?: boolean;
  readonly contextSize?: 'low' | 'medium' | 'high';
  readonly searchMode?: 'web' | 'academic' | 'sec';
  /** Of the answer. */
  readonly language?: string;
  readonly instructions?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** A file of sound, or `-`. */
  readonly speak?: string;
  readonly play?: boolean;
  readonly voice?: string;
  /** The answer is not spoken; what that would cost is told. */
  readonly dryRun?: boolean;
}

/** A call that may cost this much is told of before it is made, in USD. */
const TELL_FROM = 0.05;

/** Says on stderr what a dear call may cost before it is sent. */
class TellingMeter extends Meter {
  override reserve(usd: number, key?: string): Reservation {
    const reservation = super.reserve(usd, key);
    if (usd >= TELL_FROM) tell(`note: the next call costs at most ${usd.toFixed(2)} USD`);
    return reservation;
  }
}

/** The mode asked for. @throws IbidError INVALID_ARGUMENT for two that contradict each other */
export function modeOf({ mode, extractive, agent }: AskFlags): AskMode | undefined {
  const asked = new Set(
    [mode ?? [], extractive ? ('extractive' as const) : [], agent ? ('agent' as const) : []].flat(),
  );
  if (asked.size > 1)
    throw new IbidError(
      'INVALID_ARGUMENT',
      `--mode, --extractive and --agent contradict each other: ${[...asked].join(', ')}`,
    );
  return [...asked][0];
}

/** The modes that may answer. */
function modesOf(flags: AskFlags): readonly AskMode[] {
  const { fallback = [] } = flags;
  const first = modeOf(flags) ?? fallback[0];
  return first === undefined ? [canWrite(flags) ? 'grounded' : 'extractive'] : [...new Set([first, ...fallback])];
}

/** Whether a model is there to write, and so answers where no mode is named. */
function canWrite({ settings }: CommonFlags): boolean {
  return hasKey(messagesService, settings.environment) || servedModels(settings).some(({ job }) => job === 'writer');
}

/** False when every mode that may answer does without an index. */
export function looksAtIndex(flags: AskFlags): boolean {
  return modesOf(flags).some((mode) => mode !== 'answer');
}

/** @throws IbidError INVALID_ARGUMENT for a flag that no mode has a use for that may answer */
export function checkUses(flags: AskFlags): void {
  const failure = keysMissed(flags);
  if (failure) tellWarning(failure);
  refuseUnused(flags, modesOf(flags));
}

/** Why the key of a model that would write cannot be read, where no mode is named: then the answer is extractive. */
function keysMissed(flags: AskFlags): IbidError | undefined {
  if (modeOf(flags) !== undefined || flags.fallback !== undefined || canWrite(flags)) return undefined;
  return failureOfKey(flags.settings, variable(messagesService, 'API_KEY'));
}

/** What one question adds to the flags. */
export interface AskCall {
  readonly web?: WebOptions | undefined;
  readonly history?: readonly HistoryTurn[];
  /** The next question of a conversation follows. */
  readonly continues?: boolean | undefined;
  /** Where a run is written down that may outlive the command. */
  readonly journal?: RunJournal;
  /** What the questions of this command may cost together. */
  readonly budget: Meter;
  readonly signal: AbortSignal;
}

/** The money of a command. */
export function budgetOf({ budget }: Pick<AskFlags, 'budget'>): Meter {
  return new TellingMeter(budget);
}

/** What the flags mean for the library. */
export function askOptions(flags: AskFlags, call: AskCall): AskOptions {
  const { fallback } = flags;
  const first = modeOf(flags) ?? fallback?.[0] ?? (keysMissed(flags) && 'extractive');
  const { history, budget, signal } = call;
  const common = { history, budget, signal, fallback: fallback?.map((mode) => modeOptions(mode, flags, call, first)) };
  if (first !== undefined) return { ...modeOptions(first, flags, call, first), ...common };
  const { where, passages, sentences, maxTokens, look } = flags;
  const { web, continues } = call;
  const rerank = rerankOf(flags);
  return {
    ...common,
    where,
    rerank,
    web,
    passages,
    sentences,
    maxTokens,
    continues,
    look,
    model: modelOptions(flags, first),
  };
}

/** Whether a model scores what was found, and which. */
export function rerankOf(
  flags: CommonFlags & Pick<AskFlags, 'rerank' | 'rerankModel'>,
): boolean | RerankChoice | undefined {
  const model = flags.rerankModel ?? (flags.rerank ? configured(flags, 'reranker') : undefined);
  return model === undefined ? flags.rerank : { model };
}

/** The options of one mode. A model's name and effort belong to the mode that answers first. */
function modeOptions(mode: AskMode, flags: AskFlags, call: AskCall, first: AskMode | undefined): ModeOptions {
  const { where, passages, maxTokens, preset, maxSteps, wait, look } = flags;
  const rerank = rerankOf(flags);
  const { web, continues, journal } = call;
  const filters = webFilters(flags);
  const model = mode === first ? flags.model : undefined;
  const effort = mode === first ? flags.effort : undefined;
  switch (mode) {
    case 'extractive':
      return { mode, where, rerank, web, passages, sentences: flags.sentences };
    case 'grounded':
      return { mode, where, rerank, web, passages, maxTokens, continues, look, model: modelOptions(flags, first) };
    case 'agent': {
      const { maxTotalTokens } = flags;
      return {
        mode,
        where,
        rerank,
        web,
        look,
        maxTokens,
        preset,
        maxSteps,
        maxTotalTokens,
        model: modelOptions(flags, first, 'agent'),
      };
    }
    case 'research': {
      const { ownDocumentsOnly, sandbox, instructions, language, metadata } = flags;
      if (ownDocumentsOnly && filters)
        throw new IbidError('INVALID_ARGUMENT', '--no-web and filters of the web contradict each other');
      const pages = ownDocumentsOnly ? false : filters;
      // the library says which efforts there are
      const effortOf = effort as ResearchAsk['effort'];
      const run = { sandbox, instructions, language, metadata, journal, wait, effort: effortOf };
      return { mode, where, rerank, web: pages, maxTokens, preset, maxSteps, model: chainOf(model), ...run };
    }
    case 'answer': {
      const { contextSize, searchMode, language, images, relatedQuestions } = flags;
      const chain = chainOf(model); // of more than one, the library says why not
      const least = effort === 'xhigh' || effort === 'max' ? 'high' : effort;
      const extras = { searchMode, language, images, relatedQuestions, journal, wait };
      return {
        mode,
        web: filters,
        contextSize,
        maxTokens,
        model: chain as string | undefined,
        effort: least,
        ...extras,
      };
    }
  }
}

/** The model of the messages service that is configured for a job. */
function configured({ settings }: CommonFlags, job: 'writer' | 'reranker' | 'agent'): string | undefined {
  const { service, model } = settings.config.models?.[job] ?? {};
  return service && model;
}

/** `a,b`: models that are tried in order. */
function chainOf(model: string | undefined): string | readonly string[] | undefined {
  const names = model?.split(',').map((name) => name.trim());
  return names && names.length > 1 ? names : model;
}

/** Whether a mode that may answer looks at the web by itself, without `--web`. */
export function looksAtWeb(flags: AskFlags): boolean {
  const modes = [modeOf(flags) ?? [], flags.fallback ?? []].flat();
  return modes.includes('research') || modes.includes('answer');
}

/** How an answer is printed. */
export function printOptions({ json, stream, quotes, settings }: AskFlags): PrintOptions {
  return { printing: json ? 'not' : stream ? 'streamed' : 'whole', quotes, settings };
}

/** A model of the messages service: `--model` and `--effort` are its own unless a service answers first. */
export function modelOptions(
  flags: AskFlags,
  first: AskMode | undefined,
  job: 'writer' | 'agent' = 'writer',
): ServiceModelOptions {
  const { effort, marks, thinking, cache, inferenceGeo, serviceTier } = flags;
  const isService = first === 'research' || first === 'answer';
  const { writer, agent } = flags.settings.config.models ?? {};
  const isOwn = (job === 'agent' && agent ? agent : writer)?.server !== undefined; // `withIndex` opens it
  const model = isOwn || isService ? configured(flags, job) : (flags.model ?? configured(flags, job));
  return {
    model,
    ...(isService ? {} : { effort }),
    ...(marks ? { citations: false } : {}),
    ...(cache ? { cache } : {}),
    ...(inferenceGeo ? { inferenceGeo } : {}),
    ...(serviceTier ? { serviceTier } : {}),
    ...(thinking === undefined ? {} : { thinking: thinkingOf(thinking) }),
  };
}

function thinkingOf(tokens: number | 'adaptive'): NonNullable<ServiceModelOptions['thinking']> {
  if (tokens === 'adaptive') return { type: 'adaptive' };
  return tokens === 0 ? { type: 'disabled' } : { type: 'enabled', budget_tokens: tokens };
}
