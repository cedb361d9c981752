import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation, WireCallOptions } from '../http/contract.ts';
import { checkInteger } from './check.ts';
import { factsOf, PartialResultError } from './failures.ts';

export interface WaitOptions extends WireCallOptions {
  /** Milliseconds before the second look; grows by half each time. @default 1,000 */
  readonly pollMs?: number | undefined;
  /** @default 15,000 */
  readonly maxPollMs?: number | undefined;
  /** Milliseconds after which waiting ends, not the run. 0 waits for ever. @default 0 */
  readonly timeoutMs?: number | undefined;
}

/** Looks again, more and more slowly, until it is done. @throws WireError TIMEOUT with the last look as `partial`; the signal's reason */
export async function poll<T>(
  operation: Operation,
  look: (call: WireCallOptions) => Promise<T>,
  done: (state: T) => boolean,
  options: WaitOptions,
): Promise<T> {
  const { pollMs = 1_000, maxPollMs = 15_000, timeoutMs = 0, ...call } = options;
  checkInteger('pollMs', pollMs, 0, Number.MAX_SAFE_INTEGER);
  checkInteger('maxPollMs', maxPollMs, 0, Number.MAX_SAFE_INTEGER);
  checkInteger('timeoutMs', timeoutMs, 0, Number.MAX_SAFE_INTEGER);
  const started = performance.now();
  for (let waitMs = pollMs; ; waitMs = waitMs * 1.5) {
    options.signal?.throwIfAborted();
    const state = await look(call);
    if (done(state)) return state;
    const leftMs = timeoutMs === 0 ? Number.POSITIVE_INFINITY : timeoutMs - (performance.now() - started);
    if (leftMs <= 0) {
      const message = `${operation.name}: not finished after ${timeoutMs} ms; it goes on at the service`;
      throw new PartialResultError('TIMEOUT', message, state, {
        ...factsOf({ operation }),
        hint: 'Wait again by its id.',
      });
    }
    try {
      await sleep(Math.min(waitMs, maxPollMs, leftMs), undefined, { signal: options.signal });
    } catch (error) {
      options.signal?.throwIfAborted(); // the caller's own reason, not the timer's
      throw error;
    }
  }
}
