import {
  type AgentPreset,
  type AskMode,
  type AskOptions,
  type HistoryTurn,
  IbidError,
  Meter,
  type ModeOptions,
  type RerankChoice,
  type Reservation,
  type ServiceModelOptions,
  type WebOptions,
} from '../index.ts';
import { refuseUnused } from './ask-uses.ts';
import type { CommonFlags } from './context.ts';
import { tell } from './say.ts';
import { type WebFlags, webOptions } from './web.ts';

export interface AskFlags extends CommonFlags, Omit<WebFlags, 'web'> {
  readonly web?: boolean;
  readonly where?: string;
  readonly sentences?: number;
  readonly passages?: number;
  readonly rerank?: boolean;
  readonly mode?: AskMode;
  readonly extractive?: boolean;
  readonly agent?: boolean;
  readonly fallback?: readonly AskMode[];
  readonly preset?: AgentPreset;
  readonly model?: string;
  readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** The model marks its sources itself. */
  readonly marks?: boolean;
  /** Tokens. */
  readonly thinking?: number;
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
  readonly domain?: readonly string[];
  /** Research without the web. */
  readonly ownDocumentsOnly?: boolean;
  readonly contextSize?: 'low' | 'medium' | 'high';
}

/** A call that may cost this much is told of before it is made, in USD. */
const TELL_FROM = 0.05;

/** Says on stderr what a dear call may cost before it is sent. */
class TellingMeter extends Meter {
  override reserve(usd: number, hint?: string): Reservation {
    const reservation = super.reserve(usd, hint);
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

/** What is asked of the web. The services of research and answer look at it by themselves: there `--web` adds nothing. */
export function webOf(flags: AskFlags): WebOptions | undefined {
  const first = modeOf(flags) ?? flags.fallback?.[0];
  return !flags.web && (first === 'research' || first === 'answer') ? undefined : webOptions(flags);
}

/** The modes that may answer. */
function modesOf(flags: AskFlags): readonly AskMode[] {
  const { fallback = [] } = flags;
  const first = modeOf(flags) ?? fallback[0];
  return first === undefined ? ['extractive', 'grounded'] : [...new Set([first, ...fallback])];
}

/** False when every mode that may answer does without an index. */
export function looksAtIndex(flags: AskFlags): boolean {
  return modesOf(flags).some((mode) => mode !== 'answer');
}

/** @throws IbidError INVALID_ARGUMENT for a flag that no mode has a use for that may answer */
export function checkUses(flags: AskFlags): void {
  refuseUnused(flags, modesOf(flags));
}

/** What one question adds to the flags. */
export interface AskCall {
  readonly web?: WebOptions | undefined;
  readonly history?: readonly HistoryTurn[];
  /** The next question of a conversation follows. */
  readonly continues?: boolean;
  /** What the questions of this command may cost together. */
  readonly budget: Meter;
  readonly signal: AbortSignal;
}

/** The money of a command. */
export function budgetOf({ budget }: AskFlags): Meter {
  return new TellingMeter(budget);
}

/** What the flags mean for the library. */
export function askOptions(flags: AskFlags, call: AskCall): AskOptions {
  const { fallback } = flags;
  const first = modeOf(flags) ?? fallback?.[0];
  const { history, budget, signal } = call;
  const common = { history, budget, signal, fallback: fallback?.map((mode) => modeOptions(mode, flags, call, first)) };
  if (first !== undefined) return { ...modeOptions(first, flags, call, first), ...common };
  const { where, passages, sentences, maxTokens } = flags;
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
    model: modelOptions(flags, first),
  };
}

/** The options of one mode. A model's name and effort belong to the mode that answers first. */
function modeOptions(mode: AskMode, flags: AskFlags, call: AskCall, first: AskMode | undefined): ModeOptions {
  const { where, passages, maxTokens, preset, maxSteps, domain } = flags;
  const rerank = rerankOf(flags);
  const { web, continues } = call;
  const sites = domain ?? flags.webDomain;
  const recency = flags.webRecency;
  const pages = sites || recency ? { search_domain_filter: sites, search_recency_filter: recency } : undefined;
  const model = mode === first ? flags.model : undefined;
  const effort = mode === first ? flags.effort : undefined;
  switch (mode) {
    case 'extractive':
      return { mode, where, rerank, web, passages, sentences: flags.sentences };
    case 'grounded':
      return { mode, where, rerank, web, passages, maxTokens, continues, model: modelOptions(flags, first) };
    case 'agent': {
      const { maxTotalTokens } = flags;
      return {
        mode,
        where,
        rerank,
        web,
        maxTokens,
        preset,
        maxSteps,
        maxTotalTokens,
        model: modelOptions(flags, first, 'agent'),
      };
    }
    case 'research': {
      const web = flags.ownDocumentsOnly ? false : pages;
      return { mode, where, rerank, web, maxTokens, preset, maxSteps, model, effort };
    }
    case 'answer': {
      const { contextSize } = flags;
      const least = effort === 'xhigh' || effort === 'max' ? 'high' : effort;
      return { mode, web: pages, contextSize, maxTokens, model, effort: least };
    }
  }
}

/** The model of the messages service that is configured for a job. */
function configured({ settings }: CommonFlags, job: 'writer' | 'reranker' | 'agent'): string | undefined {
  const { service, model } = settings.config.models?.[job] ?? {};
  return service && model;
}

/** A reranker, of the model that is configured, where one is asked for. */
export function rerankOf(flags: CommonFlags & Pick<AskFlags, 'rerank'>): boolean | RerankChoice | undefined {
  const model = configured(flags, 'reranker');
  return flags.rerank && model !== undefined ? { model } : flags.rerank;
}

/** A model of the messages service: `--model` and `--effort` are its own unless a service answers first. */
export function modelOptions(
  flags: AskFlags,
  first: AskMode | undefined,
  job: 'writer' | 'agent' = 'writer',
): ServiceModelOptions {
  const { effort, marks, thinking } = flags;
  const isService = first === 'research' || first === 'answer';
  const model = (isService ? undefined : flags.model) ?? configured(flags, job);
  return {
    model,
    ...(isService ? {} : { effort }),
    ...(marks ? { citations: false } : {}),
    ...(thinking === undefined
      ? {}
      : { thinking: thinking === 0 ? { type: 'disabled' } : { type: 'enabled', budget_tokens: thinking } }),
  };
}
