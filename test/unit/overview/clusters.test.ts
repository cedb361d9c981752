import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toInt8 } from '../../../src/embed/int8.ts';
import { seededRandom } from '../../../src/eval/statistics.ts';
import { clusterRows } from '../../../src/overview/clusters.ts';

const dimensions = 16;

/** Rows around given directions, in turns: row i belongs to direction i modulo their number. */
function planted(directions: number, rows: number, noise: number): Int8Array {
  const random = seededRandom(7);
  const vectors = new Int8Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    const vector = Array.from({ length: dimensions }, (_, d) => {
      return (d === row % directions ? 1 : 0) + noise * (random() - 0.5);
    });
    vectors.set(toInt8(vector), row * dimensions);
  }
  return vectors;
}

const cosine = (vectors: Int8Array, a: number, centre: readonly number[]): number => {
  const row = [...vectors.subarray(a * dimensions, (a + 1) * dimensions)];
  const dot = row.reduce((sum, value, d) => sum + value * centre[d]!, 0);
  return dot / (Math.hypot(...row) * Math.hypot(...centre));
};

describe('clusters of vectors', () => {
  it('find planted groups, and begin with the medoid of each', async () => {
    const vectors = planted(4, 100, 0.4);
    const clusters = await clusterRows(vectors, dimensions, 4);
    expect(clusters.map((rows) => rows.length)).toEqual([25, 25, 25, 25]);
    for (const rows of clusters) {
      expect(new Set(rows.map((row) => row % 4)).size).toBe(1);
      // the centre by hand: the mean of the rows at length 1
      const centre = Array.from({ length: dimensions }, (_, d) =>
        rows.reduce((sum, row) => {
          const own = vectors.subarray(row * dimensions, (row + 1) * dimensions);
          return sum + own[d]! / Math.hypot(...own);
        }, 0),
      );
      const cosines = rows.map((row) => cosine(vectors, row, centre));
      expect(cosines[0]).toBeCloseTo(Math.max(...cosines), 5);
      expect(cosines.every((value, i) => i === 0 || value <= cosines[i - 1]! + 1e-6)).toBe(true);
    }
  });

  it('hold each row that is not zero once, and are the same each time', async () => {
    const value = fc.integer({ min: -127, max: 127 });
    const rows = fc.array(fc.array(value, { minLength: 4, maxLength: 4 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 9 }), async (list, count) => {
        const vectors = Int8Array.from(list.flat());
        const clusters = await clusterRows(vectors, 4, count);
        const wanted = list.flatMap((row, i) => (row.some((one) => one !== 0) ? [i] : []));
        expect(clusters.flat().sort((a, b) => a - b)).toEqual(wanted);
        expect(clusters.length).toBeLessThanOrEqual(count);
        expect(await clusterRows(vectors, 4, count)).toEqual(clusters);
        expect(clusters.map((one) => one.length)).toEqual(clusters.map((one) => one.length).sort((a, b) => b - a));
      }),
      { numRuns: 60 },
    );
  });

  it('end when the caller leaves', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(clusterRows(planted(2, 10, 0.1), dimensions, 2, { signal })).rejects.toThrow('gone');
  });
});
