import { IbidError } from '../core/errors.ts';
import { defaultWeights, type Weights } from './fuse.ts';

/** How many candidates each list may name, and how many of the best have their text read. Whole numbers, at least 1. */
export interface CandidateCounts {
  /** By the words of title and text. */
  readonly body: number;
  /** By the words of the chunk and its neighbours. */
  readonly window: number;
  /** By vectors. */
  readonly dense: number;
  /** Read for phrases, headings and characters; the others keep their place behind. */
  readonly read: number;
}

export const defaultCandidates: CandidateCounts = { body: 100, window: 50, dense: 100, read: 50 };

/** What of the ranking may be set for one collection; what is absent keeps its default. `ibid tune` finds such settings. */
export interface Tuning {
  readonly weights?: Partial<Weights> | undefined;
  readonly candidates?: Partial<CandidateCounts> | undefined;
}

/** Lists longer than this cost more than a whole scan. */
const MOST_CANDIDATES = 10_000;

/** @throws IbidError INVALID_ARGUMENT naming the setting that is unknown or out of range */
export function resolveTuning(tuning: Tuning): { readonly weights: Weights; readonly candidates: CandidateCounts } {
  return {
    weights: filled('weight', defaultWeights, tuning.weights, (value) =>
      Number.isFinite(value) ? undefined : 'a finite number',
    ),
    candidates: filled('candidate count', defaultCandidates, tuning.candidates, (value) =>
      Number.isSafeInteger(value) && value >= 1 && value <= MOST_CANDIDATES
        ? undefined
        : `a whole number from 1 to ${MOST_CANDIDATES}`,
    ),
  };
}

function filled<T extends object>(
  what: string,
  defaults: T,
  given: { readonly [K in keyof T]?: T[K] } | undefined,
  wrong: (value: number) => string | undefined,
): T {
  if (given === undefined) return defaults;
  const result = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(defaults, name)) {
      throw new IbidError('INVALID_ARGUMENT', `there is no ${what} "${name}"`, {
        hint: `There are: ${Object.keys(defaults).join(', ')}.`,
      });
    }
    const expected = typeof value === 'number' ? wrong(value) : 'a number';
    if (expected !== undefined) {
      throw new IbidError(
        'INVALID_ARGUMENT',
        `the ${what} "${name}" must be ${expected}, not ${JSON.stringify(value)}`,
      );
    }
    Object.assign(result, { [name]: value });
  }
  return result;
}
