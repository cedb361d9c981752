import { describe, expect, it } from 'vitest';
import { Int8Rows } from '../../../src/vector/int8-rows.ts';
import { SignFilter } from '../../../src/vector/sign-filter.ts';
import { type RandomSource, randomSource } from './random.ts';

type Draw = (random: RandomSource, dimensions: number) => (row: number) => number[];

const rounded = (values: readonly number[]): Int8Array =>
  Int8Array.from(values, (value) => Math.max(-128, Math.min(127, Math.round(value))));

const shapes: Readonly<Record<string, Draw>> = {
  'around centres': (random, dimensions) => {
    const centres = Array.from({ length: 40 }, () => Array.from({ length: dimensions }, () => 30 * random.normal()));
    return () => centres[random.integer(0, 39)]!.map((value) => value + 25 * random.normal());
  },
  'without order': (random, dimensions) => () => Array.from({ length: dimensions }, () => 40 * random.normal()),
  'the same row many times': (random, dimensions) => {
    const kinds = Array.from({ length: 9 }, () => Array.from({ length: dimensions }, () => 40 * random.normal()));
    return (row) => kinds[row % 9]!;
  },
  // signs of the others say nothing
  'decided by one large component': (random, dimensions) => () =>
    Array.from({ length: dimensions }, (_, d) => (d === 0 ? 60 + 60 * random.next() : 1.5 * random.normal())),
  'never below zero': (random, dimensions) => () =>
    Array.from({ length: dimensions }, () => Math.abs(40 * random.normal())),
  'mostly zero': (random, dimensions) => (row) =>
    Array.from({ length: dimensions }, (_, d) => (row % 7 === 0 || d % 5 ? 0 : 40 * random.normal())),
};

describe.each(Object.entries(shapes))('filter by signs, vectors %s', (_, draw) => {
  it.each([
    [256, false],
    [100, false],
    [33, true],
  ])('%i dimensions: what looking at every row finds', async (dimensions, scalar) => {
    const random = randomSource(dimensions);
    const next = draw(random, dimensions);
    const rows = new Int8Rows(dimensions, { blockBytes: 2 ** 18, scalar });
    const filter = new SignFilter(rows);
    const add = (count: number): void =>
      rows.append(Int8Array.from(Array.from({ length: count }, (_, i) => [...rounded(next(i))]).flat()));
    for (const added of [12_000, 500]) {
      add(added);
      expect(filter.isUsable(rows.count)).toBe(false);
      await filter.prepare(rows.count);
      const live = Uint8Array.from({ length: rows.count }, () => (random.integer(0, 9) === 0 ? 0 : 1));
      const within = Uint32Array.from(live.keys()).filter(() => random.integer(0, 2) > 0);
      for (let q = 0; q < 12; q++) {
        const query = q === 0 ? new Int8Array(dimensions) : rounded(next(q));
        for (const options of [{}, { live }, { rows: 9000, live }, { within }]) {
          const expected = rows.search(query, 60, options);
          expect(filter.search(query, 60, options)).toEqual(expected);
          for (const place of [0, 20, 59]) {
            const least = expected.cosines[place];
            const found = filter.search(query, 60, { ...options, least });
            const wanted = expected.cosines.findLastIndex((cosine) => cosine >= least!) + 1;
            expect(found.ordinals.subarray(0, wanted)).toEqual(expected.ordinals.subarray(0, wanted));
          }
        }
      }
    }
  });
});

/** 20,000 rows around centres, their filter, and how many rows each call of `rows.search` compares. */
async function clustered(random: RandomSource, draw: (row: number) => number[]) {
  const rows = new Int8Rows(256);
  for (let i = 0; i < 20_000; i++) rows.append(rounded(draw(i)));
  const filter = new SignFilter(rows);
  await filter.prepare(rows.count);
  const compared: number[] = [];
  const search = rows.search.bind(rows);
  rows.search = (vector, limit, options = {}) => {
    compared.push(options.within?.length ?? rows.count);
    return search(vector, limit, options);
  };
  const elsewhere = (): Int8Array => rounded(shapes['without order']!(random, 256)(0));
  return { rows, filter, compared, elsewhere };
}

it('leaves out most rows of a clustered set', async () => {
  // what is expected above would hold for a filter that never filters
  const random = randomSource(5);
  const draw = shapes['around centres']!(random, 256);
  const { rows, filter, compared } = await clustered(random, draw);
  filter.search(rounded(draw(0)), 10);
  expect(Math.max(...compared)).toBeLessThan(rows.count / 4);
});

it('compares no candidates for a query that is far from all rows, and stays for the others', async () => {
  const random = randomSource(7);
  const draw = shapes['around centres']!(random, 256);
  const { rows, filter, compared, elsewhere } = await clustered(random, draw);
  for (let q = 0; q < 40; q++) {
    compared.length = 0;
    const isFar = q % 3 > 0;
    filter.search(isFar ? elsewhere() : rounded(draw(q)), 10);
    if (isFar) expect(compared).toEqual([rows.count]);
    else expect(Math.max(...compared)).toBeLessThan(rows.count / 4);
  }
});

it('is given up where signs tell too little, and goes on to find the same', async () => {
  const random = randomSource(6);
  const rows = new Int8Rows(64);
  const draw = shapes['without order']!(random, 64);
  for (let i = 0; i < 5000; i++) rows.append(rounded(draw(i)));
  const filter = new SignFilter(rows);
  await filter.prepare(rows.count);
  expect(filter.isUsable(rows.count)).toBe(true);
  for (let q = 0; q < 20; q++) {
    const query = rounded(draw(q));
    expect(filter.search(query, 50)).toEqual(rows.search(query, 50));
  }
  expect(filter.isGivenUp).toBe(true);
  await filter.prepare(rows.count);
  expect([filter.isUsable(rows.count), filter.share()]).toEqual([false, undefined]);
});
