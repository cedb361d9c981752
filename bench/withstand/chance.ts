import { seededRandom } from '../../src/internal.ts';

/** Chance that a seed repeats. */
export interface Chance {
  /** A whole number from 0, below `limit`. */
  below(limit: number): number;
  of<T>(list: readonly T[]): T;
}

/** The same choices for the same seed and attempt. */
export function chanceOf(seed: number, attempt: number = 0): Chance {
  const next = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(attempt + 1, 0x85ebca6b));
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, of: (list) => list[below(list.length)]! };
}
