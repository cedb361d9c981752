/** Coefficients of the two models, learned by `bench/quality/train-answers.ts` on the tune halves. */
import type { FeatureName } from './features.ts';
import { type SupportName, supportNames } from './support.ts';

export const selectionWeights: Readonly<Partial<Record<FeatureName, number>>> = {
  own: 3.05,
  topic: 2.34,
  near: 2.56,
  focus: 1.26,
  relative: 4.01,
  passage: 2.72,
  title: 4.9,
  language: 3.05,
  short: -2.57,
  question: -1.46,
  number: 2.52,
  date: 1.8,
  person: 1.16,
  place: 2.47,
  pair: 1.54,
  row: 3.14,
};

export const supportWeights: Readonly<Record<SupportName | 'bias', number>> = {
  best: -0.54,
  mean: 0.77,
  gap: 0.12,
  density: 1.22,
  strength: 4.87,
  margin: 1.02,
  own: 0.48,
  topic: 1.23,
  passage: 0.93,
  three: 0.77,
  missing: 0.45,
  unknown: -0.9,
  matched: 0.16,
  title: 0.28,
  pair: 0.64,
  terms: -0.55,
  bias: -5.86,
};

const supportVector = Float64Array.from(supportNames, (name) => supportWeights[name]);

/** Support for a question's features, in (0, 1); 0 when there is nothing to judge. */
export function supportOf(features: Float64Array | undefined): number {
  if (features === undefined) return 0;
  let logit = supportWeights.bias;
  for (let i = 0; i < features.length; i++) logit += supportVector[i]! * features[i]!;
  return 1 / (1 + Math.exp(-logit));
}

/** Thresholds for an index that was not calibrated: no tuning collection has more than 5 % of its own questions below the first. */
export const refuseBelowBuiltIn = 0.18;
export const answerFromBuiltIn = 0.5;
