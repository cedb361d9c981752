import type { CallOptions } from './types.ts';

/** A timer of Node that is set to more fires at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

interface MapConcurrentOptions extends CallOptions {
  /** Maximum number of calls at the same time, at least 1. */
  readonly concurrency: number;
}

/**
 * Maps a source with at most `concurrency` calls at a time. Yields results in source order. Pulls an item only when a
 * slot is free. After an error, an abort or `break`, aborts the other calls through their signal, waits for them, and
 * closes the source.
 */
export async function* mapConcurrent<T, R>(
  source: Iterable<T> | AsyncIterable<T>,
  map: (item: T, signal: AbortSignal) => Promise<R>,
  options: MapConcurrentOptions,
): AsyncGenerator<R, void, undefined> {
  const abort = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, abort.signal]) : abort.signal;
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const running: Promise<R>[] = [];
  let exhausted = false;
  try {
    for (;;) {
      while (!exhausted && running.length < options.concurrency) {
        options.signal?.throwIfAborted();
        const next = await iterator.next();
        if (next.done) {
          exhausted = true;
          break;
        }
        const call = map(next.value, signal);
        call.catch(() => {}); // awaited below; until then a rejection must not count as unhandled
        running.push(call);
      }
      const first = running.shift();
      if (first === undefined) return;
      yield await first;
      options.signal?.throwIfAborted();
    }
  } finally {
    abort.abort();
    await Promise.allSettled(running);
    if (!exhausted) await iterator.return?.();
  }
}

/**
 * The items of a caller's source. An abort ends the wait for one that is long in coming; the source is then closed
 * without waiting for it.
 */
export async function* untilAborted<T>(
  source: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  if (signal === undefined || !(Symbol.asyncIterator in source)) {
    yield* source;
    return;
  }
  const iterator = source[Symbol.asyncIterator]();
  // one `reject` at a time: a race with one promise of the whole run would keep every item's reaction until the end
  let giveUp: ((reason: unknown) => void) | undefined;
  const onAbort = (): void => giveUp?.(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  let exhausted = false;
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        giveUp = reject;
        iterator.next().then(resolve, reject);
      });
      if (next.done) {
        exhausted = true;
        return;
      }
      yield next.value;
    }
  } catch (error) {
    exhausted ||= !signal.aborted; // a source that threw is closed already
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (!exhausted) {
      const closed = Promise.resolve(iterator.return?.());
      if (signal.aborted) closed.catch(() => {});
      else await closed;
    }
  }
}

/** What work of the caller gives. An abort ends the wait for it, whether the work listens to the signal or not. */
export async function unlessAborted<T>(work: () => T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work();
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * A signal that aborts `graceMs` after `signal`, with the same reason. Disposed of when the work is over, it
 * leaves nothing on `signal`, which may live as long as the program.
 */
export function abortedLater(
  signal: AbortSignal | undefined,
  graceMs: number,
): Disposable & { readonly signal: AbortSignal | undefined } {
  if (signal === undefined) return { signal, [Symbol.dispose]: () => {} };
  const later = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    timer = setTimeout(() => later.abort(signal.reason), graceMs).unref();
  };
  if (signal.aborted) wait();
  else signal.addEventListener('abort', wait, { once: true });
  return {
    signal: later.signal,
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', wait);
      clearTimeout(timer);
    },
  };
}

/**
 * Waits for the end of a thread or a process, and keeps the program running until then: a last reply may take away what
 * else would keep it.
 */
export async function keepRunning<T>(until: Promise<T>): Promise<T> {
  const staying = setInterval(() => {}, LONGEST_TIMER_MS);
  try {
    return await until;
  } finally {
    clearInterval(staying);
  }
}
