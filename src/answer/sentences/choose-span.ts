import type { Span } from '../../core/types.ts';
import type { SpanCandidate } from './spans.ts';
import { scoreOf, type Trees } from './trees.ts';

/** The first trees score every span, all trees those that are best by them. */
const firstTrees = 24;
const kept = 28;
/** How much a span counts for those that it overlaps: e to this power of its logit. Chosen on sets left out of training. */
const sharpness = 3;

export interface ChosenSpan {
  readonly span: Span;
  /** The highest logit of a span of the sentence. */
  readonly score: number;
}

/**
 * The span with the highest expected overlap with the right one (F1 of characters), where each span is right in
 * proportion to e^(sharpness · logit): minimum Bayes risk, Goel & Byrne 2000.
 * @returns undefined without spans
 */
export function chooseSpan(trees: Trees, spans: readonly SpanCandidate[]): ChosenSpan | undefined {
  const first: Trees = { ...trees, roots: trees.roots.slice(0, firstTrees) };
  const rest: Trees = { ...trees, bias: 0, roots: trees.roots.slice(firstTrees) };
  const open = spans.map((one) => ({ one, score: scoreOf(first, one.row) }));
  const scored = best(open)
    .map(({ one, score }) => ({ one, score: score + scoreOf(rest, one.row) }))
    .sort((a, b) => b.score - a.score);
  const [top] = scored;
  if (top === undefined) return undefined;
  const shares = scored.map(({ score }) => Math.exp(sharpness * (score - top.score)));
  let most = Number.NEGATIVE_INFINITY;
  let chosen = top.one.span;
  for (const { one } of scored) {
    let sum = 0;
    scored.forEach(({ one: other }, k) => {
      sum += shares[k]! * overlapF1(one.span, other.span);
    });
    if (sum <= most) continue;
    most = sum;
    chosen = one.span;
  }
  return { span: chosen, score: top.score };
}

/** 2 · shared / (a + b), in characters. */
export function overlapF1(a: Span, b: Span): number {
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return shared <= 0 ? 0 : (2 * shared) / (a.end - a.start + (b.end - b.start));
}

function best<T extends { readonly score: number }>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => b.score - a.score).slice(0, kept);
}
