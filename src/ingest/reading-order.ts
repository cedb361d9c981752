import { endianness } from 'node:os';
import { hash32 } from '../core/hash.ts';

/** Which half of a 64-bit number counts more. */
const HIGH = endianness() === 'LE' ? 1 : 0;

/**
 * Sorts items by a hash of their uri. The first ones are then a fair sample for training, for any folder names, and
 * the same sample in every run. Sorts numbers in place, outside the JavaScript heap: there may be millions.
 * @param numbers of the items
 * @param hashOf `hash32` of an item's uri
 * @param uriOf asked where two hashes are the same
 * @returns the numbers in order; of two items with one uri, the one with the smaller number comes first
 */
export function readingOrder(
  numbers: Uint32Array,
  hashOf: (number: number) => number,
  uriOf: (number: number) => string,
): Uint32Array<ArrayBuffer> {
  const keys = new BigUint64Array(numbers.length);
  const halves = new Uint32Array(keys.buffer);
  let end = HIGH;
  for (const number of numbers) {
    halves[end] = hashOf(number);
    halves[end ^ 1] = number;
    end += 2;
  }
  keys.sort();
  const order = Uint32Array.from(keys, (_, i) => halves[2 * i + 1 - HIGH]!);
  for (let from = 0; from < order.length; ) {
    const hash = halves[2 * from + HIGH];
    let to = from + 1;
    while (to < order.length && halves[2 * to + HIGH] === hash) to++;
    if (to > from + 1) sortByUri(order.subarray(from, to), uriOf);
    from = to;
  }
  return order;
}

function sortByUri(numbers: Uint32Array, uriOf: (number: number) => string): void {
  const uris = new Map(Array.from(numbers, (number) => [number, uriOf(number)]));
  const sorted = [...numbers].sort((a, b) => {
    const [left, right] = [uris.get(a)!, uris.get(b)!];
    return left === right ? a - b : left < right ? -1 : 1;
  });
  numbers.set(sorted);
}

/** The numbers of items whose uri an item with a smaller number has. @param order a reading order */
export function* repeatedIn(
  order: Uint32Array,
  hashOf: (number: number) => number,
  uriOf: (number: number) => string,
): Generator<number, void, undefined> {
  for (let i = 1; i < order.length; i++) {
    const [before, number] = [order[i - 1]!, order[i]!];
    if (hashOf(before) === hashOf(number) && uriOf(before) === uriOf(number)) yield number;
  }
}

/** The uris in reading order. */
export function urisInReadingOrder(uris: readonly string[]): string[] {
  const numbers = Uint32Array.from(uris.keys());
  const order = readingOrder(
    numbers,
    (number) => hash32(uris[number]!),
    (number) => uris[number]!,
  );
  return Array.from(order, (number) => uris[number]!);
}
