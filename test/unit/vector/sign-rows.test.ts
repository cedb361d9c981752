import { describe, expect, it } from 'vitest';
import { type SignKernels, signModule } from '../../../src/vector/kernels.ts';
import { scalarSignKernels } from '../../../src/vector/scalar.ts';
import { SignRows } from '../../../src/vector/sign-rows.ts';
import { signsOf } from '../../../src/vector/signs.ts';
import { compile, createMemory, instantiate } from '../../../src/vector/webassembly.ts';
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

  it('takes the nearest by the first 256 bits, and of these the nearest by all', () => {
    const random = randomSource(8);
    const [count, bits, bytes] = [4000, 1024, 128];
    const rows = Array.from({ length: count }, () => Uint8Array.from({ length: bytes }, () => random.integer(0, 255)));
    const index = new SignRows(bits, { blockBytes: 700 * bytes, scalar });
    for (let at = 0; at < count; at += 1100) {
      const piece = rows.slice(at, at + 1100);
      index.extend(at + piece.length);
      index.write(at, Uint8Array.from(piece.flatMap((row) => [...row])));
    }
    const query = Uint8Array.from({ length: bytes }, () => random.integer(0, 255));
    const live = Uint8Array.from(rows, () => (random.integer(0, 9) === 0 ? 0 : 1));
    const alive = [...rows.keys()].filter((row) => live[row] === 1);
    const whole = rows.map((row) => distance(row, query));
    const begun = rows.map((row) => distance(row.subarray(0, 32), query.subarray(0, 32)));
    const nearest = (ordinals: number[], distances: number[], limit: number): number[] =>
      ordinals.toSorted((a, b) => distances[a]! - distances[b]! || a - b).slice(0, limit);
    for (const [limit, first] of [
      [10, 40],
      [10, 249],
      [60, 40], // more are wanted than are looked at: these then
    ] as const) {
      const want = nearest(nearest(alive, begun, Math.max(limit, first)), whole, limit);
      expect([...index.search(query, limit, { live, first }).ordinals]).toEqual(want);
      expect([...index.nearest(query, limit, { live, first })]).toEqual(want.toSorted((a, b) => a - b));
      expect(want).not.toEqual(nearest(alive, whole, limit));
    }
    expect([...index.nearest(query, 30, { rows: 3000, live, first: 30 })]).toEqual(
      nearest(
        alive.filter((row) => row < 3000),
        begun,
        30,
      ).toSorted((a, b) => a - b),
    );
    // a sixteenth: not worth it
    expect([...index.search(query, 10, { first: 250 }).ordinals]).toEqual(nearest([...rows.keys()], whole, 10));
    const within = Uint32Array.from(rows.keys()).filter((row) => row % 3 === 0);
    expect([...index.search(query, 10, { first: 40, within }).ordinals]).toEqual(nearest([...within], whole, 10));
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

it('words and vectors count the same bits', () => {
  const random = randomSource(21);
  for (const bytes of [16, 32, 128, 640]) {
    const [count, rowsAt, idsAt, outAt, queryAt] = [100, 131_072, 4096, 8192, 1024];
    const memory = createMemory(rowsAt + count * bytes, rowsAt + count * bytes);
    const all = new Uint8Array(memory.buffer);
    for (let i = 0; i < bytes; i++) all[queryAt + i] = random.integer(0, 255);
    for (let i = 0; i < count * bytes; i++) all[rowsAt + i] = random.integer(0, 255);
    const ids = Uint32Array.from({ length: 40 }, () => random.integer(0, count - 1));
    new Uint32Array(memory.buffer, idsAt, 40).set(ids);
    const bar = bytes * 4;
    const written = (run: () => void): number[] => {
      run();
      const end = new Uint32Array(memory.buffer, outAt, 1)[0]!;
      return [...new Uint32Array(memory.buffer, outAt + 4, (end - outAt) / 4 - 1)];
    };
    const plain = scalarSignKernels(memory, bytes);
    for (const counted of ['simd', 'words'] as const) {
      const kernels = instantiate(compile(signModule(bytes, counted))!, memory) as unknown as SignKernels;
      const want = written(() => plain.hamming(rowsAt, count, queryAt, bar, outAt));
      expect(want.length).toBeGreaterThan(10);
      expect(want.length).toBeLessThan(90);
      expect(written(() => kernels.hamming(rowsAt, count, queryAt, bar, outAt))).toEqual(want);
      const some = written(() => plain.hammingAt(rowsAt, idsAt, 40, queryAt, bar, outAt));
      expect(written(() => kernels.hammingAt(rowsAt, idsAt, 40, queryAt, bar, outAt))).toEqual(some);
    }
  }
});
