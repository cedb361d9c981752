import { formatCitation } from '../answer/citation.ts';
import type { Answer } from '../answer/contract.ts';
import { locate } from '../core/location.ts';
import type { Contribution, Place, Span } from '../core/types.ts';
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
  readonly citation: string;
  readonly origin: 'local' | 'web';
  readonly trace: readonly Contribution[];
  /** Texts of the chunks around the hit, in document order; only with `--neighbours`. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export function hitToJson({ chunk, score, origin, trace, before, after }: SearchHit, rank: number): HitJson {
  const { uri, title, text, span, headings } = chunk;
  return {
    rank,
    score,
    uri,
    title,
    text,
    span,
    ...locate(chunk, span),
    ...(headings.length > 0 ? { heading: headings.join(' › ') } : {}),
    citation: formatCitation({ uri, span }),
    origin,
    trace,
    ...(before ? { before: before.map((near) => near.text) } : {}),
    ...(after ? { after: after.map((near) => near.text) } : {}),
  };
}

export interface CitationJson extends Place {
  readonly n: number;
  readonly uri: string;
  readonly title: string;
  readonly quote: string;
  readonly span: Span;
  readonly heading?: string;
  readonly citation: string;
  readonly verified: boolean;
  readonly answerSpan: Span;
}

/** `ibid ask --json`. */
export interface AnswerJson {
  readonly question: string;
  readonly answer: string;
  readonly abstained: boolean;
  readonly band: Answer['band'];
  readonly support: number;
  readonly citations: readonly CitationJson[];
  readonly hits: readonly HitJson[];
  readonly usage: Readonly<Record<string, number>>;
  readonly costUsd: number;
}

export function answerToJson(answer: Answer): AnswerJson {
  return {
    question: answer.question,
    answer: answer.answer,
    abstained: answer.abstained,
    band: answer.band,
    support: answer.support,
    citations: answer.citations.map(({ n, uri, title, quote, span, place, headings, verified, answerSpan }) => ({
      n,
      uri,
      title,
      quote,
      span,
      ...place,
      ...(headings.length > 0 ? { heading: headings.join(' › ') } : {}),
      citation: formatCitation({ uri, span }),
      verified,
      answerSpan,
    })),
    hits: answer.hits.map((hit, i) => hitToJson(hit, i + 1)),
    usage: {},
    costUsd: 0,
  };
}
