import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_TIMER_MS } from '../../core/async.ts';
import { integer } from './check.ts';

export interface PollPlan<T> {
  readonly look: () => Promise<T>;
  readonly done: (state: T) => boolean;
  /** Milliseconds before the second look; half as long again each time, up to `maxPollMs`. */
  readonly pollMs: number;
  readonly maxPollMs: number;
  /** Milliseconds after which waiting ends; 0 waits for as long as it takes. */
  readonly waitMs: number;
  /** The error of a wait that took too long. */
  readonly late: (last: T) => unknown;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks again, more and more slowly, until it is done. Up to a tenth is taken off each pause, so that many who wait do
 * not look at the same moment.
 * @throws what `late` makes; the signal's reason; IbidError INVALID_ARGUMENT for times that are none
 */
export async function poll<T>(plan: PollPlan<T>): Promise<T> {
  const { pollMs, maxPollMs, waitMs, signal } = plan;
  for (const [name, value] of Object.entries({ pollMs, maxPollMs, waitMs })) integer(0)(name, value);
  const begun = performance.now();
  for (let pause = pollMs; ; pause *= 1.5) {
    signal?.throwIfAborted();
    const state = await plan.look();
    if (plan.done(state)) return state;
    const leftMs = waitMs === 0 ? Number.POSITIVE_INFINITY : waitMs - (performance.now() - begun);
    if (leftMs <= 0) throw plan.late(state);
    const ms = Math.min(pause, maxPollMs, leftMs, LONGEST_TIMER_MS) * (1 - Math.random() / 10);
    try {
      await sleep(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted(); // the caller's own reason, not the timer's
      throw error;
    }
  }
}
