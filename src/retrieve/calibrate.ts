import type { Evidence } from './evidence.ts';

/** A logistic over the evidence; fitted by `bench/quality/calibration.ts`. */
const INTERCEPT = -4.6;
const COVERAGE = 1.8;
const STRENGTH = 13.3;

/** How likely it is that the index knows what the query is about, in [0, 1]. */
export function trust({ terms, coverage, strength }: Evidence): number {
  if (terms === 0) return 0;
  return 1 / (1 + Math.exp(-(INTERCEPT + COVERAGE * coverage + STRENGTH * strength)));
}
