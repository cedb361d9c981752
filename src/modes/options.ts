import type { AnswerMode } from '../answer/contract.ts';
import type { HistoryTurn } from '../answer/grounded/request.ts';
import type { Budget } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import type { LookOptions } from '../passages/look.ts';
import type { ServiceModelOptions } from '../services/language-model.ts';
import type { Where } from '../store/where.ts';
import type { WebOptions } from '../web/options.ts';
import type { OwnTools } from './agent/own-tools.ts';
import type { AgentPreset } from './agent/presets.ts';
import type { WebAnswerOptions } from './answer-service.ts';
import type { BatchAnswerOptions } from './batch/contract.ts';
import type { ResearchAnswerOptions } from './research/contract.ts';

/** Who answers. */
export type AskMode = AnswerMode;

/** All modes, as they are offered. */
export const askModes: readonly AskMode[] = ['extractive', 'grounded', 'agent', 'research', 'answer'];

/** A model that scores the first hits of a search, all in one call. */
export interface RerankChoice {
  /** Of the messages service. @default the caller's own reranker, else the reranker of the service's profile */
  readonly model?: string | undefined;
  /** Hits that are scored. @default 20 */
  readonly candidates?: number | undefined;
  /** Share of the model's score in the new one, in [0, 1]. @default 0.5 */
  readonly trust?: number | undefined;
}

interface Common extends CallOptions {
  /**
   * Modes that answer instead, in order, when the first one fails before its first word: for want of a key, money, or a
   * service that works. An entry with options of its own takes filter, history, budget and signal from here.
   */
  readonly fallback?: readonly (AskMode | ModeOptions)[] | undefined;
  /** The conversation before the question, oldest first. */
  readonly history?: readonly HistoryTurn[] | undefined;
  /** What the question may cost: a number of USD, or a meter that calls share. @default no bound */
  readonly budget?: Budget | undefined;
}

/** Options of modes that look into the index. */
interface FromIndex {
  /** Only documents that pass are looked at. */
  readonly where?: Where | undefined;
  /** Lets a model score what was found before it is read, for about half a cent a search. @default false */
  readonly rerank?: boolean | RerankChoice | undefined;
}

interface WithLook {
  /**
   * Shows the model the pages of PDFs and the pictures that were found, not only their text: for scans, figures and
   * tables. The files are sent to the service. A model that cannot look has the text alone. @default false
   */
  readonly look?: boolean | LookOptions | undefined;
}

interface WithWeb {
  /** Extractive, grounded: the web is searched with the index; agent: the model may search the web. @default false */
  readonly web?: boolean | WebOptions | undefined;
}

/** Options of `ask` with `mode: 'extractive'`: sentences of the documents, without a model. */
export interface ExtractiveAsk extends Common, FromIndex, WithWeb {
  readonly mode: 'extractive';
  /** Sentences cited at most. @default 3; 12 where the rows of a table are the answer */
  readonly sentences?: number | undefined;
  /**
   * Passages looked at, beside the beginning of a long document that the question names.
   * @default 10, without those that are far behind the best one; 40 where the question names one option of a command, or
   * asks which version did something
   */
  readonly passages?: number | undefined;
}

/** Options of `ask` with `mode: 'grounded'`: a model writes from the passages that were found. */
export interface GroundedAsk extends Common, FromIndex, WithWeb, WithLook {
  readonly mode: 'grounded';
  /** A model of the messages service. @default the caller's own writer, else the service's default model */
  readonly model?: ServiceModelOptions | undefined;
  /** Passages looked at. @default 20 */
  readonly passages?: number | undefined;
  /** Longest answer, in tokens. @default 1,024 */
  readonly maxTokens?: number | undefined;
  /**
   * The next question will have this one's hits in its history; they are marked for the service's cache. @default false
   */
  readonly continues?: boolean | undefined;
}

/** Options of `ask` with `mode: 'agent'`: a model searches and reads by itself. */
export interface AgentAsk extends Common, FromIndex, WithWeb, WithLook, OwnTools {
  readonly mode: 'agent';
  /** A model of the messages service. @default the caller's own writer, else the service's default model */
  readonly model?: ServiceModelOptions | undefined;
  /** Longest text of one step, in tokens. @default 2,048 */
  readonly maxTokens?: number | undefined;
  /** How thorough. @default 'pro-search' */
  readonly preset?: AgentPreset | undefined;
  /** Rounds of tools, instead of the preset's. */
  readonly maxSteps?: number | undefined;
  /**
   * Input and output of all steps together. A quarter is kept back for the answer. @default no bound but steps and
   * money
   */
  readonly maxTotalTokens?: number | undefined;
}

/** Options of `ask` with `mode: 'research'`: the research service asks the index and the web. */
export interface ResearchAsk
  extends Common,
    FromIndex,
    Omit<ResearchAnswerOptions, 'history' | 'meter' | keyof CallOptions> {
  readonly mode: 'research';
}

/** Options of `ask` with `mode: 'answer'`: the answer service writes, from the web alone. */
export interface AnswerServiceAsk extends Common, Omit<WebAnswerOptions, 'history' | 'meter' | keyof CallOptions> {
  readonly mode: 'answer';
}

/** What a resumed run is given anew; the rest is in its journal. */
export interface ResumeOptions
  extends Omit<Common, 'fallback' | 'history'>,
    Pick<ResearchAnswerOptions, 'functions' | 'wait' | 'pollMs'> {}

/** The options of one mode. */
export type ModeOptions = ExtractiveAsk | GroundedAsk | AgentAsk | ResearchAsk | AnswerServiceAsk;

/**
 * A question that names no mode: the first of `fallback`, else 'grounded' where a model can write, else 'extractive'.
 */
export interface DefaultAsk extends Omit<ExtractiveAsk, 'mode'>, Omit<GroundedAsk, 'mode'> {
  readonly mode?: undefined;
}

/** Each mode has its own options. */
export type AskOptions = ModeOptions | DefaultAsk;

export interface AskBatchOptions extends Omit<BatchAnswerOptions, 'meter'> {
  /** Only documents that pass are looked at. @default all */
  readonly where?: Where | undefined;
  /** Passages looked at. @default 20 */
  readonly passages?: number | undefined;
  /** Also searches the live web, for each question. @default false */
  readonly web?: boolean | WebOptions | undefined;
  /** A model scores the first hits of each question. @default false */
  readonly rerank?: boolean | RerankChoice | undefined;
  /** Maximum cost of all answers: a number of USD, or a meter that calls share. @default no limit */
  readonly budget?: Budget | undefined;
}

/** Whether any mode that may answer looks at the documents: all but `answer` do. */
export function looksAtIndex({ mode, fallback = [] }: AskOptions): boolean {
  const modes = [mode, ...fallback.map((entry) => (typeof entry === 'string' ? entry : entry.mode))];
  return modes.some((one) => one !== 'answer');
}

/** Whether a question costs nothing, and its answer comes in one piece: it may be asked a second time. */
export function isFree(options: AskOptions, canWrite: boolean): boolean {
  const { mode = canWrite ? undefined : 'extractive', fallback = [], history = [] } = options;
  if (mode !== 'extractive' || fallback.length > 0 || history.length > 0) return false;
  return !('web' in options && options.web) && !('rerank' in options && options.rerank);
}
