import { describe, expect, it } from 'vitest';
import { generateFloats } from '../../../bench/ann/vectors.ts';
import { toInt8 } from '../../../src/embed/int8.ts';
import { Spread, storedDimensions } from '../../../src/embed/spread.ts';

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! ** 2;
    bb += b[i]! ** 2;
  }
  return dot / Math.sqrt(aa * bb);
}

const K = 10;
const ROWS = 1500;
const QUERIES = 60;

/** Share of the ten nearest by the floats' own cosine that are the ten nearest by the stored vectors. */
function recall(floats: readonly Float32Array[], stored: (vector: Float32Array) => Int8Array): number {
  const rows = floats.slice(QUERIES);
  const packed = rows.map(stored);
  const nearest = (query: ArrayLike<number>, all: readonly ArrayLike<number>[]): number[] => {
    const cosines = all.map((row) => cosine(query, row));
    return all
      .map((_, i) => i)
      .sort((a, b) => cosines[b]! - cosines[a]!)
      .slice(0, K);
  };
  let found = 0;
  for (const query of floats.slice(0, QUERIES)) {
    const truth = new Set(nearest(query, rows));
    found += nearest(stored(query), packed).filter((row) => truth.has(row)).length;
  }
  return found / (K * QUERIES);
}

function vectors(kind: string, dimensions: number, spoil: (vector: Float32Array) => void = () => {}): Float32Array[] {
  const source = generateFloats(kind, dimensions, 7);
  return Array.from({ length: ROWS + QUERIES }, () => {
    const vector = Float32Array.from(source.next().value);
    spoil(vector);
    return vector;
  });
}

describe('vectors of floats, stored in eight bits', () => {
  it.each([1, 2, 3, 7, 20, 96, 100, 384, 768, 1000, 1024, 1536])(
    'keep every cosine before they are rounded: %i',
    (dimensions) => {
      const spread = new Spread(dimensions);
      expect(spread.components).toBe(storedDimensions(dimensions));
      const source = generateFloats('turned', dimensions, 3);
      const [a, b] = [Float32Array.from(source.next().value), Float32Array.from(source.next().value)];
      expect(cosine(spread.apply(a), spread.apply(b))).toBeCloseTo(cosine(a, b), 5);
    },
  );

  it.each(['low-rank', 'full-rank', 'lsa', 'turned'])('find 99 of 100 true neighbours: %s', (kind) => {
    const floats = vectors(kind, 96);
    const spread = new Spread(96);
    expect(recall(floats, (vector) => toInt8(spread.apply(vector)))).toBeGreaterThanOrEqual(0.99);
  });

  it('lose far less to one component that is much larger than the others than vectors as they come', () => {
    const floats = vectors('turned', 96, (vector) => {
      vector[3]! += 4 * Math.hypot(...vector);
    });
    const spread = new Spread(96);
    const plain = recall(floats, toInt8);
    const spreadOut = recall(floats, (vector) => toInt8(spread.apply(vector)));
    expect(plain).toBeLessThan(0.93); // the control: without it a tenth is lost
    expect(spreadOut).toBeGreaterThan(0.96);
  });
});
