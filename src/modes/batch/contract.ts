/** What many questions asked at once are given and give back. */
import type { Answer, Answerability } from '../../answer/contract.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { Meter } from '../../core/meter.ts';
import type { SearchReport } from '../../core/report.ts';
import type { CallOptions, Hit } from '../../core/types.ts';
import type { ServiceModelOptions } from '../../services/language-model.ts';
import type { BatchJournal } from './journal.ts';

/** A question of a batch; its answer comes back under the id. */
export interface BatchQuestion {
  /** Comes back with the answer; once per run. */
  readonly id: string;
  readonly question: string;
}

export interface BatchAnswerOptions extends CallOptions {
  /** Who writes. @default the service's default model */
  readonly model?: ServiceModelOptions | undefined;
  /** Of one answer. @default 1,024 */
  readonly maxTokens?: number | undefined;
  /** Counts what the answers cost, and refuses what its budget does not leave. @default one of its own, without a budget */
  readonly meter?: Meter | undefined;
  /** What a second run goes on from. @default nothing outlives the process */
  readonly journal?: BatchJournal | undefined;
  /** False: create the batches, hand out what has ended already, and end. @default true */
  readonly wait?: boolean | undefined;
  /** First pause between two looks at a batch, in ms. @default 2,000, growing to a minute */
  readonly pollMs?: number | undefined;
}

/** What became of the questions of a batch; money in USD. */
export interface BatchSummary {
  readonly questions: number;
  /** Refusals included. */
  readonly answered: number;
  /** Answered without asking, because the index does not seem to know. */
  readonly refused: number;
  readonly failed: number;
  /** In batches that have not ended. */
  readonly pending: number;
  /** Of the answers handed out, whichever run has paid for them. */
  readonly costUsd: number;
  /** Of the searches that this run made. */
  readonly report?: SearchReport;
}

/** A run of batches as it goes; answers come in any order. */
export type BatchEvent =
  /** Before anything is sent. `known` questions are in a batch of an earlier run already. */
  | {
      readonly type: 'planned';
      readonly questions: number;
      readonly known: number;
      readonly refused: number;
      readonly requests: number;
      /** At most, for all requests, at the batch price. */
      readonly maxUsd: number;
    }
  | { readonly type: 'created'; readonly batchId: string; readonly requests: number }
  | { readonly type: 'waiting'; readonly batchId: string; readonly requests: number }
  | { readonly type: 'answer'; readonly id: string; readonly answer: Answer }
  | { readonly type: 'failed'; readonly id: string; readonly code: ErrorCode; readonly message: string }
  | { readonly type: 'done'; readonly summary: BatchSummary };

export type Retrieve = (
  question: string,
  options: CallOptions,
) => Promise<{ readonly hits: readonly Hit[]; readonly answerability: Answerability }>;
