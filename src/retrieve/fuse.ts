import type { Candidates } from './candidates.ts';
import { K1 } from './lexical-scores.ts';
import { topIndices } from './top.ts';
import type { FeatureName, Weights } from './tuning.ts';
import { vectorTrust } from './vector-trust.ts';

/** How much of the window's weight goes in an index where every document is one chunk. */
const WHOLE = 1 / 3;
/** How many of the best so far say what the answer looks like. */
const FEEDBACK_CHUNKS = 5;
/** A chunk that scores this much below the best says 1/e as much of that. */
const SCORE_FALL = 0.25;

/** Feature values of each candidate, parallel to its ordinals. A missing feature counts as 0. */
export type Features = Readonly<Partial<Record<FeatureName, Float64Array>>>;

/** The unit in which lexical features are measured: the best body score among the candidates. */
function lexicalUnit({ body }: Candidates): number {
  let most = 0;
  for (const score of body) if (score > most) most = score;
  return most || 1;
}

/** The features of words that cost no reading. */
export function cheapFeatures(candidates: Candidates): Features {
  const { body, wholes, coverage } = candidates;
  const unit = lexicalUnit(candidates);
  const inUnits = (scores: Float64Array): Float64Array => scores.map((score) => score / unit);
  return {
    body: inUnits(body),
    // around a chunk that is its whole document there is nothing: its window says what its body says
    window: inUnits(candidates.window).map((value) => value * (1 - WHOLE * wholes)),
    title: inUnits(candidates.title),
    // a heading that holds the one word and a text that holds no other are about something else
    heading: inUnits(candidates.heading).map((value, i) => value * coverage[i]!),
    titleShare: candidates.titleShare,
    length: candidates.length,
  };
}

/**
 * A share of the query's weight, as the lexical unit: what a chunk that holds this much of the query could score at
 * most.
 */
export function shareToUnits(candidates: Candidates): number {
  return (candidates.queryWeight * (K1 + 1)) / lexicalUnit(candidates);
}

/**
 * Sums the features of words by weight; adds the vectors' order as far as the lists of this query say that it can be
 * trusted; then, where the query does not ask, how near each candidate is to the mean of the best so far.
 * @param given a `cosine` among them stays as it is
 * @param asks whether the query is a question by its form
 * @returns the scores, and the features that they are the sum of
 */
export function fuse(
  candidates: Candidates,
  given: Features,
  weights: Weights,
  asks: boolean,
): { readonly scores: Float64Array; readonly features: Features } {
  const { body, cosine, ordinals } = candidates;
  const scores = new Float64Array(ordinals.length);
  for (const [name, values] of Object.entries(given) as [FeatureName, Float64Array][])
    addTo(scores, values, weights[name]);
  if (cosine === undefined || given.cosine !== undefined) return { scores, features: given };
  const trust = vectorTrust({ body, cosine, words: scores });
  // cubed, because vectors tell the nearest few from the rest, but hardly order the rest
  const features: Features = { ...given, cosine: spread(cosine).map((value) => value ** 3 * trust) };
  addTo(scores, features.cosine!, weights.cosine);
  if (weights.feedback === 0 || asks) return { scores, features };
  const feedback = nearnessToBest(candidates, scores);
  addTo(scores, feedback, weights.feedback);
  return { scores, features: { ...features, feedback } };
}

function addTo(scores: Float64Array, values: Float64Array, weight: number): void {
  if (weight === 0) return;
  for (let i = 0; i < scores.length; i++) scores[i]! += weight * values[i]!;
}

/**
 * Nearness to the mean of the best vectors, each weighted by the softmax of its score, as the documents of a relevance
 * model are by their likelihood (Lavrenko and Croft 2001): a lone best one is not drowned by those behind it.
 */
function nearnessToBest({ vectors, scales, dimensions }: Candidates, scores: Float64Array): Float64Array {
  const mean = new Float32Array(dimensions);
  const best = topIndices(scores, scores.length, FEEDBACK_CHUNKS, Number.NEGATIVE_INFINITY);
  for (const i of best) {
    const weight = scales![i]! * Math.exp((scores[i]! - scores[best[0]!]!) / SCORE_FALL);
    for (let d = 0; d < dimensions; d++) mean[d]! += Math.fround(vectors![i * dimensions + d]! * weight);
  }
  const nearness = new Float64Array(scores.length);
  for (let i = 0; i < scores.length; i++) {
    const from = i * dimensions;
    const scale = scales![i]!;
    let dot = 0;
    for (let d = 0; d < dimensions; d++) dot += mean[d]! * Math.fround(vectors![from + d]! * scale);
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
