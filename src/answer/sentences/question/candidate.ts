import type { Hit } from '../../../core/types.ts';
import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { remembered } from '../structure/remembered.ts';
import type { Unit } from '../structure/units.ts';
import type { Holdings } from './holdings.ts';
import type { OfSubject } from './subject-folder.ts';

/** A hit as the question matches it, before its sentences are looked at. */
export interface AnalysedPassage {
  readonly hit: Hit;
  /** From 0. */
  readonly rank: number;
  /** Hit score / best hit score. */
  readonly relative: number;
  /** Per question term: how well title or headings hold it; how well anything in the passage does. */
  readonly titleMatch: Float32Array;
  readonly match: Float32Array;
  readonly titleCoverage: number;
  readonly coverage: number;
  /** BM25 of the passage over the most the question could reach, in [0, 1]. */
  readonly density: number;
  readonly units: readonly Unit[];
  readonly ofSubject: OfSubject;
  /** The passages of its document that stand straight before it, the nearest first, where an entry may go on from them. */
  readonly before?: readonly Hit[];
}

/** One citable unit of a passage, with its features. */
export interface Candidate {
  readonly passage: AnalysedPassage;
  readonly index: number;
  readonly unit: Unit;
  readonly tokens: readonly AnalysedWord[];
  readonly match: Float32Array;
  /** The headings that stand over it, outermost first. */
  readonly headings: readonly string[];
  /** Per question term: how well the title and these headings hold it; how well the nearest heading does. */
  readonly titleMatch: Float32Array;
  readonly headingMatch: Float32Array;
  readonly holds: Holdings;
  /** In the order of `featureNames` (`ranking/features.ts`). */
  readonly features: Float64Array;
}

/** Terms of its content words. */
export const termsOf: (candidate: Candidate) => ReadonlySet<string> = remembered(
  ({ tokens }: Candidate) => new Set(tokens.flatMap(({ empty, term }) => (empty ? [] : term))),
);

/** By the linear model, a logit that is comparable within one question. */
export interface Scored {
  readonly candidate: Candidate;
  readonly score: number;
}

/** Documents all of whose passages are among the hits. */
export interface WholeDocuments extends ReadonlySet<string> {
  /** Others, the last passages of which are. */
  readonly ended?: ReadonlySet<string>;
}
