import { topIndices } from './top.ts';

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
const NOISE = 0.25;
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

/** Where the vectors give the best by words so much less than their nearest, they speak of another subject. */
const APART = 0.3;

/** What one query's lists say about its vectors. */
interface TrustSignals {
  /** BM25 of title and text, by candidate. */
  readonly body: Float64Array;
  readonly cosine: Float64Array;
  /** The sum of all features of words, by candidate. */
  readonly words: Float64Array;
}

/**
 * How far the order by vectors counts for one query, in [0, 1]: as far as the vectors name other chunks than the words,
 * have found something near, agree about the best by words, and the words have not decided already.
 */
export function vectorTrust({ body, cosine, words }: TrustSignals): number {
  const nearest = cosine.reduce((most, value) => Math.max(most, value), 0);
  if (nearest === 0) return 0;
  const fresh = Math.max(0, novelty(body, cosine) - NOISE);
  const [best] = topIndices(words, words.length, 1, 0);
  // without a word of the query there is no best by words
  const apart = best === undefined || body[best] === 0 ? 0 : 1 - cosine[best]! / nearest;
  return fresh * Math.min(1, nearest / NEAR) * Math.max(0, 1 - lead(body) / DECIDED) * Math.max(0, 1 - apart / APART);
}
