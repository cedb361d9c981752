import { seededRandom } from '../../../src/eval/statistics.ts';

export interface RandomSource {
  /** In [0, 1). */
  next(): number;
  /** Both ends included. */
  integer(from: number, to: number): number;
  /** Mean 0, variance 1. */
  normal(): number;
}

/** A seeded generator, so that a failure can be repeated. */
export function randomSource(seed: number): RandomSource {
  const next = seededRandom(seed);
  return {
    next,
    integer: (from, to) => from + Math.floor(next() * (to - from + 1)),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}
