import pLimit from 'p-limit';

/**
 * Maps a short list with at most `concurrency` calls at a time. A failed call does not stop the others. Returns every
 * outcome, in the order of the list. For data that grows with the corpus use `mapConcurrent`, which does not queue all
 * items.
 */
export async function settleLimited<T, R>(
  list: readonly T[],
  map: (item: T) => Promise<R>,
  concurrency: number,
): Promise<PromiseSettledResult<R>[]> {
  const limit = pLimit(concurrency);
  return await Promise.allSettled(list.map((item) => limit(map, item)));
}

/** A queue of calls, shared by several callers: at most `concurrency` run at a time. */
export function limiter(concurrency: number): <R>(call: () => Promise<R>) => Promise<R> {
  return pLimit(concurrency);
}
