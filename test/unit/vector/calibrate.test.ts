import { describe, expect, it } from 'vitest';
import { calibrate, NeighbourSample, sampleRows } from '../../../src/vector/calibrate.ts';
import { Int8Rows } from '../../../src/vector/int8-rows.ts';
import { Rotation } from '../../../src/vector/rotation.ts';
import { SignRows } from '../../../src/vector/sign-rows.ts';
import { signsOf } from '../../../src/vector/signs.ts';
import { type RandomSource, randomSource } from './random.ts';

/** Vectors around centres, component i with variance i^-decay: what embedders make. */
function clustered(random: RandomSource, count: number, dimensions: number, decay: number, centres = 50): Int8Array[] {
  const scale = Float64Array.from({ length: dimensions }, (_, i) => (i + 1) ** (-decay / 2));
  const middle = Array.from({ length: centres }, () => scale.map((s) => s * random.normal()));
  return Array.from({ length: count }, () => {
    const centre = middle[random.integer(0, centres - 1)]!;
    const raw = centre.map((c, i) => c + 0.6 * scale[i]! * random.normal());
    const largest = Math.max(...raw.map(Math.abs));
    return Int8Array.from(raw, (x) => Math.round((x / largest) * 127));
  });
}

function load(vectors: readonly Int8Array[], bits: number, toSigns: (vector: Int8Array) => Uint8Array) {
  const dimensions = vectors[0]!.length;
  const rows = new Int8Rows(dimensions);
  const signs = new SignRows(bits);
  signs.extend(vectors.length);
  for (const [i, vector] of vectors.entries()) {
    rows.append(vector);
    signs.write(i, toSigns(vector));
  }
  const sample = new NeighbourSample(
    dimensions,
    sampleRows(vectors.length).map((row) => [row, vectors[row]!] as const),
  );
  for (let at = 0; at < vectors.length; at += 700) {
    sample.add(Int8Array.from(vectors.slice(at, at + 700).flatMap((vector) => [...vector])));
  }
  return { rows, signs, sample: sample.finish() };
}

describe('calibration', () => {
  it('finds enough candidates for recall@10 ≥ 0.99 on queries it has not seen', () => {
    const random = randomSource(11);
    const all = clustered(random, 3200, 512, 0.9);
    const queries = all.splice(0, 100);
    const toSigns = (vector: Int8Array): Uint8Array => signsOf(vector, 512, 64);
    const { rows, signs, sample } = load(all, 512, toSigns);
    const calibration = calibrate(sample, signs, toSigns)!;
    expect(calibration.rows).toBe(3100);
    expect(calibration.candidates).toBeGreaterThanOrEqual(100);
    let found = 0;
    for (const query of queries) {
      const truth = rows.search(query, 10).ordinals;
      const near = new Set(signs.search(toSigns(query), calibration.candidates).ordinals);
      found += truth.filter((ordinal) => near.has(ordinal)).length;
    }
    expect(found / 1000).toBeGreaterThanOrEqual(0.99);
  });

  it('finds how many the first bits must give for recall@10 ≥ 0.99', () => {
    const random = randomSource(16);
    const all = clustered(random, 6060, 1024, 0.9, 100);
    const queries = all.splice(0, 60);
    const toSigns = (vector: Int8Array): Uint8Array => signsOf(vector, 1024, 128);
    const { rows, signs, sample } = load(all, 1024, toSigns);
    const { candidates, first } = calibrate(sample, signs, toSigns)!;
    expect(first).toBeGreaterThanOrEqual(2 * candidates);
    const recall = (looked: number): number => {
      let found = 0;
      for (const query of queries) {
        const near = new Set(signs.search(toSigns(query), Math.min(candidates, looked), { first: looked }).ordinals);
        found += rows.search(query, 10).ordinals.filter((ordinal) => near.has(ordinal)).length;
      }
      return found / 600;
    };
    expect(recall(first!)).toBeGreaterThanOrEqual(0.99);
    expect(recall(10)).toBeLessThan(0.9);
  });

  it('a hundred of the reordered candidates can be too few where clusters are large', () => {
    const random = randomSource(15);
    // a thousand rows around each centre, much alike by their signs
    const all = clustered(random, 12_060, 512, 0.9, 12);
    const queries = all.splice(0, 60);
    const toSigns = (vector: Int8Array): Uint8Array => signsOf(vector, 512, 64);
    const { rows, signs, sample } = load(all, 512, toSigns);
    const { candidates, kept } = calibrate(sample, signs, toSigns)!;
    const recall = (keep: number): number => {
      let found = 0;
      for (const query of queries) {
        const near = signs.search(toSigns(query), Math.max(1000, candidates)).ordinals;
        const read = new Set(signs.reorder(query, near, keep));
        found += rows.search(query, 10).ordinals.filter((ordinal) => read.has(ordinal)).length;
      }
      return found / 600;
    };
    expect(recall(100)).toBeLessThan(0.97);
    expect(recall(kept!)).toBeGreaterThanOrEqual(0.985);
    expect(kept).toBeLessThan(candidates);
  });

  it('samples the true neighbours, batch by batch, without the row itself', () => {
    const random = randomSource(14);
    const all = clustered(random, 900, 24, 0.5);
    const { rows, sample } = load(all, 24, (vector) => signsOf(vector, 24, 3));
    expect(sample.length).toBe(64);
    for (const [i, row] of sampleRows(900).entries()) {
      const truth = [...rows.search(all[row]!, 11).ordinals].filter((ordinal) => ordinal !== row).slice(0, 10);
      expect([...sample[i]!.neighbours]).toEqual(truth);
    }
  });

  it('gives up where bits say too little', () => {
    const random = randomSource(12);
    // one big component, all else noise of its sign: 8 bits cannot rank 3,000 rows
    const all = Array.from({ length: 3000 }, () => Int8Array.from({ length: 8 }, () => random.integer(-127, 127)));
    const toSigns = (vector: Int8Array): Uint8Array => signsOf(vector, 8, 1);
    const { signs, sample } = load(all, 8, toSigns);
    expect(calibrate(sample, signs, toSigns, undefined, 200)).toBeUndefined();
  });

  it('a rotation to more bits needs fewer candidates than raw signs where few axes carry the meaning', () => {
    const random = randomSource(13);
    const all = clustered(random, 3000, 64, 1.5);
    const raw = (vector: Int8Array): Uint8Array => signsOf(vector, 64, 8);
    const rotation = new Rotation(64, 512);
    const rotated = (vector: Int8Array): Uint8Array => signsOf(rotation.apply(vector), 512, 64);
    const plain = load(all, 64, raw);
    const wide = load(all, 512, rotated);
    const few = calibrate(wide.sample, wide.signs, rotated, undefined, 3000)!.candidates;
    expect(few).toBeLessThan(calibrate(plain.sample, plain.signs, raw, undefined, 6000)?.candidates ?? Infinity);
  });

  it('is undefined for nothing, and for zero vectors only', () => {
    const toSigns = (vector: Int8Array): Uint8Array => signsOf(vector, 16, 2);
    expect(calibrate([], new SignRows(16), toSigns)).toBeUndefined();
    const { signs, sample } = load([new Int8Array(16), new Int8Array(16)], 16, toSigns);
    expect(calibrate(sample, signs, toSigns)).toBeUndefined();
  });
});

it('a rotation keeps lengths and angles of each transform, and is the same every time', () => {
  const random = randomSource(3);
  const a = Int8Array.from({ length: 64 }, () => random.integer(-127, 127));
  const b = Int8Array.from({ length: 64 }, () => random.integer(-127, 127));
  const dot = (x: ArrayLike<number>, y: ArrayLike<number>): number =>
    Array.from({ length: x.length }, (_, i) => x[i]! * y[i]!).reduce((sum, product) => sum + product, 0);
  const rotation = new Rotation(64, 128);
  // two transforms of 64, each orthogonal times 64 (two rounds of √64 each)
  expect(dot(rotation.apply(a), rotation.apply(b)) / (2 * 64 * 64)).toBeCloseTo(dot(a, b), 0);
  expect(new Rotation(64, 128).apply(a)).toEqual(rotation.apply(a));
  expect(rotation.apply(a).subarray(0, 64)).not.toEqual(rotation.apply(a).subarray(64));
});
