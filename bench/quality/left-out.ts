/**
 * Ranking of a collection that its weights have not seen: the weights of `fuse` are fitted anew on all other
 * collections, from neutral ones. The features and their inner constants stay as they are.
 */
import type { Weights } from '../../src/index.ts';
import {
  analyseQuery,
  type Candidates,
  ChunkCache,
  cheapFeatures,
  type FeatureName,
  type Features,
  fuse,
  GramFrequencies,
  generateCandidates,
  mean,
  textFeatures,
  topIndices,
} from '../../src/internal.ts';
import type { Collection, CollectionIndex } from './collections.ts';

/** As in `search`. */
const READ = 50;
/** Queries of one collection that the fit looks at. */
const FIT_QUERIES = 100;
const CUT = 10;
/**
 * Steps of the coordinate search, coarse to fine. A step must gain this much mean nDCG@10: what gains less on some
 * collections is as likely to lose on the next.
 */
const STEPS = [2, 1.5, 1.25];
const GAIN = 1e-3;

const neutral: Weights = {
  body: 1,
  window: 1,
  title: 1,
  heading: 1,
  titleShare: 1,
  headingShare: 1,
  mention: 1,
  phrase: 1,
  characters: 1,
  length: 0,
  cosine: 1,
  feedback: 1,
  quoted: 20,
};

interface FitQuery {
  readonly asks: boolean;
  readonly candidates: Candidates;
  readonly features: Features;
  /** Gain of each candidate over the ideal's sum, so that discounted they add up to nDCG. */
  readonly gains: Float64Array;
}

/** What of one collection the fit looks at. */
export type FitSet = readonly FitQuery[];

export async function fitSet(
  { ids, qrels, queries: all }: Pick<Collection, 'ids' | 'qrels' | 'queries'>,
  { snapshot, embedder }: CollectionIndex,
  /** Called before each query; may throw. */
  check: () => Promise<void>,
): Promise<FitSet> {
  const cache = ChunkCache.of(snapshot);
  const frequencies = await GramFrequencies.of(snapshot);
  const step = Math.max(1, Math.floor(all.length / FIT_QUERIES));
  const queries: FitQuery[] = [];
  for (const { id, text } of all.filter((_, i) => i % step === 0)) {
    await check();
    const analysed = analyseQuery(text);
    const { asks } = analysed;
    const candidates = await generateCandidates(snapshot, embedder, analysed, { mode: 'hybrid' });
    const cheap = cheapFeatures(candidates);
    const { scores: first } = fuse(candidates, cheap, neutral, asks);
    const picked = topIndices(first, first.length, first.length, Number.NEGATIVE_INFINITY).slice(0, READ);
    const chunks = await cache.get(picked.map((i) => candidates.ordinals[i]!));
    const features = { ...cheap, ...textFeatures(candidates, analysed, frequencies, picked, chunks) };
    const grades = qrels.get(id) ?? new Map<string, number>();
    const ideal = discounted([...grades.values()].sort((a, b) => b - a)) || 1;
    const gains = Float64Array.from(candidates.ordinals, (row) => Math.max(0, grades.get(ids[row]!) ?? 0) / ideal);
    queries.push({ asks, candidates, features, gains });
  }
  return queries;
}

function discounted(gains: readonly number[]): number {
  return gains.slice(0, CUT).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
}

/**
 * Coordinate search for the greatest mean over collections of nDCG@10.
 * @param check called before each step; may throw
 */
export async function fitWeights(sets: readonly FitSet[], check: () => Promise<void>): Promise<Weights> {
  const worth = (weights: Weights): number => mean(sets.map((set) => meanGain(set, weights)));
  let weights = neutral;
  let best = worth(weights);
  for (const step of STEPS) {
    for (const name of Object.keys(neutral) as FeatureName[]) {
      if (name === 'quoted') continue; // a promise, not a matter of degree
      await check();
      const now = weights[name];
      for (const value of now === 0 ? [0.1, -0.1] : [now * step, now / step]) {
        const tried = { ...weights, [name]: value };
        const reached = worth(tried);
        if (reached <= best + GAIN) continue;
        weights = tried;
        best = reached;
      }
    }
  }
  return weights;
}

/** Mean nDCG@10. */
export function meanGain(queries: FitSet, weights: Weights): number {
  let sum = 0;
  for (const { candidates, features, asks, gains } of queries) {
    const { scores } = fuse(candidates, features, weights, asks);
    sum += discounted(topIndices(scores, scores.length, CUT, Number.NEGATIVE_INFINITY).map((i) => gains[i]!));
  }
  return sum / (queries.length || 1);
}
