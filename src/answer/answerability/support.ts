import { probabilityOf } from '../../core/logistic.ts';
import type { Scored } from '../sentences/question/candidate.ts';
import { coverage, type Question, raise } from '../sentences/question/question.ts';
import { featureNames } from '../sentences/ranking/features.ts';
import type { Judged } from '../sentences/ranking/rank.ts';

/** What the support of an answer is worked out from, in order. */
export const supportNames = [
  'density', // BM25 of the best passage, as a share of what the question could reach
  'strength', // the same, unnormalised, logarithmic: rare words say more
  'margin', // to the second passage
  'topic', // coverage by the best sentence with its context
  'three', // coverage by the first three with their titles
  'unknown', // share of terms the collection does not know
  'title', // coverage by the best sentence's title
  'pair', // neighbouring words of the question found side by side in one sentence
  'terms', // ln(1 + number of terms): a long question is never covered whole
  'hit', // score of the best passage, as a logit
  'lead', // of its score over the second one's
  'first', // logit that the likeliest sentence answers
  'likely', // sentences that may answer: sum of their probabilities
] as const;
export type SupportName = (typeof supportNames)[number];

const topic = featureNames.indexOf('topic');
const pair = featureNames.indexOf('pair');

/**
 * Features of a question and its sentences, in the order of `supportNames`.
 * @param ranked by the linear model; `judged` by the trees
 * @returns undefined without a sentence or without a term
 */
export function supportFeatures(
  question: Question,
  ranked: readonly Scored[],
  judged: readonly Judged[],
): Float64Array | undefined {
  const first = ranked[0];
  if (first === undefined || question.terms.length === 0) return undefined;
  const { passage, features } = first.candidate;
  const together = new Float32Array(question.terms.length);
  for (const { candidate } of ranked.slice(0, 3)) {
    raise(together, candidate.match, 1);
    raise(together, candidate.passage.titleMatch, 1);
  }
  let unknown = 0;
  for (const term of question.terms) if (term.documentFrequency === 0) unknown += term.weight;
  const passages = [...new Set(ranked.map(({ candidate }) => candidate.passage))];
  const [density = 0, second = 0] = passages.map((each) => each.density).sort(descending);
  const [score = 0, nextScore = 0] = passages.map(({ hit }) => hit.score).sort(descending);
  return Float64Array.of(
    density,
    Math.log1p(density * question.weight) / 3,
    density === 0 ? 0 : (density - second) / density,
    features[topic]!,
    coverage(question, together),
    unknown / question.weight,
    passage.titleCoverage,
    ranked.reduce((most, { candidate }) => Math.max(most, candidate.features[pair]!), 0),
    Math.log(1 + question.terms.length),
    Math.log((score + 0.01) / (1.01 - score)), // within ±4.6
    score - nextScore,
    judged[0]?.score ?? 0,
    judged.reduce((sum, one) => sum + probabilityOf(one.score), 0),
  );
}

function descending(a: number, b: number): number {
  return b - a;
}
