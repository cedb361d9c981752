import type { Span } from '../../../core/types.ts';
import { scoresOf, type Trees } from '../trees/trees.ts';
import { longestSpan } from './sentence-model-input.ts';
import type { SpanCandidate } from './spans.ts';

/** The first trees score every span, with the sentence model; all trees those that are best by them. More change nothing. */
const firstTrees = 6;
const kept = 16;
/** How much a span counts for those that it overlaps: e to this power of its logit. Chosen on sets left out of training. */
const sharpness = 3;
/** The same where a sentence model has its say, and how much its logarithms count beside the logits of the trees. */
const sharpnessRead = 1.5;
const readWeight = 0.5;

interface ChosenSpan {
  readonly span: Span;
  /** The highest logit of a span of the sentence, by the trees. */
  readonly score: number;
}

const parts = new WeakMap<Trees, readonly [first: Trees, rest: Trees]>();

function partsOf(trees: Trees): readonly [first: Trees, rest: Trees] {
  const found = parts.get(trees) ?? [
    { ...trees, roots: trees.roots.slice(0, firstTrees) },
    { ...trees, bias: 0, roots: trees.roots.slice(firstTrees) },
  ];
  parts.set(trees, found);
  return found;
}

/** Logarithms of the shares of all spans by what a sentence model says of each: they sum to 1. */
function sharesRead(spans: readonly SpanCandidate[], read: Float32Array): Float64Array {
  const out = Float64Array.from(spans, ({ first, more }) => read[first * longestSpan + more]!);
  let most = Number.NEGATIVE_INFINITY;
  for (const value of out) most = Math.max(most, value);
  let sum = 0;
  for (const value of out) sum += Math.exp(value - most);
  return out.map((value) => value - most - Math.log(sum));
}

/**
 * The span with the highest expected overlap with the right one (F1 of characters), where each span is right in
 * proportion to e^(sharpness · logit): minimum Bayes risk, Goel & Byrne 2000.
 * @param read what a sentence model says of each run of words (`SentenceModel`); the trees alone decide without it
 * @returns undefined without spans
 */
export function chooseSpan(trees: Trees, spans: readonly SpanCandidate[], read?: Float32Array): ChosenSpan | undefined {
  const [first, rest] = partsOf(trees);
  const gains = read && sharesRead(spans, read);
  const firstScores = scoresOf(
    first,
    spans.map(({ row }) => row),
  );
  const open = spans.map((one, i) => {
    const gain = gains ? readWeight * gains[i]! : 0;
    return { one, gain, score: gain + firstScores[i]! };
  });
  const near = best(open);
  const restScores = scoresOf(
    rest,
    near.map(({ one }) => one.row),
  );
  const scored = near
    .map(({ one, gain, score }, i) => ({ one, gain, score: score + restScores[i]! }))
    .sort((a, b) => b.score - a.score);
  const [top] = scored;
  if (top === undefined) return undefined;
  const power = read ? sharpnessRead : sharpness;
  const shares = scored.map(({ score }) => Math.exp(power * (score - top.score)));
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
  return { span: chosen, score: Math.max(...scored.map(({ gain, score }) => score - gain)) };
}

/** 2 · shared / (a + b), in characters. */
export function overlapF1(a: Span, b: Span): number {
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return shared <= 0 ? 0 : (2 * shared) / (a.end - a.start + (b.end - b.start));
}

function best<T extends { readonly score: number }>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => b.score - a.score).slice(0, kept);
}
