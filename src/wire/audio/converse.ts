import { IbidError } from '../../core/errors.ts';
import type { Operation, Socket } from '../http/contract.ts';
import { WireError } from '../http/errors.ts';

/** What a message meant: a value to hand on, and whether it was the last. */
export interface Heard<T> {
  readonly value?: T;
  readonly done?: boolean;
}

/** A mistake of whatever the caller feeds in, as opposed to one of the socket. */
class SourceFailure {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/**
 * Sends and hears at the same time until the last message was heard.
 * A failing source, or a wrong piece of it, closes the socket at once and its error is thrown as it is. A failing send
 * waits for what the peer still says, for that tells why. Leaving the loop early closes the socket and stops the
 * sending.
 * @throws WireError STREAM_BROKEN when the peer closes before the end
 */
export async function* converse<T>(
  operation: Operation,
  socket: Socket,
  speak: (signal: AbortSignal) => Promise<void>,
  hear: (message: string) => Heard<T>,
): AsyncGenerator<T, void, undefined> {
  const stop = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const speaking = speak(stop.signal).catch(async (error: unknown) => {
    if (stop.signal.aborted) return;
    failure = { error: error instanceof SourceFailure ? error.reason : error };
    const ours = error instanceof SourceFailure || (error instanceof IbidError && error.code === 'INVALID_ARGUMENT');
    if (ours) await socket.close(1000);
  });
  try {
    for await (const message of socket) {
      const { value, done } = hear(message);
      if (value !== undefined) yield value;
      if (done === true) return;
    }
    if (failure !== undefined) throw failure.error;
    const { code, reason } = socket.closed ?? { code: 1005, reason: '' };
    throw new WireError(
      'STREAM_BROKEN',
      `${operation.name}: the socket closed (${code}${reason === '' ? '' : ` ${reason}`}) before the end`,
      {
        service: 'audio',
        operation: operation.name,
      },
    );
  } catch (error) {
    throw failure === undefined || (error instanceof WireError && error.code !== 'STREAM_BROKEN')
      ? error
      : failure.error;
  } finally {
    stop.abort();
    await socket.close(1000);
    await Promise.race([speaking, Promise.resolve()]); // the source may never wake up; nobody waits for it
  }
}

/** Any iterable, read by hand. */
export function iteratorOf<T>(source: AsyncIterable<T> | Iterable<T>): AsyncIterator<T> | Iterator<T> {
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
}

/** Closes a source that is not read on, without waiting for it. */
export function leave(source: AsyncIterator<unknown> | Iterator<unknown>): void {
  void Promise.resolve(source.return?.()).catch(() => {});
}

/** Rejects with the signal's reason, and never resolves. */
export function aborted(signal: AbortSignal | undefined): {
  readonly promise: Promise<never>;
  readonly dispose: () => void;
} {
  let dispose = (): void => {};
  const promise = new Promise<never>((_, reject) => {
    if (signal === undefined) return;
    const listener = (): void => reject(signal.reason);
    if (signal.aborted) return listener();
    signal.addEventListener('abort', listener, { once: true });
    dispose = () => signal.removeEventListener('abort', listener);
  });
  promise.catch(() => {}); // only ever raced
  return { promise, dispose };
}

/**
 * Reads a source to its end, calling `idle` whenever nothing came for `idleMs`, so that a peer does not give up.
 * @throws SourceFailure with the source's own error
 */
export async function drain<T>(
  iterator: AsyncIterator<T> | Iterator<T>,
  each: (item: T) => Promise<void>,
  idle: () => Promise<void>,
  idleMs: number,
  signal: AbortSignal,
): Promise<void> {
  const stop = aborted(signal);
  try {
    for (;;) {
      const next = Promise.resolve()
        .then(() => iterator.next())
        .catch((error: unknown) => {
          throw new SourceFailure(error);
        });
      next.catch(() => {}); // raced below
      let result: IteratorResult<T> | undefined;
      while (result === undefined) {
        let timer: NodeJS.Timeout | undefined;
        const tick = new Promise<undefined>((resolve) => {
          timer = setTimeout(resolve, idleMs, undefined);
        });
        try {
          result = await Promise.race([next, tick, stop.promise]);
        } finally {
          clearTimeout(timer);
        }
        if (result === undefined) await idle();
      }
      if (result.done === true) return;
      await each(result.value);
    }
  } catch (error) {
    leave(iterator);
    throw error;
  } finally {
    stop.dispose();
  }
}
