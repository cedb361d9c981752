import { hash32 } from '../core/hash.ts';

/**
 * Sorts documents by a hash of their uri. The first ones are then a fair sample for training, for any folder names, and
 * the same sample in every run.
 */
export function inReadingOrder<T>(items: readonly T[], uriOf: (item: T) => string): T[] {
  const keys = Uint32Array.from(items, (item) => hash32(uriOf(item)));
  const order = new Uint32Array(keys.length)
    .map((_, i) => i)
    .sort((a, b) => keys[a]! - keys[b]! || (uriOf(items[a]!) < uriOf(items[b]!) ? -1 : 1));
  return Array.from(order, (i) => items[i]!);
}
