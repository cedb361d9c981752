import type { Candidates } from './gather.ts';
import { K1 } from './lexical-scores.ts';
import { topIndices } from './top.ts';

/** What adds up to a score. One set of constants for every collection; fitted in `bench/quality/`, checked by leaving collections out. */
export interface Weights {
  readonly body: number;
  readonly window: number;
  readonly title: number;
  readonly heading: number;
  readonly titleShare: number;
  readonly phrase: number;
  readonly characters: number;
  /** Times the query's foreignness, on top of `characters`. */
  readonly charactersForeign: number;
  readonly cosine: number;
  readonly feedback: number;
  /** Whole quoted phrases held: above everything else. */
  readonly quoted: number;
}

export type FeatureName = keyof Weights;

export const defaultWeights: Weights = {
  body: 1,
  window: 1.9,
  title: 1.4,
  heading: 2.5,
  titleShare: 0.4,
  phrase: 0.35,
  characters: 0.9,
  charactersForeign: 2.2,
  cosine: 1.5,
  feedback: 0.3,
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

/** The features that cost no reading. */
export function cheapFeatures(candidates: Candidates): Features {
  const unit = lexicalUnit(candidates);
  const inUnits = (scores: Float64Array): Float64Array => scores.map((score) => score / unit);
  return {
    body: inUnits(candidates.body),
    window: inUnits(candidates.window),
    title: inUnits(candidates.title),
    heading: inUnits(candidates.heading),
    titleShare: candidates.titleShare,
    ...(candidates.cosine && { cosine: spread(candidates.cosine) }),
  };
}

/** A share of the query's weight, as the lexical unit: what a chunk that holds this much of the query could score at most. */
export function shareToUnits(candidates: Candidates): number {
  return (candidates.queryWeight * (K1 + 1)) / lexicalUnit(candidates);
}

/** Sums features by weight, then adds how near each candidate is to the mean of the best so far. */
export function fuse(candidates: Candidates, features: Features, weights: Weights): Float64Array {
  const scores = new Float64Array(candidates.ordinals.length);
  for (const [name, values] of Object.entries(features) as [FeatureName, Float64Array][]) {
    const weight = weights[name];
    if (name === 'feedback' || weight === 0) continue;
    for (let i = 0; i < scores.length; i++) scores[i]! += weight * values[i]!;
  }
  if (weights.feedback !== 0 && candidates.vectors !== undefined) {
    const feedback = nearnessToBest(candidates, scores);
    features.feedback = feedback;
    for (let i = 0; i < scores.length; i++) scores[i]! += weights.feedback * feedback[i]!;
  }
  return scores;
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
