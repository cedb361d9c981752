import { yieldToEventLoop } from '../core/event-loop.ts';
import type { CallOptions } from '../core/types.ts';
import { seededRandom } from '../eval/statistics.ts';

/** Rows, the one nearest to the centre of the cluster first: the medoid. */
type Cluster = readonly number[];

const ROUNDS = 16;

/**
 * Spherical k-means of int8 vectors by cosine, its beginning drawn as k-means++ does from a fixed seed: the same vectors
 * give the same clusters. Rows of zeros, which say nothing, are in none.
 * @param vectors row after row
 * @returns at most `count` clusters, largest first
 * @see Arthur & Vassilvitskii 2007, "k-means++: the advantages of careful seeding"
 */
export async function clusterRows(
  vectors: Int8Array,
  dimensions: number,
  count: number,
  { signal }: CallOptions = {},
): Promise<Cluster[]> {
  const { rows, units } = unitVectors(vectors, dimensions);
  if (rows.length === 0) return [];
  const dot = (row: number, centre: Float32Array): number => {
    let sum = 0;
    for (let d = 0, at = row * dimensions; d < dimensions; d++) sum += units[at + d]! * centre[d]!;
    return sum;
  };
  let centres = firstCentres(units, rows.length, dimensions, count, dot);
  const owner = new Int32Array(rows.length).fill(-1);
  const cosines = new Float32Array(rows.length);
  for (let round = 0; round < ROUNDS; round++) {
    await yieldToEventLoop();
    signal?.throwIfAborted();
    let moved = 0;
    for (let row = 0; row < rows.length; row++) {
      let best = 0;
      let most = Number.NEGATIVE_INFINITY;
      for (let c = 0; c < centres.length; c++) {
        const cosine = dot(row, centres[c]!);
        if (cosine > most) [best, most] = [c, cosine];
      }
      if (owner[row] !== best) moved++;
      owner[row] = best;
      cosines[row] = most;
    }
    if (moved === 0) break;
    const sums = centres.map(() => new Float32Array(dimensions));
    for (let row = 0; row < rows.length; row++)
      for (let d = 0, sum = sums[owner[row]!]!; d < dimensions; d++) sum[d]! += units[row * dimensions + d]!;
    centres = sums.map((sum, c) => unitOf(sum) ?? centres[c]!);
  }
  const clusters = centres.map((): number[] => []);
  for (let row = 0; row < rows.length; row++) clusters[owner[row]!]!.push(row);
  return clusters
    .filter((cluster) => cluster.length > 0)
    .map((cluster) => cluster.sort((a, b) => cosines[b]! - cosines[a]! || a - b).map((row) => rows[row]!))
    .sort((a, b) => b.length - a.length || a[0]! - b[0]!);
}

/** Rows that are not zero, and their vectors at length 1. */
function unitVectors(vectors: Int8Array, dimensions: number): { rows: number[]; units: Float32Array } {
  const rows: number[] = [];
  const units = new Float32Array(vectors.length);
  for (let row = 0; row * dimensions < vectors.length; row++) {
    const unit = unitOf(Float32Array.from(vectors.subarray(row * dimensions, (row + 1) * dimensions)));
    if (unit === undefined) continue;
    units.set(unit, rows.length * dimensions);
    rows.push(row);
  }
  return { rows, units };
}

function unitOf(vector: Float32Array): Float32Array | undefined {
  const length = Math.hypot(...vector);
  return length === 0 ? undefined : vector.map((value) => value / length);
}

/** k-means++: each centre is drawn with the squared distance to those before it. */
function firstCentres(
  units: Float32Array,
  rows: number,
  dimensions: number,
  count: number,
  dot: (row: number, centre: Float32Array) => number,
): Float32Array[] {
  const random = seededRandom(1);
  const vectorOf = (row: number): Float32Array => units.slice(row * dimensions, (row + 1) * dimensions);
  const centres = [vectorOf(Math.floor(random() * rows))];
  const distances = new Float64Array(rows).fill(Number.POSITIVE_INFINITY);
  while (centres.length < Math.min(count, rows)) {
    let sum = 0;
    for (let row = 0; row < rows; row++) {
      // half of the squared distance of unit vectors
      distances[row] = Math.min(distances[row]!, Math.max(0, 1 - dot(row, centres.at(-1)!)));
      sum += distances[row]!;
    }
    if (sum < 1e-6) break; // fewer different vectors than clusters
    let left = random() * sum;
    let row = 0;
    for (; row < rows - 1; row++) {
      left -= distances[row]!;
      if (left < 0) break;
    }
    centres.push(vectorOf(row));
  }
  return centres;
}
