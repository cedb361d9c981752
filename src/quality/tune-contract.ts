import type { CallOptions } from '../core/types.ts';
import type { Tuning } from '../retrieve/tuning.ts';
import type { Choice } from './choose.ts';
import type { JudgedQuestion, QuestionKind } from './question.ts';
import type { Score } from './score.ts';

export interface TuneOptions extends CallOptions {
  /** Absolute folder the uris of files, and of `questions`, are relative to. */
  readonly base: string;
  /** Left out of the scan: where the index lies. */
  readonly exclude?: string | undefined;
  /** Patterns of files and folders to leave out, as in `.gitignore`, relative to `base`. */
  readonly leaveOut?: readonly string[] | undefined;
  /** @default made from the documents */
  readonly questions?: readonly JudgedQuestion[] | undefined;
  /** Number of questions to make. @default 240 */
  readonly limit?: number | undefined;
  /** Minutes after which no further measurement begins. @default 10 */
  readonly minutes?: number | undefined;
  /** Told what is being done, one line at a time. */
  readonly onProgress?: ((text: string) => void) | undefined;
}

/** Means over the questions of one half, in [0, 1]. */
export interface TunedHalf {
  readonly 'nDCG@10': number;
  /** Share of a question's evidence that the first ten hits touch. */
  readonly 'recall@10': number;
  /** Within the first 2,000 tokens of hits. */
  readonly 'recall@2000t': number;
}

/** One setting, and how it did on each half of the questions. */
export interface TunedSetting {
  readonly name: string;
  /** Of a setting of the search; what is absent in it keeps its default. */
  readonly tuning?: Tuning;
  /** Of a chunk size: the upper bound of a chunk. */
  readonly maxTokens?: number;
  /** Names of the settings it joins. */
  readonly parts?: readonly string[];
  readonly tune: TunedHalf;
  readonly heldOut: TunedHalf;
  readonly msPerQuery: number;
  /** Parallel to the report's `questions`. */
  readonly scores: readonly Score[];
}

/** The result of a tuning. */
export interface TuneReport {
  readonly documents: number;
  readonly chunks: number;
  readonly questions: readonly JudgedQuestion[];
  /** Hex SHA-256 of the question set. */
  readonly questionSet: string;
  readonly kinds: Readonly<Record<QuestionKind, number>>;
  /**
   * Places in `questions`: those that chose, and those that judged the choice. Of eight documents or more, none has
   * questions in both.
   */
  readonly split: { readonly tune: readonly number[]; readonly heldOut: readonly number[] };
  /** The defaults first. */
  readonly settings: readonly TunedSetting[];
  /** By nDCG@10. Where it is accepted, `tuning` is what to pass to `openIndex`, or to write with `writeSettings`. */
  readonly search: Choice & { readonly tuning?: Tuning };
  /** By recall within 2,000 tokens; takes effect when the index is rebuilt. */
  readonly chunking: Choice & { readonly maxTokens?: number };
  /** The measurements that the time did not allow. */
  readonly skipped: readonly { readonly what: string; readonly reason: string }[];
  readonly elapsedMs: number;
}
