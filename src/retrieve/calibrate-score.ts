import { probabilityOf } from '../core/logistic.ts';
import type { QueryPredictors } from './query-predictors.ts';

/** A logistic over the predictors; fitted by `bench/quality/calibration.ts`. */
const INTERCEPT = -4.6;
const COVERAGE = 1.8;
const STRENGTH = 13.3;

/** How likely it is that the index knows what the query is about, in [0, 1]. */
export function calibrateScore({ terms, coverage, strength }: QueryPredictors): number {
  if (terms === 0) return 0;
  return probabilityOf(INTERCEPT + COVERAGE * coverage + STRENGTH * strength);
}
