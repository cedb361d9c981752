import type { Candidate, Scored } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { scoresOf } from '../trees/trees.ts';
import { firstTrees } from '../trees/weights.ts';
import { type Looked, lookCloser } from './closer.ts';
import { featureNames, type SentenceFeature } from './features.ts';
import type { Chosen } from './next.ts';

/**
 * Coefficients that find the sentences worth a closer look: a linear model, learned by listwise softmax on the tune
 * halves of the judged collections (`bench/quality/train-support.ts`).
 */
const selectionWeights: Readonly<Record<SentenceFeature, number>> = {
  own: 2.54,
  topic: 2.61,
  near: 2.62,
  focus: 1.85,
  relative: 3.8,
  passage: 2.93,
  title: 3.67,
  language: 2.67,
  short: -2.74,
  question: -1.04,
  number: 2.02,
  date: 1.66,
  person: 1.11,
  place: 2.5,
  pair: 1.65,
  row: 2.84,
  reference: -3, // set by hand: the tuning collections have no such sections
  counted: 0.75,
  open: -0.34,
};

const vector = Float64Array.from(featureNames, (name) => selectionWeights[name]);

/** Best first by the linear model, a logit that is comparable within one question; ties by passage, then position. */
export function rank(candidates: readonly Candidate[]): Scored[] {
  return candidates
    .map((candidate) => {
      let score = 0;
      for (let i = 0; i < vector.length; i++) score += vector[i]! * candidate.features[i]!;
      return { candidate, score };
    })
    .sort(
      (a, b) =>
        b.score - a.score ||
        a.candidate.passage.rank - b.candidate.passage.rank ||
        a.candidate.index - b.candidate.index,
    );
}

/** A sentence with the logit that it answers, as the first or after those before it. */
export interface Judged extends Chosen {
  readonly looked: Looked;
}

/** The sentences looked at more closely, the likeliest answer first. */
export function judge(question: Question, ranked: readonly Scored[]): Judged[] {
  return judgeEach(lookCloser(question, ranked)).sort((a, b) => b.score - a.score); // stable: ties as the linear model has them
}

/** In the order given. */
export function judgeEach(looked: readonly Looked[]): Judged[] {
  const scores = scoresOf(
    firstTrees,
    looked.map(({ row }) => row),
  );
  return looked.map((one, i) => ({ looked: one, candidate: one.scored.candidate, score: scores[i]! }));
}
