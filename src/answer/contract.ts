import type { ErrorCode } from '../core/errors.ts';
import type { SearchReport } from '../core/report.ts';
import type { Hit, Place, Silence, Span } from '../core/types.ts';
import type { ModelStop, ModelUsage } from './language-model.ts';

/**
 * `high`: the cited sentences are the answer. `low`: the cited sentences are the nearest that the search found and may
 * not answer; the text of an extractive answer begins with that. `none`: the index does not seem to know the answer;
 * nothing is cited, and the nearest passages stand in `related`.
 */
export type Confidence = 'high' | 'low' | 'none';

/** How far the hits of a question support an answer. */
export interface Answerability {
  /** In [0, 1]: about how likely the hits hold an answer. */
  readonly support: number;
  readonly confidence: Confidence;
  /** The query that found the hits, where it was not the question itself. */
  readonly query?: string | undefined;
}

/** A place in a source that supports a part of the answer. */
export interface Citation {
  /** The number that marks it in the answer text, from 1. */
  readonly n: number;
  /** `uri#start-end`, for a page of the web with the text that was read: what `show` takes. */
  readonly reference: string;
  readonly uri: string;
  readonly title: string;
  /** `document.text.slice(span.start, span.end)`, untouched. */
  readonly quote: string;
  /** Document offsets of the quote. */
  readonly span: Span;
  readonly place: Place;
  /** Of a recording: the span as a media fragment, e.g. `talk.mp3#t=843.2,851`, which `show` takes too. */
  readonly media?: string;
  /** Heading path at the chunk's start, outermost first. */
  readonly headings: readonly string[];
  /** A table's header row, when the quote is one of its other rows: shown beside the quote, not part of it. */
  readonly context?: string;
  /** The quote was sliced out of its chunk again and is the same. */
  readonly verified: boolean;
  /** Where the cited words stand in `Answer.answer`, without the mark. */
  readonly answerSpan: Span;
  /** Words of the quote that are what was asked for, a name or a number for example; document offsets. */
  readonly highlight?: readonly Span[];
  readonly origin: Hit['origin'];
}

/** A cited passage beside the answer: it may say more, and is no part of the answer. */
export interface RelatedPassage extends Omit<Citation, 'answerSpan'> {
  /** The quote as it reads, as `Answer.answer` would say it. */
  readonly text: string;
}

/** One of several answers that contradict each other: documents state different values, or one says no. */
export interface Contradicting {
  /** Number of the citation. */
  readonly n: number;
  /** Of the document: `2024-05-01`, `2024-05` or `2024`; absent where nothing says it. */
  readonly date?: string;
  /** Name of the metadata that says so; absent where the title or the name of the file does. */
  readonly dateFrom?: string;
}

/**
 * Who writes an answer. `extractive`: sentences of the documents, no model. `grounded`: one search, then a model writes
 * from what was found. `agent`: a model searches and reads for itself, in a bounded loop. `research`: the search
 * service's own agent, with the web and with the index as a function. `answer`: the search service from the web alone.
 */
export type AnswerMode = 'extractive' | 'grounded' | 'agent' | 'research' | 'answer';

/** A mode that was tried and failed. */
export interface SkippedMode {
  readonly mode: AnswerMode;
  readonly code: ErrorCode;
  readonly message: string;
  /** What it has cost all the same, in USD; absent: nothing. */
  readonly costUsd?: number;
}

/** A page that a service says it used. What stands in it was not checked: it is no citation. */
export interface WebLink {
  /** The number that marks it in the answer text; counted together with the citations. */
  readonly n: number;
  readonly url: string;
  readonly title: string;
  /** What the service showed of the page. */
  readonly snippet?: string;
  /** As the service gives it. */
  readonly date?: string;
}

/** Code that a service ran for an answer. */
export interface Computation {
  readonly language: string;
  readonly code: string;
  readonly output: string;
  readonly errors: string;
  readonly exitCode: number;
  /** Numbers of the code that stand in a cited passage, as the code writes them, with the number of the citation. */
  readonly inputs: readonly { readonly value: string; readonly n: number }[];
  /** Numbers of the code that no passage vouches for: constants, and what the model made up. */
  readonly unproven: readonly string[];
}

/** A picture that a service names; not checked, and loaded by nobody. */
export interface WebImage {
  readonly url: string;
  /** The page it stands on. */
  readonly origin?: string;
  readonly title?: string;
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
}

/** A page of a PDF, or without `page` a picture, that a model was shown. */
export interface LookedAt {
  /** Of the passage that led there, as `citationOf` writes it. */
  readonly reference: string;
  readonly page?: number;
}

/** A whole answer, or a refusal. */
export interface Answer {
  readonly question: string;
  /** Who wrote it. */
  readonly mode?: AnswerMode;
  /** Modes that were tried before and failed, in order. */
  readonly skipped?: readonly SkippedMode[];
  /** Sentences with `[n]` marks; for a refusal, one that says so, in the language of the question if it is known. */
  readonly answer: string;
  /** True where `confidence` is `none`. */
  readonly abstained: boolean;
  readonly confidence: Confidence;
  /** In [0, 1]: about how likely the hits hold an answer, for a question that may be out of domain. */
  readonly support: number;
  readonly citations: readonly Citation[];
  /** Of an extractive answer: the citations that contradict each other, the newest document first. */
  readonly contradiction?: readonly Contradicting[];
  /** Of an extractive answer: further passages, best first; numbered on from the citations. */
  readonly related?: readonly RelatedPassage[];
  readonly hits: readonly Hit[];
  /** Present where a model wrote the answer. */
  readonly grounding?: Grounding;
  /** How the searches went; absent where none was made. */
  readonly report?: SearchReport;
}

/** What came with an answer that a model wrote. */
export interface Grounding {
  /** The model that wrote it. */
  readonly model: string;
  /** `broken`: the stream broke off; what was written by then is kept. */
  readonly stop: ModelStop | 'steps' | 'budget';
  /** Sentences of the answer that no proven citation touches. */
  readonly unsupported: readonly Span[];
  /** Pages a service of the web names as its sources: seen by it, not checked by us. */
  readonly links?: readonly WebLink[];
  /** What the model was shown beside the passages. */
  readonly looked?: readonly LookedAt[];
  /** Of an answer of research with the sandbox: code that ran for it, in order. */
  readonly computations?: readonly Computation[];
  /** Of the answer service: pictures that go with the answer, and questions that follow from it. */
  readonly images?: readonly WebImage[];
  readonly relatedQuestions?: readonly string[];
  /** Why citations of the model were left out, one line each. */
  readonly dropped: readonly string[];
  readonly usage: ModelUsage;
  readonly costUsd: number;
  /** What the service's cache has saved of this answer, in USD; below 0 where writing it has cost more so far. */
  readonly savedUsd?: number;
  /** What was searched for, when it was not the question itself. */
  readonly query?: string;
  /** Set when `stop` is `broken`. */
  readonly error?: Error;
}

/** An answer while it is written. The texts joined are `Answer.answer`. */
export type AnswerEvent =
  | { readonly type: 'hits'; readonly hits: readonly Hit[]; readonly query: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'step'; readonly tool: string; readonly input: string; readonly found: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'citation'; readonly citation: Citation }
  | { readonly type: 'link'; readonly link: WebLink }
  | { readonly type: 'dropped'; readonly why: string }
  /** A mode has failed before its first word; the next one begins. */
  | { readonly type: 'skipped'; readonly skipped: SkippedMode }
  /** Work has begun at a service, which goes on though nobody waits. `run` is the service's name for it. */
  | { readonly type: 'started'; readonly run: string }
  /** It goes on, without a word of its own. */
  | { readonly type: 'waiting'; readonly run: string; readonly status: string; readonly elapsedMs: number }
  /** A service has sent nothing for ten seconds, or ten more; or it goes on. */
  | { readonly type: 'silence'; readonly silence: Silence }
  | { readonly type: 'done'; readonly answer: Answer };

/** The thresholds between the levels of confidence. */
export interface Thresholds {
  /**
   * What `calibrate` found for the index; absent or of another version: the thresholds of the tuning collections hold.
   */
  readonly calibration?: SupportCalibration | undefined;
  /** Support below this is confidence `none`. @default the calibration's, else the built-in */
  readonly refuseBelow?: number | undefined;
  /**
   * Support from this on is confidence `high`. A sentence that is itself likely needs less, an unlikely one more.
   * @default the calibration's, else the built-in
   */
  readonly answerFrom?: number | undefined;
}

export interface AnswerOptions extends Thresholds {
  /**
   * Sentences of the answer and of the related passages together, at most (table rows count as such). How many of them
   * are the answer, usually one, is not chosen but found.
   * @default 3; 12 where the rows of a table are the answer
   */
  readonly sentences?: number | undefined;
}

/** Thresholds of support in one index; plain JSON, stored with the index. */
export interface SupportCalibration {
  readonly version: number;
  /** Out-of-domain questions that were asked and found something. */
  readonly questions: number;
  /** Thresholds of `Answer.support` in this index. */
  readonly refuseBelow: number;
  readonly answerFrom: number;
}
