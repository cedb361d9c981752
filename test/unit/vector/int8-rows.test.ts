import { describe, expect, it } from 'vitest';
import { cosinesOf, Int8Rows } from '../../../src/vector/int8-rows.ts';
import { SignRows } from '../../../src/vector/sign-rows.ts';
import { randomSource } from './random.ts';

/** Exact cosine by the definition, in plain numbers. */
function cosine(a: Int8Array, b: Int8Array): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! ** 2;
    bb += b[i]! ** 2;
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}

describe.each([
  { name: 'SIMD', scalar: false },
  { name: 'scalar', scalar: true },
])('exact int8 cosine, $name kernels', ({ scalar }) => {
  const shapes = [
    [1, 1],
    [7, 3],
    [50, 16],
    [1003, 256],
    [131, 1024],
    [40, 2560],
    [5000, 33],
    [301, 100],
  ] as const;
  it.each(shapes)('%i rows of %i dimensions rank as the definition says', (count, dimensions) => {
    const random = randomSource(count * 31 + dimensions);
    const rows = Array.from({ length: count }, (_, row) =>
      Int8Array.from({ length: dimensions }, () => (row === 0 ? 0 : row === 1 ? -128 : random.integer(-128, 127))),
    );
    // small blocks, appended in uneven pieces, so that every border is crossed
    const index = new Int8Rows(dimensions, { blockBytes: 64 * dimensions, scalar });
    for (let at = 0; at < count; ) {
      const piece = rows.slice(at, at + random.integer(1, 400));
      index.append(Int8Array.from(piece.flatMap((row) => [...row])));
      at += piece.length;
    }
    expect(index.count).toBe(count);
    expect(index.row(count - 1)).toEqual(rows[count - 1]);
    const query = Int8Array.from({ length: dimensions }, () => random.integer(-128, 127));
    const scores = rows.map((row) => cosine(row, query));
    const live = Uint8Array.from(rows, () => (random.integer(0, 9) === 0 ? 0 : 1));
    const within = Uint32Array.from(rows.keys()).filter(() => random.integer(0, 2) === 0);
    const expected = (ordinals: Iterable<number>, limit: number): number[] =>
      [...ordinals].sort((a, b) => scores[b]! - scores[a]! || a - b).slice(0, limit);
    const check = (got: { ordinals: Uint32Array; cosines: Float32Array }, want: number[]): void => {
      expect(got.ordinals.length).toBe(want.length);
      for (let i = 0; i < want.length; i++) {
        expect(got.cosines[i]).toBeCloseTo(scores[want[i]!]!, 6);
        expect(got.cosines[i]).toBeCloseTo(scores[got.ordinals[i]!]!, 6);
      }
      expect(new Set(got.ordinals).size).toBe(want.length);
    };
    for (const limit of [1, 10, 300]) {
      check(index.search(query, limit), expected(rows.keys(), limit));
      const alive = [...rows.keys()].filter((row) => live[row] === 1);
      check(index.search(query, limit, { live }), expected(alive, limit));
      check(index.search(query, limit, { within }), expected(within, limit));
      const half = count >> 1;
      check(
        index.search(query, limit, { rows: half, live }),
        expected(
          alive.filter((row) => row < half),
          limit,
        ),
      );
    }
    const nearest = index.search(query, 60);
    for (const place of [0, 9, 59]) {
      const least = nearest.cosines[Math.min(place, nearest.cosines.length - 1)]!;
      const { ordinals, cosines } = index.search(query, 60, { least });
      const count = nearest.cosines.findLastIndex((cosine) => cosine >= least) + 1;
      expect(ordinals.subarray(0, count)).toEqual(nearest.ordinals.subarray(0, count));
      expect(cosines.every((cosine) => cosine >= least - 2e-6)).toBe(true);
    }
    const all = cosinesOf(query, Int8Array.from(rows.flatMap((row) => [...row])));
    for (const [i, score] of scores.entries()) expect(all[i]).toBeCloseTo(score, 6);
    const { ordinals, cosines } = index.search(query, count);
    expect([...cosines], 'to the last bit').toEqual(Array.from(ordinals, (ordinal) => all[ordinal]));
  });

  it('equal rows come in row order, and a zero query scores 0 everywhere', () => {
    const index = new Int8Rows(8, { scalar });
    for (let i = 0; i < 20; i++) index.append(Int8Array.from({ length: 8 }, () => (i % 2 === 0 ? 5 : -3)));
    const found = index.search(new Int8Array(8).fill(1), 6);
    expect([...found.ordinals]).toEqual([0, 2, 4, 6, 8, 10]);
    expect([...found.cosines]).toEqual([1, 1, 1, 1, 1, 1]);
    const zero = index.search(new Int8Array(8), 3);
    expect([...zero.ordinals]).toEqual([0, 1, 2]);
    expect([...zero.cosines]).toEqual([0, 0, 0]);
  });

  it('refuses a query or rows of another size', () => {
    const index = new Int8Rows(8, { scalar });
    expect(() => index.append(new Int8Array(9))).toThrow(/whole rows/);
    expect(() => index.search(new Int8Array(7), 1)).toThrow(/7 components/);
    expect([...index.search(new Int8Array(8), 5).ordinals]).toEqual([]);
  });
});

describe('rows that threads share', () => {
  it('are searched at the same time through places of their own, and are not copied', () => {
    const random = randomSource(5);
    const vectors = (rows: number): Int8Array => Int8Array.from({ length: rows * 40 }, () => random.integer(-128, 127));
    const query = vectors(1);
    const options = { blockBytes: 64 * 48, threads: 3 };
    const own = new Int8Rows(40, options);
    const alone = new Int8Rows(40);
    const signs = new SignRows(1024, { ...options, blockBytes: 64 * 128 });
    const signsAlone = new SignRows(1024);
    const bits = (rows: number): Uint8Array => Uint8Array.from({ length: rows * 128 }, () => random.integer(0, 255));
    const add = (rows: number): void => {
      const [some, flags] = [vectors(rows), bits(rows)];
      own.append(some);
      alone.append(some);
      for (const each of [signs, signsAlone]) {
        each.extend(each.count + rows);
        each.write(each.count - rows, flags);
      }
    };
    add(300);
    const first = own.share();
    const attached = [1, 2].map((thread) => Int8Rows.attach(first, thread));
    const attachedSigns = [1, 2].map((thread) => SignRows.attach(signs.share(), thread));
    expect(first.blocks[0]!.memory.buffer).toBeInstanceOf(SharedArrayBuffer);
    const other = vectors(1);
    const bitQuery = bits(1);
    for (const [i, rows] of attached.entries()) {
      own.search(other, 5); // another query in the place of the writer
      expect(rows.search(query, 20)).toEqual(alone.search(query, 20));
      const within = Uint32Array.from([3, 64, 65, 200, 299]);
      expect(rows.search(query, 3, { within })).toEqual(alone.search(query, 3, { within }));
      expect(rows.row(150)).toEqual(alone.row(150));
      signs.search(bits(1), 5);
      for (const first of [undefined, 10])
        expect(attachedSigns[i]!.search(bitQuery, 7, { first })).toEqual(signsAlone.search(bitQuery, 7, { first }));
    }
    const before = attached[0]!.search(query, 20);
    add(400);
    expect(attached[0]!.search(query, 20)).toEqual(before);
    expect(Int8Rows.attach(own.share(), 1).search(query, 20)).toEqual(alone.search(query, 20));
    expect(SignRows.attach(signs.share(), 2).search(bitQuery, 9)).toEqual(signsAlone.search(bitQuery, 9));
  });
});
