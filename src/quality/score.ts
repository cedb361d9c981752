import type { Span } from '../core/types.ts';
import { discountedGain } from '../eval/metrics.ts';
import { oneLine } from '../text/one-line.ts';
import type { JudgedQuestion, Judgement } from './question.ts';

/** The parts of a hit that are compared with judgements. */
export interface JudgedHit {
  readonly uri: string;
  readonly span: Span;
  readonly text: string;
  readonly tokens: number;
}

/** Of one question; each in [0, 1]. */
export interface Score {
  /** Share of the evidence that the first ten hits touch. */
  readonly recall: number;
  /** A hit gains 1 when it touches evidence that no better hit touches. */
  readonly ndcg: number;
  /**
   * Share of the evidence within the first `READ_TOKENS` tokens of hits: what a longer chunk costs a reader is counted.
   */
  readonly recallByTokens: number;
}

const CUTOFF = 10;
/** About what ten chunks of the default size hold in prose. */
export const READ_TOKENS = 2000;
/** Hits to ask for, so that even short chunks fill the tokens. */
export const DEPTH = 40;

/** @param hits best first */
export function scoreHits({ evidence }: JudgedQuestion, hits: readonly JudgedHit[]): Score {
  const found = new Set<Judgement>();
  let recall = 0;
  const gains: number[] = [];
  let byTokens = 0;
  let tokens = 0;
  for (const [i, hit] of hits.entries()) {
    const fits = tokens + hit.tokens <= READ_TOKENS;
    tokens += hit.tokens;
    const fresh = evidence.filter((one) => !found.has(one) && touches(hit, one));
    for (const one of fresh) found.add(one);
    if (i < CUTOFF) {
      recall += fresh.length;
      gains.push(fresh.length > 0 ? 1 : 0);
    }
    if (fits || i === 0) byTokens += fresh.length;
  }
  const ideal = Array.from({ length: Math.min(CUTOFF, evidence.length) }, () => 1);
  return {
    recall: recall / evidence.length,
    ndcg: discountedGain(gains) / discountedGain(ideal),
    recallByTokens: byTokens / evidence.length,
  };
}

/** Whether the hit holds the text, or shares at least a third of the span (or of itself, where the span is longer). */
export function touches(hit: JudgedHit, { uri, span, text }: Judgement): boolean {
  if (uri !== undefined && hit.uri !== uri) return false;
  if (text !== undefined && !holds(hit.text, text)) return false;
  if (span === undefined) return true;
  const shared = Math.min(hit.span.end, span.end) - Math.max(hit.span.start, span.start);
  return shared > 0 && 3 * shared >= Math.min(span.end - span.start, hit.span.end - hit.span.start);
}

/** Whole, or the larger part of it at the hit's end or beginning: a text may lie across the border of two chunks. */
function holds(hit: string, text: string): boolean {
  const own = folded(hit);
  const wanted = folded(text);
  if (own.includes(wanted)) return true;
  const least = Math.ceil(wanted.length / 2);
  if (own.length < least) return own !== '' && wanted.includes(own);
  for (let length = wanted.length - 1; length >= least; length--) {
    if (own.endsWith(wanted.slice(0, length)) || own.startsWith(wanted.slice(-length))) return true;
  }
  return own.length < wanted.length && wanted.includes(own);
}

function folded(text: string): string {
  return oneLine(text.normalize('NFKC')).toLowerCase();
}
