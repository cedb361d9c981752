import { type SupportName, supportNames } from './support.ts';

/**
 * Raised with every change that calibrates the same index otherwise: of the coefficients, the features, or the
 * out-of-domain questions.
 */
export const calibrationVersion = 2;

/** Coefficients of the support model, learned by `bench/quality/train-support.ts` on the tune halves. */
export const supportWeights: Readonly<Record<SupportName | 'bias', number>> = {
  density: 1.23,
  strength: 5.4,
  margin: 0.8,
  topic: 2.11,
  three: 1.03,
  unknown: -0.98,
  title: 0.34,
  pair: 0.76,
  terms: -0.57,
  bias: -5.34,
};

const supportVector = Float64Array.from(supportNames, (name) => supportWeights[name]);

/** The support of a question's features, in (0, 1); 0 without features. */
export function supportOf(features: Float64Array | undefined): number {
  if (features === undefined) return 0;
  let logit = supportWeights.bias;
  for (let i = 0; i < features.length; i++) logit += supportVector[i]! * features[i]!;
  return 1 / (1 + Math.exp(-logit));
}

/**
 * Thresholds of an index without a calibration. No tuning collection has more than 5 % of its answerable questions
 * below the first.
 */
export const refuseBelowBuiltIn = 0.17;
export const answerFromBuiltIn = 0.5;
