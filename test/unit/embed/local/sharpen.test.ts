import { describe, expect, it } from 'vitest';
import { randomWords, unit } from '../../../../src/embed/local/random.ts';
import { sharpen, sharpenBytes, softmaxGradient, tangent } from '../../../../src/embed/local/sharpen.ts';
import type { TrainingChunk } from '../../../../src/embed/local/training-set.ts';
import { Kernels } from '../../../../src/vector/float-kernels.ts';

const temperature = 0.1;

function crossEntropy(scores: ArrayLike<number>, size: number): number {
  let loss = 0;
  for (let i = 0; i < size; i++) {
    const row = Array.from({ length: size }, (_, j) => scores[i * size + j]! / temperature);
    loss += Math.log(row.reduce((sum, x) => sum + Math.exp(x), 0)) - row[i]!;
  }
  return loss / size;
}

describe('sharpening', () => {
  it('has the gradient that differences of the loss give', () => {
    const size = 4;
    const next = randomWords(4);
    const scores = Float64Array.from({ length: size * size }, () => unit(next) - 0.5);
    const gradient = Float32Array.from(scores);
    softmaxGradient(gradient, size);
    scores.forEach((s, i) => {
      const at = (x: number): number => crossEntropy(scores.with(i, x), size);
      expect(gradient[i]).toBeCloseTo((at(s + 1e-5) - at(s - 1e-5)) / 2e-5, 4);
    });
  });

  it('passes the gradient through the scaling to length 1', () => {
    const next = randomWords(5);
    const before = Float64Array.from({ length: 6 }, () => unit(next) - 0.5);
    const direction = Float64Array.from({ length: 6 }, () => unit(next) - 0.5);
    const norm = Math.hypot(...before);
    // f(x) = direction · x / |x|
    const f = (x: Float64Array): number => x.reduce((sum, v, i) => sum + v * direction[i]!, 0) / Math.hypot(...x);
    const gradient = Float32Array.from(direction);
    const energy = tangent(
      gradient,
      Float32Array.from(before, (x) => x / norm),
      norm,
    );
    before.forEach((x, i) => {
      const numeric = (f(before.with(i, x + 1e-5)) - f(before.with(i, x - 1e-5))) / 2e-5;
      expect(gradient[i]).toBeCloseTo(numeric, 5);
    });
    expect(energy).toBeCloseTo(
      gradient.reduce((sum, g) => sum + g * g, 0),
      5,
    );
  });

  it('brings words together that stand together in titles and texts', () => {
    // Chunk i says in its title with word i what its text says with word topics + i.
    const topics = 160;
    const width = 32;
    const k = new Kernels();
    k.reserve(4 * 2 * topics * width + sharpenBytes(width));
    const vectors = k.floats(2 * topics * width);
    const next = randomWords(6);
    for (let i = 0; i < vectors.length; i++) vectors[i] = 0.1 * (unit(next) - 0.5);
    const chunks: TrainingChunk[] = Array.from({ length: topics }, (_, i) => ({
      document: i,
      tokens: Uint32Array.of(i, i, topics + i),
      titleEnd: 2,
      headingsEnd: 2,
      sentenceEnds: Uint32Array.of(3),
    }));
    const weight = new Float32Array(2 * topics).fill(1);
    const row = (i: number): Float32Array => vectors.subarray(i * width, (i + 1) * width);
    const cosine = (a: Float32Array, b: Float32Array): number =>
      a.reduce((sum, x, i) => sum + x * b[i]!, 0) / Math.hypot(...a) / Math.hypot(...b);
    const margin = (): number => {
      let sum = 0;
      for (let i = 0; i < topics; i++) {
        const other = topics + ((i + 1) % topics);
        sum += cosine(row(i), row(topics + i)) - cosine(row(i), row(other));
      }
      return sum / topics;
    };
    expect(Math.abs(margin())).toBeLessThan(0.1);
    sharpen(k, vectors, chunks, { width, seed: 1, weight });
    expect(margin()).toBeGreaterThan(0.3);
  });

  it('leaves the vectors of a corpus smaller than one batch alone', () => {
    const k = new Kernels();
    const vectors = k.floats(32).fill(1);
    sharpen(k, vectors, [], { width: 32, seed: 1, weight: new Float32Array(0) });
    expect(vectors.every((x) => x === 1)).toBe(true);
  });
});
