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

it('weighs the best by their scores, so that a lone best one is not drowned by four behind it', async () => {
  // the first text holds the whole query and points up; four hold one word of it and point right, and two hold another
  const texts = ['tide gauge moon', 'tide one', 'tide two', 'tide six', 'tide ten', 'moon up', 'moon right'];
  const directions = [
    vector(0, 100),
    ...Array.from({ length: 4 }, () => vector(100, 0)),
    vector(30, 90),
    vector(90, 30),
  ];
  const embedder = {
    id: 'own',
    dimensions: 2,
    embedQuery: async () => vector(70, 70),
    embedDocuments: async () => [directions],
  };
  const snapshot = await memorySnapshot([{ uri: 'd', title: '', chunks: texts.map((text) => ({ text })) }], {
    embedder,
  });
  const candidates = await generateCandidates(snapshot, embedder, analyseQuery('tide gauge moon'), { mode: 'hybrid' });
  const { scores: before } = fuse(candidates, cheapFeatures(candidates), { ...defaultWeights, feedback: 0 }, false);
  const { features } = fuse(candidates, cheapFeatures(candidates), defaultWeights, false);
  const place = (ordinal: number): number => candidates.ordinals.indexOf(ordinal);
  // by arithmetic: the sum of the five best vectors, each times e to the power of its distance from the best over 0.25
  const best = [...candidates.ordinals.keys()].sort((a, b) => before[b]! - before[a]!).slice(0, 5);
  const direction = (i: number): number[] => {
    const [x, y] = directions[candidates.ordinals[i]!]!;
    return [x! / Math.hypot(x!, y!), y! / Math.hypot(x!, y!)];
  };
  const sum = [0, 1].map((d) =>
    best.reduce((total, i) => total + Math.exp((before[i]! - before[best[0]!]!) / 0.25) * direction(i)[d]!, 0),
  );
  const dots = [...candidates.ordinals.keys()].map((i) => direction(i)[0]! * sum[0]! + direction(i)[1]! * sum[1]!);
  const [low, high] = [Math.min(...dots), Math.max(...dots)];
  for (const [i, dot] of dots.entries()) expect(features.feedback![i]).toBeCloseTo((dot - low) / (high - low), 5);
  expect(best[0]).toBe(place(0));
  expect(features.feedback![place(5)]).toBeGreaterThan(features.feedback![place(6)]!);
});
