import { objectOf } from '../../core/arguments.ts';
import type { Operation, WireCallOptions } from '../http/contract.ts';
import { WireError } from '../http/errors.ts';
import { poll } from '../http/poll.ts';

export interface WaitOptions extends WireCallOptions {
  /** First pause between two questions; each is half as long again, up to `maxPollMs`. @default 2,000 */
  readonly pollMs?: number | undefined;
  /** @default 30,000 */
  readonly maxPollMs?: number | undefined;
  /** TIMEOUT after this long. @default 3,600,000 */
  readonly waitMs?: number | undefined;
  /** Told of every answer. */
  readonly onStatus?: ((status: string) => void) | undefined;
}

/** Looks again, more and more slowly. @throws WireError TIMEOUT */
function wait<T>(name: string, look: () => Promise<T>, done: (state: T) => boolean, options: WaitOptions): Promise<T> {
  const { pollMs = 2_000, maxPollMs = 30_000, waitMs = 3_600_000, signal } = objectOf(options, 'the options');
  const late = (): WireError =>
    new WireError('TIMEOUT', `${name}: still not done after ${waitMs} ms`, {
      service: 'audio',
      operation: name,
      hint: 'Ask again later by the same id; nothing is lost.',
    });
  return poll({ look, done, pollMs, maxPollMs, waitMs, late, signal });
}

/**
 * Asks until the status is one of `final`.
 * @throws WireError RUN_FAILED when the service calls the run failed, although it answered 200; TIMEOUT
 */
export function untilStatus<T extends { readonly status: string; readonly error?: unknown }>(
  name: string,
  ask: () => Promise<T>,
  final: readonly string[],
  options: WaitOptions = {},
): Promise<T> {
  const look = async (): Promise<T> => {
    const state = await ask();
    options.onStatus?.(state.status);
    const { error } = state;
    if (state.status !== 'failed') return state;
    const reason =
      error === undefined || error === null ? '' : `: ${typeof error === 'string' ? error : JSON.stringify(error)}`;
    throw new WireError('RUN_FAILED', `${name}: failed${reason}`, {
      service: 'audio',
      operation: name,
      retryable: false,
    });
  };
  return wait(name, look, ({ status }) => final.includes(status), options);
}

/** NOT_READY is asked again while `waitMs` allows; without it, it is thrown at once. */
export async function whenReady<T>(
  operation: Operation,
  ask: () => Promise<T>,
  options: WaitOptions | undefined,
): Promise<T> {
  if (options?.waitMs === undefined) return ask();
  const look = async (): Promise<T | undefined> => {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof WireError && error.code === 'NOT_READY') return undefined;
      throw error;
    }
  };
  return (await wait(operation.name, look, (made) => made !== undefined, options))!; // done means that it is there
}
