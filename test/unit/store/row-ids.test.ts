import { describe, expect, it } from 'vitest';
import { RowIds } from '../../../src/store/row-ids.ts';
import { randomSource } from '../vector/random.ts';

describe('row ids', () => {
  it('are those that were added, in whatever order and pieces', () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = randomSource(seed);
      const seqs = Array.from({ length: 300 }, (_, seq) => seq).filter(() => random.next() < 0.8);
      const truth = new Map<number, number>();
      let id = 0;
      for (const seq of seqs) {
        id += random.next() < 0.9 ? 1 : random.integer(2, 9);
        truth.set(seq, id);
      }
      const pieces: number[][] = [];
      for (let at = 0; at < seqs.length; at += 37) pieces.push(seqs.slice(at, at + 37));
      if (seed % 2 === 1) pieces.sort(() => random.next() - 0.5);
      if (seed % 3 === 2) for (const piece of pieces) piece.reverse();
      const ids = new RowIds();
      for (const piece of pieces)
        ids.add(
          piece,
          piece.map((seq) => truth.get(seq)!),
        );
      expect(ids.rows).toBe(seqs.length);
      expect([...ids.seqs()]).toEqual(seqs);
      for (let seq = -1; seq <= 301; seq++) expect(ids.of(seq), `seed ${seed}, row ${seq}`).toBe(truth.get(seq) ?? -1);
    }
  });

  it('take one run for a table that only grew, however large', () => {
    const ids = new RowIds();
    for (let from = 0; from < 1_000_000; from += 2048) {
      const batch = Float64Array.from({ length: 2048 }, (_, i) => from + i);
      ids.add(
        batch,
        batch.map((seq) => seq + 40),
      );
    }
    expect(ids.runs).toBe(1);
    expect(ids.of(777_777)).toBe(777_817);
  });
});
