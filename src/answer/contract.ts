import type { Hit, Place, Span } from '../core/types.ts';

/** What the answerer needs to know of the collection: how rare the question's words are in it. */
export interface CollectionStatistics {
  /** Live chunks in the index. */
  readonly rows: number;
  /** Chunks that hold the term (as `questionTerms` spells it) in text, title or headings; 0 when unknown. */
  documentFrequency(term: string): number;
}

/**
 * `answered`: the cited sentences are offered as the answer. `closest`: they are the nearest that was found and may not
 * answer. `refused`: the index does not seem to know; nothing is cited.
 */
export type Band = 'answered' | 'closest' | 'refused';

/** An exact place of a source that one part of an answer rests on. */
export interface Citation {
  /** The number that marks it in the answer text, from 1. */
  readonly n: number;
  readonly uri: string;
  readonly title: string;
  /** `document.text.slice(span.start, span.end)`, untouched. */
  readonly quote: string;
  /** Document offsets of the quote. */
  readonly span: Span;
  readonly place: Place;
  /** Heading path at the chunk's start, outermost first. */
  readonly headings: readonly string[];
  /** A table's header row, when the quote is one of its other rows: shown beside the quote, not part of it. */
  readonly context?: string;
  /** The quote was sliced out of its chunk again and is the same. */
  readonly verified: boolean;
  /** Where the cited words stand in `Answer.answer`, without the mark. */
  readonly answerSpan: Span;
  readonly origin: Hit['origin'];
}

export interface Answer {
  readonly question: string;
  /** Sentences with `[n]` marks; for a refusal, one sentence that says so. */
  readonly answer: string;
  /** True for `refused`. */
  readonly abstained: boolean;
  readonly band: Band;
  /** In [0, 1]: about how likely it is that the hits hold an answer, for a question that may as well be foreign. */
  readonly support: number;
  readonly citations: readonly Citation[];
  readonly hits: readonly Hit[];
}

export interface AnswerOptions {
  /** Sentences (table rows count as such) cited at most. @default 3 */
  readonly sentences?: number | undefined;
  /** What `calibrate` found for the index. Without it, or when another version found it, the thresholds of the tuning collections hold. */
  readonly calibration?: Calibration | undefined;
  /** Support below this is refused. @default the calibration's, else the built-in */
  readonly refuseBelow?: number | undefined;
  /** Support from this on is answered. @default the calibration's, else the built-in */
  readonly answerFrom?: number | undefined;
}

/** How support is distributed in one index; plain JSON, stored with it. */
export interface Calibration {
  readonly version: number;
  /** How many foreign questions were asked and found something. */
  readonly questions: number;
  /** Thresholds of `Answer.support` in this index. */
  readonly refuseBelow: number;
  readonly answerFrom: number;
}
