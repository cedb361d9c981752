import { objectOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';

/**
 * The weights of the features in a score. One set for every collection, fitted on the collections that
 * `bench/quality/run.ts` scores, checked on those of `bench/quality/ranking-sets.ts`, rounded, and chosen among
 * near-equal sets for the least harm to any of them.
 */
export interface Weights {
  /**
   * BM25 of title and text as one field; of the window; of the title; of the heading path, times the share of the query
   * that the chunk holds. In lexical units.
   */
  readonly body: number;
  readonly window: number;
  readonly title: number;
  readonly heading: number;
  /** Share of the title's terms that are in the query. */
  readonly titleShare: number;
  /**
   * Share of the innermost heading's words that are in the query: function words whole, others a third. More
   * than 1 where a line says what the one name of code is that the query asks for.
   */
  readonly headingShare: number;
  /**
   * 1 when one of the three best so far names the chunk's title in its text, half for a title of one word; over the
   * number of the document's chunks, because it is the document that is meant.
   */
  readonly mention: number;
  /** Neighbouring query terms that stand together; character 4-grams. In lexical units. */
  readonly phrase: number;
  readonly characters: number;
  /** Log of the text's length over the mean. */
  readonly length: number;
  /** Cosine with the query, spread over the candidates, cubed, times the trust in the vectors of this query. */
  readonly cosine: number;
  /**
   * Nearness to the mean of the best so far, where the query does not ask: a topic or a claim wants all that is
   * related.
   */
  readonly feedback: number;
  /** Whole quoted phrases held: above everything else. */
  readonly quoted: number;
}

export type FeatureName = keyof Weights;

export const defaultWeights: Weights = {
  body: 0.6,
  window: 1.8,
  title: 0.8,
  heading: 1.5,
  titleShare: 0.45,
  headingShare: 1.3,
  mention: 0.7,
  phrase: 0.45,
  characters: 1,
  length: -0.1,
  cosine: 2.5,
  feedback: 1.6,
  quoted: 20,
};

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

/**
 * The settings of the ranking for one collection; an absent setting keeps its default. `ibid tune` finds such settings.
 */
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
  objectOf(given, `${what}s`);
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
        `the ${what} "${name}" must be ${expected}, not ${typeof value === 'number' || typeof value === 'string' ? JSON.stringify(value) : typeof value}`,
        { hint: `Give ${expected}, or leave it out.` },
      );
    }
    Object.assign(result, { [name]: value });
  }
  return result;
}
