import { citationOf } from '../answer/citation.ts';
import type {
  Answer,
  AnswerMode,
  Citation,
  Computation,
  Confidence,
  Contradicting,
  Grounding,
  RelatedPassage,
  SkippedMode,
  WebImage,
  WebLink,
} from '../answer/contract.ts';
import { objectOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { locate } from '../core/location.ts';
import type { ShardsReport, WebReport } from '../core/report.ts';
import type { Contribution, Metadata, Place, Span, WebOrigin } from '../core/types.ts';
import type { SearchHit } from '../retrieve/search.ts';

/** One hit of `ibid search --json`. Keys are a contract: other programs read them. */
export interface HitJson extends Place {
  readonly rank: number;
  readonly score: number;
  readonly uri: string;
  readonly title: string;
  readonly text: string;
  readonly span: Span;
  readonly heading?: string;
  /** As in `show`: page, lines, rows … together; the same keys stand beside it. */
  readonly place: Place;
  /** What `ibid show` takes; `reference` is the library's name for the same. */
  readonly citation: string;
  readonly reference: string;
  readonly format: string;
  readonly metadata: Metadata;
  readonly origin: 'local' | 'web';
  /** Where a page of the web comes from; only for hits of the web. */
  readonly web?: WebOrigin;
  readonly trace: readonly Contribution[];
  /** Texts of the chunks around the hit, in document order; only with `--neighbours`. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** `ibid search --web --json`: how the web took part. */
export interface WebJson {
  readonly status: WebReport['status'];
  readonly pages: number;
  readonly hits: number;
  readonly costUsd: number;
  readonly elapsedMs: number;
  readonly error?: { readonly code?: string; readonly message: string };
}

/** What the web gave to a search, as `--json` and the HTTP API give it. */
export function webToJson(web: WebReport): WebJson {
  const { error, ...report } = objectOf(web, 'the report of the web');
  if (!error) return report;
  const code = error instanceof IbidError ? { code: error.code } : {};
  return { ...report, error: { ...code, message: error.message } };
}

/** A hit as `--json` and the HTTP API give it. @param rank from 1 */
export function hitToJson(hit: SearchHit, rank: number): HitJson {
  const { chunk, score, origin, web, trace, before, after } = objectOf(hit, 'the hit', 'chunk');
  const { uri, title, text, span, headings, format, metadata } = chunk;
  const place = locate(chunk, span);
  const citation = citationOf(hit);
  return {
    rank,
    score,
    uri,
    title,
    text,
    span,
    ...place,
    ...(headings.length > 0 ? { heading: headings.join(' › ') } : {}),
    place,
    citation,
    reference: citation,
    format,
    metadata,
    origin,
    ...(web ? { web } : {}),
    trace,
    ...(before ? { before: before.map((near) => near.text) } : {}),
    ...(after ? { after: after.map((near) => near.text) } : {}),
  };
}

/** A citation as `--json` and the HTTP API give it. */
export interface CitationJson extends Place {
  readonly n: number;
  readonly uri: string;
  readonly title: string;
  readonly quote: string;
  readonly span: Span;
  readonly heading?: string;
  readonly place: Place;
  readonly citation: string;
  readonly reference: string;
  /** Of a recording: a media fragment, which players and `ibid play` take. */
  readonly media?: string;
  readonly verified: boolean;
  readonly answerSpan: Span;
  /** Words of the quote that are what was asked for. */
  readonly highlight?: readonly Span[];
  readonly origin: 'local' | 'web';
}

/** A passage beside the answer: no part of it. */
export interface RelatedJson extends Omit<CitationJson, 'answerSpan'> {
  readonly text: string;
}

const bands = { high: 'answered', low: 'closest', none: 'refused' } as const;

/** `ibid ask --json`. */
export interface AnswerJson {
  readonly question: string;
  readonly answer: string;
  readonly abstained: boolean;
  readonly confidence: Confidence;
  /** `confidence` in the words of the versions before. */
  readonly band: (typeof bands)[Confidence];
  readonly support: number;
  readonly citations: readonly CitationJson[];
  /** The citations that contradict each other, the newest document first. Only of extractive answers. */
  readonly contradiction?: readonly Contradicting[];
  /** Further passages, numbered on from the citations; of a refusal, the nearest. Only of extractive answers. */
  readonly related?: readonly RelatedJson[];
  readonly hits: readonly HitJson[];
  /** Tokens; empty where no model was asked. */
  readonly usage: Readonly<Record<string, number>>;
  /** With what the skipped modes have cost. */
  readonly costUsd: number;
  /** Of it, by the service's cache; below 0 where writing the cache has cost more. */
  readonly savedUsd?: number;
  /** Who wrote it, and the modes that were to and could not. */
  readonly mode?: AnswerMode;
  readonly skipped?: readonly SkippedMode[];
  /** The rest only where a model has written. */
  readonly model?: string;
  readonly stop?: Grounding['stop'];
  readonly error?: { readonly code?: string; readonly message: string };
  /** What was searched for in place of a follow-up question. */
  readonly query?: string;
  /** Sentences without a proven citation, as ranges of `answer`. */
  readonly unsupported?: readonly Span[];
  readonly dropped?: readonly string[];
  /** Pages a service names as its sources: not checked, and no citations. */
  readonly links?: readonly WebLink[];
  /** Code that the service ran for it, with the numbers that went in and their citations. */
  readonly computations?: readonly Computation[];
  /** Of the answer service, where they were asked for. */
  readonly images?: readonly WebImage[];
  readonly relatedQuestions?: readonly string[];
  /** Of an index of shards: without those that are missing it was answered. */
  readonly shards?: ShardsReport;
  /** Only with `--web`. */
  readonly web?: WebJson;
}

/** An answer as `--json` and the HTTP API give it: plain data, citations with place and reference. */
export function answerToJson(answer: Answer): AnswerJson {
  objectOf(answer, 'the answer', 'citations');
  const { web, shards, costUsd = 0 } = answer.report ?? {};
  return {
    question: answer.question,
    answer: answer.answer,
    abstained: answer.abstained,
    confidence: answer.confidence,
    band: bands[answer.confidence],
    support: answer.support,
    citations: answer.citations.map((citation) => ({
      ...passageToJson(citation),
      answerSpan: citation.answerSpan,
      origin: citation.origin,
    })),
    ...(answer.contradiction ? { contradiction: answer.contradiction } : {}),
    ...(answer.related
      ? { related: answer.related.map((one) => ({ ...passageToJson(one), origin: one.origin, text: one.text })) }
      : {}),
    hits: answer.hits.map((hit, i) => hitToJson(hit, i + 1)),
    usage: { ...answer.grounding?.usage },
    costUsd:
      (answer.skipped ?? []).reduce((sum, one) => sum + (one.costUsd ?? 0), answer.grounding?.costUsd ?? 0) + costUsd,
    ...(answer.grounding?.savedUsd === undefined ? {} : { savedUsd: answer.grounding.savedUsd }),
    ...(answer.mode ? { mode: answer.mode } : {}),
    ...(answer.skipped ? { skipped: answer.skipped } : {}),
    ...groundingToJson(answer.grounding),
    ...(shards ? { shards } : {}),
    ...(web ? { web: webToJson(web) } : {}),
  };
}

function passageToJson(passage: Citation | RelatedPassage): Omit<CitationJson, 'answerSpan' | 'origin'> {
  const { n, reference, uri, title, quote, span, place, media, headings, verified, highlight } = passage;
  return {
    n,
    uri,
    title,
    quote,
    span,
    ...place,
    ...(headings.length > 0 ? { heading: headings.join(' › ') } : {}),
    place,
    citation: reference,
    reference,
    ...(media === undefined ? {} : { media }),
    verified,
    ...(highlight ? { highlight } : {}),
  };
}

function groundingToJson(
  grounding: Grounding | undefined,
): Pick<
  AnswerJson,
  | ('model' | 'stop' | 'error' | 'query' | 'unsupported' | 'dropped' | 'links')
  | ('computations' | 'images' | 'relatedQuestions')
> {
  if (!grounding) return {};
  const { model, stop, error, query, unsupported, dropped, links, computations, images, relatedQuestions } = grounding;
  return {
    model,
    stop,
    ...(error
      ? { error: { ...(error instanceof IbidError ? { code: error.code } : {}), message: error.message } }
      : {}),
    ...(query === undefined ? {} : { query }),
    unsupported,
    dropped,
    ...(links ? { links } : {}),
    ...(computations ? { computations } : {}),
    ...(images ? { images } : {}),
    ...(relatedQuestions ? { relatedQuestions } : {}),
  };
}
