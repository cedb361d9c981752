import { bootstrapInterval, comparePaired } from '../eval/statistics.ts';
import { mean } from '../eval/summary.ts';
import type { Score } from './score.ts';

/** One setting's scores, parallel to the questions. */
export interface Measured {
  readonly name: string;
  readonly scores: readonly Score[];
}

/** The best setting, with the test of its difference from the defaults. */
export interface Choice {
  /** The best on the tuning half, where one was better there than the defaults. */
  readonly best: string | undefined;
  /**
   * On the held-out half: `best` minus the defaults, its 95 % interval, and the p-value of the paired test. Absent
   * without a best.
   */
  readonly heldOut?: {
    readonly difference: number;
    readonly low: number;
    readonly high: number;
    readonly pValue: number;
  };
  /** Whether the gain on the held-out half is beyond noise. */
  readonly accepted: boolean;
  readonly reason: string;
}

/** Two choices are made of one set of questions: of the search, and of the chunk size. */
const ALPHA: number = 0.05 / 2;

/**
 * Chooses on one half of the questions and lets the other half decide: the best of many settings looks better than it
 * is on the questions it was chosen by. Where there are kinds of questions, none of them may lose on the held-out half.
 * @param kinds of each question, parallel to the scores
 */
export function chooseSetting(
  defaults: Measured,
  others: readonly Measured[],
  split: { readonly tune: readonly number[]; readonly heldOut: readonly number[] },
  measure: keyof Score,
  kinds: readonly string[] = [],
): Choice {
  const valuesOf = ({ scores }: Measured, half: readonly number[]): number[] => half.map((i) => scores[i]![measure]);
  const base = mean(valuesOf(defaults, split.tune));
  let best: Measured | undefined;
  let most = base;
  for (const other of others) {
    const value = mean(valuesOf(other, split.tune));
    if (value > most + 1e-9) [best, most] = [other, value];
  }
  if (best === undefined) {
    return { best: undefined, accepted: false, reason: 'nothing was better than the defaults on the tuning half' };
  }
  const before = valuesOf(defaults, split.heldOut);
  const after = valuesOf(best, split.heldOut);
  if (before.length === 0) return { best: best.name, accepted: false, reason: 'there are no held-out questions' };
  const { difference, pValue } = comparePaired(before, after);
  const { low, high } = bootstrapInterval(after.map((value, i) => value - before[i]!));
  const heldOut = { difference, low, high, pValue };
  const beyondNoise = difference > 0 && pValue < ALPHA;
  const loser = [...new Set(kinds)].find(
    (kind) => mean(split.heldOut.map((at, i) => (kinds[at] === kind ? after[i]! - before[i]! : 0))) < -1e-9,
  );
  const accepted = beyondNoise && loser === undefined;
  const figure = `${signed(difference)} (${formatP(pValue)})`;
  const reason = accepted
    ? `better by ${figure} on the held-out half`
    : beyondNoise
      ? `it gains ${figure} on the held-out half, but loses on the ${loser} questions`
      : difference > 0
        ? `its gain on the held-out half is within noise: ${figure}`
        : `no gain on the held-out half: ${figure}`;
  return { best: best.name, heldOut, accepted, reason };
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

function formatP(pValue: number): string {
  return pValue < 0.001 ? 'p < 0.001' : `p = ${pValue.toFixed(3)}`;
}
