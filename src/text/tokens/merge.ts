import type { TokenRanks } from './ranks.ts';

/** Bytes of the longest token of the vocabulary. */
const longestToken = 128;
const none = -1;

/** Up to this length each merge searches all pairs: most pieces are words, for which a heap is slower. */
const shortPiece = 64;
const partStarts = new Uint8Array(shortPiece + 1);
const pairRanks = new Int32Array(shortPiece + 1);

/**
 * Number of tokens that byte pair encoding makes of a piece: the adjacent pair of lowest rank (the leftmost of equals)
 * is merged until no pair is a token. O(n log n) in its length.
 * @param ranks ranks of all tokens; every single byte is a token
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
    // A loop: for so few entries a call of `copyWithin` is slower.
    for (let part = best + 1; part < parts; part++) {
      partStarts[part] = partStarts[part + 1]!;
      pairRanks[part] = pairRanks[part + 1]!;
    }
    parts--;
    if (best + 1 < parts) pairRanks[best] = ranks.rankOf(bytes, partStarts[best]!, partStarts[best + 2]!);
    if (best > 0) pairRanks[best - 1] = ranks.rankOf(bytes, partStarts[best - 1]!, partStarts[best + 1]!);
  }
}

/** Uses a linked list of parts and a heap of pairs. */
function mergedLong(ranks: TokenRanks, bytes: Uint8Array, length: number): number {
  // By the start of a part: start of the next part, start of the previous part, rank of the pair with the next part.
  // The rank is `none` when the pair is no token or the part no longer exists.
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

/** A heap key holds rank and start in one number, so that keys order by rank, then by start. */
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
