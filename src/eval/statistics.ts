import { wholeOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { mean, quantile } from './summary.ts';

/** A mean with its interval. */
interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

interface BootstrapOptions {
  /** @default 0.95 */
  readonly confidence?: number | undefined;
  /** @default 2000 */
  readonly resamples?: number | undefined;
  /** Same seed, same values, same interval. @default 1 */
  readonly seed?: number | undefined;
}

/**
 * Percentile bootstrap of the mean: values (one per query) are drawn with replacement.
 * @throws IbidError INVALID_ARGUMENT when there are no values or an option is out of range
 * @see Efron & Tibshirani 1993, An Introduction to the Bootstrap, chapter 13
 */
export function bootstrapInterval(values: readonly number[], options: BootstrapOptions = {}): Interval {
  const { confidence = 0.95, resamples = 2000, seed = 1 } = options;
  if (values.length === 0) throw new IbidError('INVALID_ARGUMENT', 'an interval needs at least one value');
  if (!(confidence > 0 && confidence < 1)) {
    throw new IbidError('INVALID_ARGUMENT', `confidence must lie between 0 and 1, not ${confidence}`);
  }
  wholeOf(resamples, 'resamples', 1);
  const random = seededRandom(seed);
  const means = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    let sum = 0;
    for (let j = 0; j < values.length; j++) sum += values[Math.floor(random() * values.length)]!;
    means[i] = sum / values.length;
  }
  const tail = (1 - confidence) / 2;
  return { mean: mean(values), low: quantile(means, tail), high: quantile(means, 1 - tail) };
}

interface RandomisationOptions {
  /** Random sign flips; up to 16 non-zero differences all of them are enumerated instead. @default 10000 */
  readonly permutations?: number | undefined;
  /** @default 1 */
  readonly seed?: number | undefined;
}

/** Two systems compared query by query. */
export interface PairedComparison {
  /** Mean of `b - a`. */
  readonly difference: number;
  /** Two-sided: how often random swapping of a and b per query gives a mean difference at least this large. */
  readonly pValue: number;
}

const exactBelow = 16;

/**
 * Fisher's paired randomisation test of two systems on the same queries.
 * @param a one value per query
 * @param b the other system's values, in the same order
 * @throws IbidError INVALID_ARGUMENT when the lists are empty or of different length, or a value is NaN
 * @see Smucker, Allan & Carterette 2007, doi:10.1145/1321440.1321528
 */
export function comparePaired(
  a: readonly number[],
  b: readonly number[],
  options: RandomisationOptions = {},
): PairedComparison {
  const { permutations = 10_000, seed = 1 } = options;
  wholeOf(permutations, 'permutations', 1);
  if (a.length !== b.length || a.length === 0) {
    throw new IbidError('INVALID_ARGUMENT', `a paired test needs pairs: ${a.length} and ${b.length} values given`);
  }
  const differences = a.map((value, i) => b[i]! - value);
  const difference = mean(differences);
  // no sum would reach it, and any two systems would differ beyond chance
  if (Number.isNaN(difference)) throw new IbidError('INVALID_ARGUMENT', 'a value is not a number');
  const moving = differences.filter((d) => d !== 0);
  // Sums of the same numbers in another order differ in the last bits; they must still count as equal.
  const observed = Math.abs(moving.reduce((sum, d) => sum + d, 0)) * (1 - 1e-12);
  if (moving.length <= exactBelow) {
    const arrangements = 2 ** moving.length;
    let extreme = 0;
    for (let mask = 0; mask < arrangements; mask++) {
      const sum = moving.reduce((total, d, i) => total + ((mask >> i) & 1 ? -d : d), 0);
      if (Math.abs(sum) >= observed) extreme++;
    }
    return { difference, pValue: extreme / arrangements };
  }
  const random = seededRandom(seed);
  let extreme = 1; // the observed arrangement is one of the possible ones, so p is never 0
  for (let i = 0; i < permutations; i++) {
    let sum = 0;
    for (const d of moving) sum += random() < 0.5 ? d : -d;
    if (Math.abs(sum) >= observed) extreme++;
  }
  return { difference, pValue: extreme / (permutations + 1) };
}

/**
 * Area under the ROC curve: the chance that a random positive scores above a random negative, ties counting half
 * (the Mann-Whitney U statistic over midranks).
 * @returns a number in [0, 1], 0.5 for scores that tell nothing; `undefined` when either side is empty
 * @throws IbidError INVALID_ARGUMENT when a score is NaN
 */
export function auroc(positives: readonly number[], negatives: readonly number[]): number | undefined {
  if (positives.length === 0 || negatives.length === 0) return undefined;
  const scored = [
    ...positives.map((score) => ({ score, positive: true })),
    ...negatives.map((score) => ({ score, positive: false })),
  ];
  if (scored.some(({ score }) => Number.isNaN(score)))
    throw new IbidError('INVALID_ARGUMENT', 'a score is not a number');
  scored.sort((x, y) => (x.score < y.score ? -1 : x.score > y.score ? 1 : 0)); // not x - y: infinities would give NaN
  let rankSum = 0;
  for (let first = 0; first < scored.length; ) {
    let end = first;
    let tiedPositives = 0;
    while (end < scored.length && scored[end]!.score === scored[first]!.score)
      if (scored[end++]!.positive) tiedPositives++;
    rankSum += tiedPositives * ((first + 1 + end) / 2);
    first = end;
  }
  const u = rankSum - (positives.length * (positives.length + 1)) / 2;
  return u / (positives.length * negatives.length);
}

/**
 * Uniform numbers in [0, 1), the same for the same seed on every machine (mulberry32).
 * @param seed its lower 32 bits are used
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
