import { objectOf } from '../../core/arguments.ts';
import { factsOf } from '../http/answer.ts';
import type { Operation, WireCallOptions } from '../http/contract.ts';
import { poll } from '../http/poll.ts';
import { PartialResultError } from './failures.ts';

export interface WaitOptions extends WireCallOptions {
  /** Milliseconds before the second look; grows by half each time. @default 1,000 */
  readonly pollMs?: number | undefined;
  /** @default 15,000 */
  readonly maxPollMs?: number | undefined;
  /** Milliseconds after which waiting ends, not the run. 0 waits for ever. @default 0 */
  readonly timeoutMs?: number | undefined;
}

/** Looks until it is done. @throws WireError TIMEOUT with the last look as `partial`; the signal's reason */
export function waitFor<T>(
  operation: Operation,
  look: (call: WireCallOptions) => Promise<T>,
  done: (state: T) => boolean,
  options: WaitOptions,
): Promise<T> {
  const { pollMs = 1_000, maxPollMs = 15_000, timeoutMs = 0, ...call } = objectOf(options, 'the options');
  const late = (last: T): Error => {
    const message = `${operation.name}: not finished after ${timeoutMs} ms; it goes on at the service`;
    const facts = { ...factsOf({ operation }), hint: 'Wait again by its id.' };
    return new PartialResultError('TIMEOUT', message, last, facts);
  };
  return poll({ look: () => look(call), done, pollMs, maxPollMs, waitMs: timeoutMs, late, signal: options.signal });
}
