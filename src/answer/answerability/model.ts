import { probabilityOf } from '../../core/logistic.ts';
import { type SupportName, supportNames } from './support.ts';

/**
 * Raised with every change that calibrates the same index otherwise: of the coefficients, the features, or the
 * out-of-domain questions.
 */
export const calibrationVersion = 5;

/** Coefficients of the support model, as `bench/quality/train-support.ts` learns them. */
const supportWeights: Readonly<Record<SupportName | 'bias', number>> = {
  density: -1.22,
  strength: 4.17,
  margin: 0.26,
  topic: 0.42,
  three: 1.11,
  unknown: 0.01,
  title: 0.43,
  pair: 0.27,
  terms: -0.42,
  hit: 0.4,
  lead: 0.07,
  first: 0.19,
  likely: 0.07,
  bias: -3.34,
};

const supportVector = Float64Array.from(supportNames, (name) => supportWeights[name]);

/** The support of a question's features, in (0, 1); 0 without features. */
export function supportOf(features: Float64Array | undefined): number {
  if (features === undefined) return 0;
  let logit = supportWeights.bias;
  for (let i = 0; i < features.length; i++) logit += supportVector[i]! * features[i]!;
  return probabilityOf(logit);
}

/**
 * Thresholds of an index without a calibration. No tuning collection has more than 5 % of its answerable questions
 * below the first.
 */
export const refuseBelowBuiltIn = 0.17;
export const answerFromBuiltIn = 0.5;
