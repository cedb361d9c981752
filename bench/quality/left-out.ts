/**
 * How ranking does on a collection that its weights have not seen: the weights of `fuse` are fitted anew on all collections but one, from
 * neutral ones, and scored on that one. What stays as it is: the features themselves and their inner constants.
 */
import { evaluateRun, type Run } from '../../src/eval/evaluate.ts';
import { ChunkCache } from '../../src/retrieve/chunk-cache.ts';
import { cheapFeatures, type FeatureName, type Features, fuse, type Weights } from '../../src/retrieve/fuse.ts';
import { type Candidates, gather } from '../../src/retrieve/gather.ts';
import { GramFrequencies } from '../../src/retrieve/gram-frequencies.ts';
import { addTextFeatures } from '../../src/retrieve/text-features.ts';
import { topIndices } from '../../src/retrieve/top.ts';
import { analyseQuery } from '../../src/text/analysis.ts';
import { type Collection, indexInMemory } from './collections.ts';

/** As in `search`. */
const READ = 50;
/** Queries of one collection that the fit looks at. */
const FIT_QUERIES = 150;
const CUT = 10;
/** Steps of the coordinate search, coarse to fine; a step must gain this much mean nDCG@10. */
const STEPS = [2, 1.5, 1.25];
const GAIN = 1e-4;

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
  readonly id: string;
  readonly text: string;
  readonly asks: boolean;
  readonly candidates: Candidates;
  readonly features: Features;
  /** Gain of each candidate over the ideal's sum, so that discounted they add up to nDCG. */
  readonly gains: Float64Array;
}

export interface FitSet {
  readonly queries: readonly FitQuery[];
  /** nDCG@10 of the whole ranking, texts read as the weights choose. */
  score(weights: Weights): Promise<number>;
}

export async function fitSet(collection: Collection): Promise<FitSet> {
  const { snapshot, embedder } = await indexInMemory(collection);
  const { ids, qrels } = collection;
  const cache = ChunkCache.of(snapshot);
  const frequencies = await GramFrequencies.of(snapshot);
  const queries: FitQuery[] = [];
  const read = async (query: Omit<FitQuery, 'features' | 'gains'>, weights: Weights) => {
    const { candidates, asks, text } = query;
    const features = cheapFeatures(candidates);
    const first = fuse(candidates, features, weights, asks);
    const ranking = topIndices(first, first.length, first.length, Number.NEGATIVE_INFINITY);
    const picked = ranking.slice(0, READ);
    const chunks = await cache.get(picked.map((i) => candidates.ordinals[i]!));
    addTextFeatures(features, candidates, text, analyseQuery(text), frequencies, picked, chunks);
    return { features, picked };
  };
  for (const { id, text } of collection.queries) {
    const analysed = analyseQuery(text);
    const candidates = await gather(snapshot, embedder, text, analysed, { mode: 'hybrid' });
    const grades = qrels.get(id) ?? new Map<string, number>();
    const ideal = discounted([...grades.values()].sort((a, b) => b - a)) || 1;
    const gains = Float64Array.from(candidates.ordinals, (row) => Math.max(0, grades.get(ids[row]!) ?? 0) / ideal);
    const query = { id, text, asks: analysed.asks, candidates };
    queries.push({ ...query, gains, features: (await read(query, neutral)).features });
  }
  return {
    queries,
    score: async (weights) => {
      const run: Run = new Map(
        await Promise.all(
          queries.map(async (query): Promise<[string, string[]]> => {
            const { features, picked } = await read(query, weights);
            const scores = fuse(query.candidates, features, weights, query.asks);
            picked.sort((a, b) => scores[b]! - scores[a]! || a - b);
            return [query.id, picked.map((i) => ids[query.candidates.ordinals[i]!]!)];
          }),
        ),
      );
      return evaluateRun(qrels, run, ['nDCG@10']).metrics['nDCG@10'] ?? 0;
    },
  };
}

function discounted(gains: readonly number[]): number {
  return gains.slice(0, CUT).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
}

/** Coordinate search for the greatest mean over collections of nDCG@10. */
export function fitWeights(sets: readonly FitSet[]): Weights {
  const samples = sets.map(({ queries }) => {
    const step = Math.max(1, Math.floor(queries.length / FIT_QUERIES));
    return queries.filter((_, i) => i % step === 0);
  });
  const worth = (weights: Weights): number =>
    samples.reduce((sum, sample) => sum + meanGain(sample, weights), 0) / samples.length;
  let weights = neutral;
  let best = worth(weights);
  for (const step of STEPS) {
    for (const name of Object.keys(neutral) as FeatureName[]) {
      if (name === 'quoted') continue; // a promise, not a matter of degree
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

function meanGain(queries: readonly FitQuery[], weights: Weights): number {
  let sum = 0;
  for (const { candidates, features, asks, gains } of queries) {
    const scores = fuse(candidates, features, weights, asks);
    sum += discounted(topIndices(scores, scores.length, CUT, Number.NEGATIVE_INFINITY).map((i) => gains[i]!));
  }
  return sum / (queries.length || 1);
}

/** nDCG@10 of each collection under weights fitted on the others. */
export async function leaveOneOut(
  sets: Readonly<Record<string, FitSet>>,
): Promise<Record<string, { readonly score: number; readonly weights: Weights }>> {
  const out: Record<string, { score: number; weights: Weights }> = {};
  for (const [name, set] of Object.entries(sets)) {
    const weights = fitWeights(Object.values(sets).filter((other) => other !== set));
    out[name] = { score: await set.score(weights), weights };
  }
  return out;
}
