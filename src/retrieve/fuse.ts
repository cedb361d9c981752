import type { Candidates } from './gather.ts';
import { K1 } from './lexical-scores.ts';
import { topIndices } from './top.ts';

/**
 * What adds up to a score. One set of constants for every collection, fitted on the collections that `bench/quality/retrieval.ts`
 * scores, rounded, and chosen among near-equals for the least harm to any of them.
 */
export interface Weights {
  /** BM25 of title and text as one field; of the window; of the title; of the heading path. In lexical units. */
  readonly body: number;
  readonly window: number;
  readonly title: number;
  readonly heading: number;
  /** Share of the title's terms that are in the query. */
  readonly titleShare: number;
  /** Share of the innermost heading's words, function words included, that are in the query. */
  readonly headingShare: number;
  /** 1 when one of the three best so far names the chunk's title in its text; half for a title of one word. */
  readonly mention: number;
  /** Neighbouring query terms that stand together; character 4-grams. In lexical units. */
  readonly phrase: number;
  readonly characters: number;
  /** Log of the text's length over the mean. */
  readonly length: number;
  /** Cosine with the query, and with the mean of the best so far; spread over the candidates, times flatness. */
  readonly cosine: number;
  readonly feedback: number;
  /** Added to both where the query does not ask: a topic or a claim wants all that is related. */
  readonly topicCosine: number;
  readonly topicFeedback: number;
  /** Whole quoted phrases held: above everything else. */
  readonly quoted: number;
}

export type FeatureName = keyof Weights;

export const defaultWeights: Weights = {
  body: 0.6,
  window: 1.8,
  title: 1.1,
  heading: 1.5,
  titleShare: 0.45,
  headingShare: 1,
  mention: 0.7,
  phrase: 0.6,
  characters: 1,
  length: -0.1,
  cosine: 0.6,
  feedback: 0.2,
  topicCosine: 0.8,
  topicFeedback: 0.9,
  quoted: 20,
};

/** How many of the best so far say what the answer looks like. */
const FEEDBACK_CHUNKS = 5;

/** Feature values of each candidate, parallel to its ordinals. A missing feature counts as 0. */
export type Features = Partial<Record<FeatureName, Float64Array>>;

/** The unit in which lexical features are measured: the best body score among the candidates. */
export function lexicalUnit({ body }: Candidates): number {
  let most = 0;
  for (const score of body) if (score > most) most = score;
  return most || 1;
}

/**
 * The features that cost no reading.
 * @param asks whether the query is a question by its form
 */
export function cheapFeatures(candidates: Candidates, asks: boolean): Features {
  const unit = lexicalUnit(candidates);
  const cosine = candidates.cosine && scaled(spread(candidates.cosine), flatness(candidates));
  const inUnits = (scores: Float64Array): Float64Array => scores.map((score) => score / unit);
  return {
    body: inUnits(candidates.body),
    window: inUnits(candidates.window),
    title: inUnits(candidates.title),
    heading: inUnits(candidates.heading),
    titleShare: candidates.titleShare,
    length: candidates.length,
    ...(cosine && { cosine }),
    ...(cosine && !asks && { topicCosine: cosine }),
  };
}

/** The rank that is compared with the first to see how clear the words are. */
const FLAT_RANK = 10;

/**
 * How little the words decide: the tenth best body score over the best. Where one chunk stands out by its words, vectors add
 * mostly noise; where many are alike, they order them.
 */
function flatness({ body }: Candidates): number {
  const best = topIndices(body, body.length, FLAT_RANK, 0);
  return best.length === 0 ? 1 : best.length < FLAT_RANK ? 0 : body[best[FLAT_RANK - 1]!]! / body[best[0]!]!;
}

function scaled(values: Float64Array, factor: number): Float64Array {
  return values.map((value) => value * factor);
}

/** A share of the query's weight, as the lexical unit: what a chunk that holds this much of the query could score at most. */
export function shareToUnits(candidates: Candidates): number {
  return (candidates.queryWeight * (K1 + 1)) / lexicalUnit(candidates);
}

/**
 * Sums features by weight, then adds how near each candidate is to the mean of the best so far.
 * @param asks whether the query is a question by its form
 */
export function fuse(candidates: Candidates, features: Features, weights: Weights, asks: boolean): Float64Array {
  const scores = new Float64Array(candidates.ordinals.length);
  for (const [name, values] of Object.entries(features) as [FeatureName, Float64Array][]) {
    if (name === 'feedback' || name === 'topicFeedback') continue;
    addTo(scores, values, weights[name]);
  }
  if (candidates.vectors !== undefined && (weights.feedback !== 0 || weights.topicFeedback !== 0)) {
    const feedback = scaled(nearnessToBest(candidates, scores), flatness(candidates));
    features.feedback = feedback;
    addTo(scores, feedback, weights.feedback);
    if (!asks) {
      features.topicFeedback = feedback;
      addTo(scores, feedback, weights.topicFeedback);
    }
  }
  return scores;
}

function addTo(scores: Float64Array, values: Float64Array, weight: number): void {
  if (weight === 0) return;
  for (let i = 0; i < scores.length; i++) scores[i]! += weight * values[i]!;
}

function nearnessToBest({ vectors, dimensions }: Candidates, scores: Float64Array): Float64Array {
  const mean = new Float32Array(dimensions);
  for (const i of topIndices(scores, scores.length, FEEDBACK_CHUNKS, Number.NEGATIVE_INFINITY)) {
    for (let d = 0; d < dimensions; d++) mean[d]! += vectors![i * dimensions + d]!;
  }
  const nearness = new Float64Array(scores.length);
  for (let i = 0; i < scores.length; i++) {
    let dot = 0;
    for (let d = 0; d < dimensions; d++) dot += mean[d]! * vectors![i * dimensions + d]!;
    nearness[i] = dot;
  }
  return spread(nearness);
}

/** Min-max to [0, 1]; all 0 when there is nothing between them. */
function spread(values: Float64Array): Float64Array {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const range = high - low || 1;
  return values.map((value) => (value - low) / range);
}
