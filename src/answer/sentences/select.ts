import { type Candidate, type FeatureName, featureNames } from './features.ts';

/** Coefficients of the selection model, learned by `bench/quality/train-answers.ts` on the tune halves. */
export const selectionWeights: Readonly<Record<FeatureName, number>> = {
  own: 2.54,
  topic: 2.61,
  near: 2.62,
  focus: 1.85,
  relative: 3.8,
  passage: 2.93,
  title: 3.67,
  language: 2.67,
  short: -2.74,
  question: -1.04,
  number: 2.02,
  date: 1.66,
  person: 1.11,
  place: 2.5,
  pair: 1.65,
  row: 2.84,
  reference: -3, // set by hand: the tuning collections have no such sections
  counted: 0.75,
  open: -0.34,
};

/** How well a sentence answers, as a logit; comparable within one question. */
export function scoreWith(weights: Readonly<Partial<Record<FeatureName, number>>>): (candidate: Candidate) => number {
  const vector = Float64Array.from(featureNames, (name) => weights[name] ?? 0);
  return ({ features }) => {
    let sum = 0;
    for (let i = 0; i < vector.length; i++) sum += vector[i]! * features[i]!;
    return sum;
  };
}

export const selectionScore: (candidate: Candidate) => number = scoreWith(selectionWeights);

export interface Scored {
  readonly candidate: Candidate;
  readonly score: number;
}

/** Best first; ties by passage rank, then position. */
export function rank(
  candidates: readonly Candidate[],
  score: (candidate: Candidate) => number = selectionScore,
): Scored[] {
  return candidates
    .map((candidate) => ({ candidate, score: score(candidate) }))
    .sort(
      (a, b) =>
        b.score - a.score ||
        a.candidate.passage.rank - b.candidate.passage.rank ||
        a.candidate.index - b.candidate.index,
    );
}

export interface PickOptions {
  readonly limit: number;
  /** A further sentence must be within this of the best. */
  readonly within: number;
}

/** The sentences to show, best first. A sentence that shares 70 % of its words with a shown one is left out. */
export function pick(ranked: readonly Scored[], { limit, within }: PickOptions): Scored[] {
  const out: Scored[] = [];
  for (const next of ranked) {
    if (out.length >= limit || next.score < ranked[0]!.score - within) break;
    if (out.some((shown) => repeats(next.candidate, shown.candidate))) continue;
    out.push(next);
  }
  return out;
}

function repeats(a: Candidate, b: Candidate): boolean {
  const smaller = Math.min(a.terms.size, b.terms.size);
  if (smaller === 0) return a.terms.size === b.terms.size;
  let shared = 0;
  for (const term of a.terms) if (b.terms.has(term)) shared++;
  return shared >= 0.7 * smaller;
}
