import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VectorFiles, vectorKinds, writeVectors } from '../../../bench/ann/vectors.ts';
import { tempFolder } from '../../support/temp.ts';

const rows = 3000; // more than one batch
const dims = 24;
const k = 10;

function cosine(a: Int8Array, b: Int8Array): number {
  const dot = (x: Int8Array, y: Int8Array): number => x.reduce((sum, component, i) => sum + component * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

describe('the vectors of the nearest-neighbour bench', () => {
  it.each(Object.keys(vectorKinds))('%s: recall is 1 for the true neighbours and 0 for the farthest', (kind) => {
    const folder = tempFolder({});
    writeVectors(folder, { kind, rows, dims, queries: 4 }, k, 5);
    const files = new VectorFiles(folder, dims);
    expect([files.rows, files.queries.length]).toEqual([rows, 4]);
    const bytes = new Int8Array(readFileSync(join(folder, 'rows.i8')));
    const vectors = Array.from({ length: rows }, (_, i) => bytes.slice(i * dims, (i + 1) * dims));
    expect([...files.batches()].reduce((sum, batch) => sum + batch.rows, 0)).toBe(rows);
    for (const [q, query] of files.queries.entries()) {
      const ranking = vectors.map((vector, i) => [i, cosine(query, vector)] as const).sort((a, b) => b[1] - a[1]);
      const best = ranking.slice(0, k).map(([i]) => i);
      expect(files.recall(q, best, k)).toBe(1);
      expect(files.recall(q, best.slice(0, 7), k)).toBe(0.7);
      expect(files.recall(q, Array<number>(k).fill(best[0]!), k)).toBe(0.1); // one row ten times is one hit
      expect(
        files.recall(
          q,
          ranking.slice(-k).map(([i]) => i),
          k,
        ),
      ).toBe(0);
    }
  });

  it('are the same for a seed', () => {
    const [one, two, other] = [tempFolder({}), tempFolder({}), tempFolder({})];
    for (const [folder, seed] of [
      [one, 1],
      [two, 1],
      [other, 2],
    ] as const) {
      writeVectors(folder, { kind: 'full-rank', rows: 50, dims, queries: 1 }, k, seed);
    }
    const read = (folder: string): Buffer => readFileSync(join(folder, 'rows.i8'));
    expect(read(one).equals(read(two))).toBe(true);
    expect(read(one).equals(read(other))).toBe(false);
  });
});
