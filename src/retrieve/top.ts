/**
 * The indices of the `limit` greatest scores above `floor`, best first; ties by index.
 * @param count how many of `scores` to look at
 */
export function topIndices(scores: Float32Array | Float64Array, count: number, limit: number, floor: number): number[] {
  if (limit <= 0) return [];
  // a min-heap of the best so far; among equal scores the greater index is worse
  const heap: number[] = [];
  const worse = (a: number, b: number): boolean => scores[a]! < scores[b]! || (scores[a]! === scores[b]! && a > b);
  let threshold = floor;
  for (let i = 0; i < count; i++) {
    if (!(scores[i]! > threshold)) continue;
    if (heap.length < limit) {
      siftUp(heap, i, worse);
      if (heap.length === limit) threshold = scores[heap[0]!]!;
    } else {
      siftDown(heap, i, worse);
      threshold = scores[heap[0]!]!;
    }
  }
  return heap.sort((a, b) => scores[b]! - scores[a]! || a - b);
}

function siftUp(heap: number[], item: number, worse: (a: number, b: number) => boolean): void {
  let at = heap.length;
  heap.push(item);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!worse(item, heap[parent]!)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = item;
}

/** Replaces the root. */
function siftDown(heap: number[], item: number, worse: (a: number, b: number) => boolean): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && worse(heap[child + 1]!, heap[child]!)) child++;
    if (!worse(heap[child]!, item)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = item;
}
