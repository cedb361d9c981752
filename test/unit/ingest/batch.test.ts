import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/eval/statistics.ts';
import { partsOf } from '../../../src/ingest/batch.ts';

const documents = (sizes: readonly number[]): { readonly chunks: readonly number[] }[] =>
  sizes.map((size) => ({ chunks: new Array<number>(size).fill(0) }));

const sizesOf = (sizes: readonly number[], chunks: number): number[][] =>
  Array.from(partsOf(documents(sizes), chunks), (part) => part.documents.map((document) => document.chunks.length));

describe('partsOf', () => {
  it('closes a part with the document that fills it', () => {
    expect(sizesOf([3, 3, 3, 1], 5)).toEqual([
      [3, 3],
      [3, 1],
    ]);
    expect(sizesOf([9, 1, 4, 0], 5)).toEqual([[9], [1, 4], [0]]);
    expect(sizesOf([0, 0], 5)).toEqual([[0, 0]]);
    expect(sizesOf([], 5)).toEqual([]);
  });

  it('keeps every document once, in order, and says where each part begins', () => {
    const random = seededRandom(5);
    for (let round = 0; round < 200; round++) {
      const all = documents(Array.from({ length: Math.floor(random() * 30) }, () => Math.floor(random() * 8)));
      const chunks = 1 + Math.floor(random() * 12);
      const parts = [...partsOf(all, chunks)];
      expect(parts.flatMap((part) => part.documents)).toEqual(all);
      for (const { from, documents: some } of parts) {
        expect(all[from]).toBe(some[0]);
        const before = some.slice(0, -1).reduce((sum, document) => sum + document.chunks.length, 0);
        expect(before).toBeLessThan(chunks); // it ended as soon as it was full
      }
    }
  });
});
