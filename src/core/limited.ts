import pLimit from 'p-limit';

/**
 * Maps a list that is short already, at most `concurrency` calls at a time. One that fails takes no other with it:
 * every outcome comes back, in the order of the list. What grows with the corpus wants `mapConcurrent`, which does not
 * queue it.
 */
export async function settleLimited<T, R>(
  list: readonly T[],
  map: (item: T) => Promise<R>,
  concurrency: number,
): Promise<PromiseSettledResult<R>[]> {
  const limit = pLimit(concurrency);
  return await Promise.allSettled(list.map((item) => limit(map, item)));
}
