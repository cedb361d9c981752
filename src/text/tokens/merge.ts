import type { TokenRanks } from './ranks.ts';

/** No token of the vocabulary is longer, in bytes. */
const longestToken = 128;
const none = -1;

/**
 * Up to here the lowest pair is looked for again after each merge: most pieces are words, where a heap would take
 * longer.
 */
const shortPiece = 64;
const partStarts = new Uint8Array(shortPiece + 1);
const pairRanks = new Int32Array(shortPiece + 1);

/**
 * How many tokens byte pair encoding leaves of a piece: again and again the adjacent pair of lowest rank (the leftmost
 * of equals) is merged. O(n log n) in its length.
 * @param ranks of all tokens; every single byte is one
 * @param bytes holds the piece in its first `length` bytes
 */
export function mergedCount(ranks: TokenRanks, bytes: Uint8Array, length: number): number {
  if (length <= longestToken && ranks.rankOf(bytes, 0, length) >= 0) return 1;
  return length <= shortPiece ? mergedShort(ranks, bytes, length) : mergedLong(ranks, bytes, length);
}

function mergedShort(ranks: TokenRanks, bytes: Uint8Array, length: number): number {
  let parts = length;
  for (let part = 0; part <= length; part++) partStarts[part] = part;
  for (let part = 0; part + 1 < parts; part++) pairRanks[part] = ranks.rankOf(bytes, part, part + 2);
  for (;;) {
    let best = -1;
    let lowest = 0x7fffffff; // above any rank
    for (let part = 0; part + 1 < parts; part++) {
      const rank = pairRanks[part]!;
      if (rank === none || rank >= lowest) continue;
      lowest = rank;
      best = part;
    }
    if (best < 0) return parts;
    // by hand: so few that a call takes longer than moving them
    for (let part = best + 1; part < parts; part++) {
      partStarts[part] = partStarts[part + 1]!;
      pairRanks[part] = pairRanks[part + 1]!;
    }
    parts--;
    if (best + 1 < parts) pairRanks[best] = ranks.rankOf(bytes, partStarts[best]!, partStarts[best + 2]!);
    if (best > 0) pairRanks[best - 1] = ranks.rankOf(bytes, partStarts[best - 1]!, partStarts[best + 1]!);
  }
}

/** A linked list of parts and a heap of pairs. */
function mergedLong(ranks: TokenRanks, bytes: Uint8Array, length: number): number {
  // Start of the next part and of the one before, by the start of a part; rank of the pair that it forms with its
  // successor: `none` when
  // they form no token, or the part is gone.
  const next = new Int32Array(length);
  const previous = new Int32Array(length);
  const pairRank = new Int32Array(length).fill(none);
  for (let i = 0; i < length; i++) {
    next[i] = i + 1;
    previous[i] = i - 1;
  }
  const heap = new PairHeap();
  const consider = (start: number): void => {
    const middle = next[start]!;
    pairRank[start] = none;
    if (middle >= length) return;
    const end = next[middle]!;
    if (end - start > longestToken) return;
    const rank = ranks.rankOf(bytes, start, end);
    if (rank < 0) return;
    pairRank[start] = rank;
    heap.push(rank, start);
  };
  for (let i = 0; i < length - 1; i++) consider(i);
  let parts = length;
  while (heap.size > 0) {
    const { rank, start } = heap.pop();
    if (pairRank[start] !== rank) continue; // the pair has changed since it was pushed
    const gone = next[start]!;
    const after = next[gone]!;
    pairRank[gone] = none;
    next[start] = after;
    if (after < length) previous[after] = start;
    parts--;
    consider(start);
    if (previous[start]! >= 0) consider(previous[start]!);
  }
  return parts;
}

/** Starts in one number with their rank, so that the order of numbers is "lowest rank, then leftmost". */
const startRange = 2 ** 32;

class PairHeap {
  readonly #keys: number[] = [];

  get size(): number {
    return this.#keys.length;
  }

  push(rank: number, start: number): void {
    const keys = this.#keys;
    const key = rank * startRange + start;
    let at = keys.length;
    keys.push(key);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent]! <= key) break;
      keys[at] = keys[parent]!;
      at = parent;
    }
    keys[at] = key;
  }

  pop(): { readonly rank: number; readonly start: number } {
    const keys = this.#keys;
    const top = keys[0]!;
    const key = keys.pop()!;
    const size = keys.length;
    if (size > 0) {
      let at = 0;
      for (let child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && keys[child + 1]! < keys[child]!) child++;
        if (keys[child]! >= key) break;
        keys[at] = keys[child]!;
        at = child;
      }
      keys[at] = key;
    }
    const rank = Math.floor(top / startRange);
    return { rank, start: top - rank * startRange };
  }
}
