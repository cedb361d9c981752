import { describe, expect, it } from 'vitest';
import { SignRows } from '../../../src/vector/sign-rows.ts';
import { signsOf } from '../../../src/vector/signs.ts';
import { randomSource } from './random.ts';

function distance(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, byte, i) => sum + (byte ^ b[i]!).toString(2).replaceAll('0', '').length, 0);
}

describe.each([
  { name: 'SIMD', scalar: false },
  { name: 'scalar', scalar: true },
])('Hamming search, $name kernels', ({ scalar }) => {
  const shapes = [
    [1, 1],
    [300, 7],
    [999, 128],
    [5000, 256],
    [700, 1024],
    [200, 1000],
    [60, 2560],
    [40, 5000],
  ] as const;
  it.each(shapes)('%i rows of %i bits rank as the definition says', (count, bits) => {
    const random = randomSource(count + bits * 7);
    const bytes = Math.ceil(bits / 8);
    for (const kinds of [count, 3]) {
      // few kinds of rows: many ties
      const pool = Array.from({ length: kinds }, () =>
        signsOf(
          Int8Array.from({ length: bits }, () => random.integer(-1, 1)),
          bits,
          bytes,
        ),
      );
      const rows = Array.from({ length: count }, () => pool[random.integer(0, kinds - 1)]!);
      const index = new SignRows(bits, { blockBytes: 48 * Math.ceil(bytes / 16) * 16, scalar });
      for (let at = 0; at < count; ) {
        const piece = rows.slice(at, at + random.integer(1, 300));
        index.extend(at + piece.length);
        index.write(at, Uint8Array.from(piece.flatMap((row) => [...row])));
        at += piece.length;
      }
      const query = signsOf(
        Int8Array.from({ length: bits }, () => random.integer(-1, 1)),
        bits,
        bytes,
      );
      const distances = rows.map((row) => distance(row, query));
      const live = Uint8Array.from(rows, () => (random.integer(0, 9) === 0 ? 0 : 1));
      const within = Uint32Array.from(rows.keys()).filter(() => random.integer(0, 2) === 0);
      const expected = (ordinals: Iterable<number>, limit: number): number[] =>
        [...ordinals].sort((a, b) => distances[a]! - distances[b]! || a - b).slice(0, limit);
      for (const limit of [0, 1, 10, 600]) {
        const got = index.search(query, limit);
        expect([...got.ordinals]).toEqual(expected(rows.keys(), limit));
        expect([...got.distances]).toEqual([...got.ordinals].map((ordinal) => distances[ordinal]));
        const alive = [...rows.keys()].filter((row) => live[row] === 1);
        expect([...index.search(query, limit, { live }).ordinals]).toEqual(expected(alive, limit));
        const some = [...within].filter((row) => live[row] === 1);
        expect([...index.search(query, limit, { live, within }).ordinals]).toEqual(expected(some, limit));
        const half = count >> 1;
        const early = [...rows.keys()].filter((row) => row < half);
        expect([...index.search(query, limit, { rows: half }).ordinals]).toEqual(expected(early, limit));
      }
    }
  });

  it('reorders candidates by the sum of query components with the row’s signs', () => {
    const random = randomSource(5);
    const vectors = Array.from({ length: 200 }, () => Int8Array.from({ length: 44 }, () => random.integer(-5, 5)));
    const index = new SignRows(44, { scalar });
    index.extend(200);
    index.write(
      0,
      signsOf(
        vectors.flatMap((vector) => [...vector]),
        44,
        6,
      ),
    );
    const query = Int8Array.from({ length: 44 }, () => random.integer(-100, 100));
    // Σ over set bits ranks like Σ ± components: the difference is the same constant for every row
    const score = (row: number): number =>
      vectors[row]!.reduce((sum, v, j) => sum + (v > 0 ? query[j]! : -query[j]!), 0);
    const candidates = Uint32Array.from({ length: 100 }, (_, i) => i * 2);
    const want = [...candidates].sort((a, b) => score(b) - score(a) || a - b).slice(0, 15);
    expect([...index.reorder(query, candidates, 15)]).toEqual(want);
    expect(index.reorder(query, candidates, 100)).toBe(candidates);
  });
});
