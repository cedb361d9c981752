import { expect, it } from 'vitest';
import { generateCandidates } from '../../../src/retrieve/candidates.ts';
import { cheapFeatures, fuse } from '../../../src/retrieve/fuse.ts';
import { defaultWeights } from '../../../src/retrieve/tuning.ts';
import { analyseQuery } from '../../../src/text/analysis/query.ts';
import { memorySnapshot } from '../../support/memory-snapshot.ts';

const vector = (...components: number[]): Int8Array => Int8Array.from(components);

it('gives back the features that the scores are the sum of, and leaves its argument as it was', async () => {
  const texts = ['the tide gauge', 'the tide and the moon', 'a gauge of rails'];
  const embedder = {
    id: 'own',
    dimensions: 2,
    embedQuery: async () => vector(100, 20),
    embedDocuments: async (documents: readonly { readonly chunks: readonly unknown[] }[]) =>
      documents.map(({ chunks }) => chunks.map((_, i) => vector(100 - 40 * i, 30 * i + 5))),
  };
  const snapshot = await memorySnapshot([{ uri: 'd', title: '', chunks: texts.map((text) => ({ text })) }], {
    embedder,
  });
  const candidates = await generateCandidates(snapshot, embedder, analyseQuery('tide gauge'), {
    mode: 'hybrid',
  });
  const given = cheapFeatures(candidates);
  const names = Object.keys(given);
  const { scores, features } = fuse(candidates, given, defaultWeights, false);
  expect(Object.keys(given)).toEqual(names);
  expect(Object.keys(features)).toEqual([...names, 'cosine', 'feedback']);
  scores.forEach((score, i) => {
    const sum = Object.entries(features).reduce(
      (total, [name, values]) => total + defaultWeights[name as keyof typeof features] * values[i]!,
      0,
    );
    expect(score).toBeCloseTo(sum, 12);
  });
  // a question wants no feedback
  expect(Object.keys(fuse(candidates, given, defaultWeights, true).features)).toEqual([...names, 'cosine']);
});
