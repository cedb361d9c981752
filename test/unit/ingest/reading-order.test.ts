import { describe, expect, it } from 'vitest';
import { hash32 } from '../../../src/core/hash.ts';
import { readingOrder, repeatedIn, urisInReadingOrder } from '../../../src/ingest/reading-order.ts';
import { randomSource } from '../vector/random.ts';

describe('the order of reading', () => {
  it('is by the hash of uris, then by uri, then by number, as a sort with these three says', () => {
    const random = randomSource(3);
    const uris = Array.from({ length: 3000 }, () => `u${random.integer(0, 2000)}`);
    // few values: many uris have the same, also 0 and the largest
    const hashes = [0, 1, 2 ** 31, 2 ** 32 - 1, 77];
    const hashOf = (number: number): number => hashes[hash32(uris[number]!) % hashes.length]!;
    const numbers = Uint32Array.from(uris.keys()).filter(() => random.integer(0, 3) > 0);
    const order = readingOrder(numbers, hashOf, (number) => uris[number]!);
    const expected = [...numbers].sort((a, b) => {
      const byUri = uris[a]! < uris[b]! ? -1 : uris[a]! > uris[b]! ? 1 : a - b;
      return hashOf(a) - hashOf(b) || byUri;
    });
    expect([...order]).toEqual(expected);
    const later = [...numbers].filter((number) =>
      [...numbers].some((other) => other < number && uris[other] === uris[number]),
    );
    expect([...repeatedIn(order, hashOf, (number) => uris[number]!)].sort((a, b) => a - b)).toEqual(later);
  });

  it('is the order of `hash32`', () => {
    const uris = Array.from({ length: 500 }, (_, i) => `docs/${i}.md`);
    expect(urisInReadingOrder(uris)).toEqual([...uris].sort((a, b) => hash32(a) - hash32(b)));
    expect(urisInReadingOrder([])).toEqual([]);
  });
});
