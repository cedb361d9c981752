/** What research is asked, and what it may do. */
import type { HistoryTurn } from '../../answer/grounded/request.ts';
import type { Meter } from '../../core/meter.ts';
import type { CallOptions, Hit } from '../../core/types.ts';
import type { WebFilters } from '../../web/filters.ts';
import type { AgentPreset } from '../agent/presets.ts';
import type { RunJournal } from '../runs/journal.ts';
import type { ResearchFunction } from '../tools/research-loop.ts';

export const researchEfforts = ['minimal', 'low', 'medium', 'high', 'xhigh'] as const;

/** What research may do with an index. */
export interface ResearchIndex {
  search(query: string, options: CallOptions & { readonly limit: number }): Promise<readonly Hit[]>;
}

export interface ResearchAnswerOptions extends CallOptions {
  /** @default 'pro-search', unless a model is named */
  readonly preset?: AgentPreset | undefined;
  /** `provider/model`, instead of the preset's. Several, up to 5, are tried in order. */
  readonly model?: string | readonly string[] | undefined;
  /** Rounds in which the documents may be searched. @default the preset's steps */
  readonly maxSteps?: number | undefined;
  /** Of the answer; what a model thinks counts too. @default 4,096 */
  readonly maxTokens?: number | undefined;
  /** How long the model thinks before it writes. @default the preset's */
  readonly effort?: (typeof researchEfforts)[number] | undefined;
  /**
   * Replaces the prompt of the preset; '' clears it. The rules for your documents stand beside it.
   * @default the preset's
   */
  readonly instructions?: string | undefined;
  /** In which language it should answer: ISO 639-1. @default that of the question */
  readonly language?: string | undefined;
  /** Up to 16 texts by name that the service keeps with the run, for your own books. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Which pages may be looked at; `languages` is refused. False: no web at all. @default all */
  readonly web?: WebFilters | false | undefined;
  /**
   * The service may run code, for arithmetic over what the documents say: numbers that go in are cited, and code and
   * output stand in `grounding.computations`. A session has a fee of its own. @default false
   */
  readonly sandbox?: boolean | undefined;
  /** Functions of the caller's own, which the model may call as it calls the index. What they say is not cited. */
  readonly functions?: Readonly<Record<string, ResearchFunction>> | undefined;
  /** The turns before the question, oldest first. @default none */
  readonly history?: readonly HistoryTurn[] | undefined;
  /** Counts what the answer costs, and refuses what its budget does not leave. @default one of its own, without a budget */
  readonly meter?: Meter | undefined;
  /**
   * Where the run is written down. With it the run survives an abort, and this process: another one goes on with the
   * same journal. Without it an abort ends the run at the service.
   */
  readonly journal?: RunJournal | undefined;
  /** False: begin the run and throw NOT_READY; it is resumed from its journal. @default true */
  readonly wait?: boolean | undefined;
  /** First pause between two looks at a run that tells no events, in ms. @default 1,000, growing to 15,000 */
  readonly pollMs?: number | undefined;
}
