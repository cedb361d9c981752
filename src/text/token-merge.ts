/** No token of the vocabulary is longer, in bytes. */
const longestToken = 128;
const none = -1;

/** Most pieces are words: making three arrays for each would take as long as the merging. */
const scratchLength = 64;
const scratch = {
  next: new Int32Array(scratchLength),
  previous: new Int32Array(scratchLength),
  pairRank: new Int32Array(scratchLength),
};
const arraysOf = (length: number): typeof scratch =>
  length <= scratchLength
    ? scratch
    : { next: new Int32Array(length), previous: new Int32Array(length), pairRank: new Int32Array(length) };

/**
 * How many tokens byte pair encoding leaves of a piece: again and again the adjacent pair of lowest rank (the leftmost of
 * equals) is merged. A linked list of parts and a heap of pairs make that O(n log n).
 * @param ranks rank of each token, by its bytes (one character per byte); every single byte is one
 */
export function mergedCount(ranks: ReadonlyMap<string, number>, bytes: string): number {
  const length = bytes.length;
  // Start of the next part and of the one before, by the start of a part; rank of the pair that it forms with its successor: `none` when
  // they form no token, or the part is gone.
  const { next, previous, pairRank } = arraysOf(length);
  for (let i = 0; i < length; i++) {
    pairRank[i] = none;
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
    const rank = ranks.get(bytes.slice(start, end));
    if (rank === undefined) return;
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
