import type { Candidates } from './candidates.ts';
import { K1 } from './lexical-scores.ts';
import { topIndices } from './top.ts';
import type { FeatureName, Weights } from './tuning.ts';

/** How many of the best so far say what the answer looks like. */
const FEEDBACK_CHUNKS = 5;

/** Feature values of each candidate, parallel to its ordinals. A missing feature counts as 0. */
export type Features = Readonly<Partial<Record<FeatureName, Float64Array>>>;

/** The unit in which lexical features are measured: the best body score among the candidates. */
export function lexicalUnit({ body }: Candidates): number {
  let most = 0;
  for (const score of body) if (score > most) most = score;
  return most || 1;
}

/** The features that cost no reading. */
export function cheapFeatures(candidates: Candidates): Features {
  const { body, cosine } = candidates;
  const unit = lexicalUnit(candidates);
  const inUnits = (scores: Float64Array): Float64Array => scores.map((score) => score / unit);
  return {
    body: inUnits(body),
    window: inUnits(candidates.window),
    title: inUnits(candidates.title),
    heading: inUnits(candidates.heading),
    titleShare: candidates.titleShare,
    length: candidates.length,
    ...(cosine && { cosine: vectorEvidence(body, cosine) }),
  };
}

/**
 * The depths at which the best by words and the best by vectors are compared; of few candidates a fifth at most,
 * because more would agree by chance.
 */
const COMPARED = [10, 20];
const COMPARED_SHARE = 5;

/**
 * How much the vectors add, in [0, 1]: the share of their best that is not among the best by words. Where both name the
 * same chunks, the words have said it already, and more finely: what the vectors add to the order is mostly noise.
 */
export function novelty(body: Float64Array, cosine: Float64Array): number {
  const most = Math.ceil(body.length / COMPARED_SHARE);
  const depths = COMPARED.map((depth) => Math.min(depth, most));
  const byWords = topIndices(body, body.length, Math.max(...depths), 0);
  const byVectors = topIndices(cosine, cosine.length, Math.max(...depths), 0);
  const shares = depths.map((depth) => {
    const words = new Set(byWords.slice(0, depth));
    const named = byVectors.slice(0, depth);
    return named.filter((i) => !words.has(i)).length / (named.length || 1);
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Lists that mean the same differ this much by noise alone; only what exceeds it counts. */
const NOISE = 0.15;
/** A nearest chunk no nearer than this share of it was found by little more than chance. */
const NEAR = 0.7;
/** Where the best by words leads the next by this much of its score, the words have decided. */
const DECIDED = 0.5;

/** How far the best score stands above the second, as a share of it. */
export function lead(scores: Float64Array): number {
  const [first, second] = topIndices(scores, scores.length, 2, 0);
  if (first === undefined) return 0;
  return 1 - (second === undefined ? 0 : scores[second]! / scores[first]!);
}

/**
 * How far the order by vectors counts, in [0, 1]: as far as the vectors name other chunks than the words, have found
 * something near, and the words have not decided already.
 */
export function vectorTrust(body: Float64Array, cosine: Float64Array): number {
  const fresh = Math.max(0, novelty(body, cosine) - NOISE);
  const nearest = cosine.reduce((most, value) => Math.max(most, value), 0);
  return fresh * Math.min(1, nearest / NEAR) * Math.max(0, 1 - lead(body) / DECIDED);
}

/** Cubed, because vectors tell the nearest few from the rest, but hardly order the rest. */
function vectorEvidence(body: Float64Array, cosine: Float64Array): Float64Array {
  const trusted = vectorTrust(body, cosine);
  return spread(cosine).map((value) => value ** 3 * trusted);
}

/**
 * A share of the query's weight, as the lexical unit: what a chunk that holds this much of the query could score at
 * most.
 */
export function shareToUnits(candidates: Candidates): number {
  return (candidates.queryWeight * (K1 + 1)) / lexicalUnit(candidates);
}

/**
 * Sums features by weight; where the query does not ask, then adds how near each candidate is to the mean of the best
 * so far.
 * @param asks whether the query is a question by its form
 * @returns the scores, and the features that they are the sum of
 */
export function fuse(
  candidates: Candidates,
  features: Features,
  weights: Weights,
  asks: boolean,
): { readonly scores: Float64Array; readonly features: Features } {
  const scores = new Float64Array(candidates.ordinals.length);
  for (const [name, values] of Object.entries(features) as [FeatureName, Float64Array][]) {
    if (name === 'feedback') continue;
    addTo(scores, values, weights[name]);
  }
  if (candidates.vectors === undefined || weights.feedback === 0 || asks) return { scores, features };
  const feedback = nearnessToBest(candidates, scores);
  addTo(scores, feedback, weights.feedback);
  return { scores, features: { ...features, feedback } };
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
