/** Coefficients of the two models, learned by `bench/quality/train-answers.ts` on the tune halves. */
import type { FeatureName } from './features.ts';
import { type SupportName, supportNames } from './support.ts';

export const selectionWeights: Readonly<Record<FeatureName, number>> = {
  own: 2.56,
  topic: 2.64,
  near: 2.64,
  focus: 1.81,
  relative: 3.85,
  passage: 2.96,
  title: 3.71,
  language: 2.67,
  short: -2.73,
  question: -1.04,
  number: 2.04,
  date: 1.66,
  person: 1.14,
  place: 2.58,
  pair: 1.66,
  row: 2.76,
  reference: -3, // set by hand: the tuning collections have no such sections
  counted: 0.71,
  open: -0.32,
};

/** Raised whenever the same index would be calibrated otherwise: with the coefficients, the features, the foreign questions. */
export const calibrationVersion = 1;

export const supportWeights: Readonly<Record<SupportName | 'bias', number>> = {
  density: 1.27,
  strength: 5.6,
  margin: 0.75,
  topic: 2.11,
  three: 0.9,
  unknown: -0.98,
  title: 0.42,
  pair: 0.66,
  terms: -0.58,
  bias: -5.41,
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
export const refuseBelowBuiltIn = 0.17;
export const answerFromBuiltIn = 0.5;
