import { describe, expect, it } from 'vitest';
import { generateFloats } from '../../../bench/ann/vectors.ts';
import { cosineOf, toInt8 } from '../../../src/embed/int8.ts';
import { Int8Sample } from '../../../src/embed/int8-recall.ts';
import { Spread } from '../../../src/embed/spread.ts';

const K = 10;

interface Pair {
  readonly float: Float32Array;
  readonly stored: Int8Array;
}

function pairs(count: number, dimensions: number, store: (vector: Float32Array) => Int8Array, spoil = 0): Pair[] {
  const source = generateFloats('turned', dimensions, 5);
  return Array.from({ length: count }, () => {
    const float = Float32Array.from(source.next().value);
    float[3]! += spoil * Math.hypot(...float);
    return { float, stored: store(float) };
  });
}

function sampleOf(all: readonly Pair[], dimensions: number): Int8Sample {
  const sample = new Int8Sample(dimensions);
  for (const { float, stored } of all) sample.add(float, stored);
  return sample;
}

/** Of all pairs, each asked of all others. */
function bruteForce(all: readonly Pair[]): number {
  const nearest = (query: number, of: 'float' | 'stored'): number[] =>
    all
      .map((pair, row) => ({ row, cosine: cosineOf(all[query]![of], pair[of]) }))
      .filter(({ row }) => row !== query)
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, K)
      .map(({ row }) => row);
  const shares = all.map((_, query) => {
    const truth = new Set(nearest(query, 'float'));
    return nearest(query, 'stored').filter((row) => truth.has(row)).length / K;
  });
  return shares.reduce((sum, share) => sum + share, 0) / all.length;
}

describe('what eight bits cost the vectors of a model', () => {
  it.each([
    ['spread', 0, 0.99, 1],
    ['as they come', 0, 0.9, 1],
    ['as they come, with one large component', 4, 0.5, 0.95],
  ])('is what comparing all with all says: %s', async (how, spoil, least, most) => {
    const spread = new Spread(96);
    const all = pairs(90, 96, how === 'spread' ? (vector) => toInt8(spread.apply(vector)) : toInt8, spoil);
    const measured = await sampleOf(all, 96).measure();
    expect(measured).toMatchObject({ vectors: 90, queries: 90 });
    expect(measured!.recall).toBeCloseTo(bruteForce(all), 12);
    expect(measured!.recall).toBeGreaterThanOrEqual(least);
    expect(measured!.recall).toBeLessThanOrEqual(most);
  });

  it('does not depend on the order, and counts equal vectors once', async () => {
    const all = pairs(2600, 16, toInt8);
    const distinct = new Set(all.map(({ stored }) => stored.join())).size;
    const forwards = sampleOf(all, 16);
    const backwards = sampleOf([...all, ...all.slice(0, 500)].reverse(), 16);
    expect([forwards.size, backwards.size, distinct > 2000]).toEqual([2000, 2000, true]);
    expect(await backwards.measure()).toEqual(await forwards.measure());
  });

  it('is not said of so few that nearly all are the nearest, and holds 16 MiB of floats', async () => {
    expect(await sampleOf(pairs(19, 16, toInt8), 16).measure()).toBeUndefined();
    expect(await sampleOf(pairs(20, 16, toInt8), 16).measure()).toMatchObject({ vectors: 20 });
    const wide = 65_536;
    expect(sampleOf(pairs(130, wide, toInt8), wide).size).toBe(64); // 16 MiB / (4 bytes × 65,536)
  });
});
