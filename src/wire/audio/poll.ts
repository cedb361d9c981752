import { setTimeout as delay } from 'node:timers/promises';
import type { Operation, WireCallOptions } from '../http/contract.ts';
import { WireError } from '../http/errors.ts';
import { checkRange } from './check.ts';

export interface WaitOptions extends WireCallOptions {
  /** First pause between two questions; it doubles up to `maxPollMs`. @default 2,000 */
  readonly pollMs?: number | undefined;
  /** @default 30,000 */
  readonly maxPollMs?: number | undefined;
  /** TIMEOUT after this long. @default 3,600,000 */
  readonly waitMs?: number | undefined;
  /** Told of every answer. */
  readonly onStatus?: ((status: string) => void) | undefined;
}

/**
 * Asks again, waiting longer each time, until the answer is not `undefined`.
 * @throws WireError TIMEOUT
 */
export async function poll<T>(
  operation: Operation,
  ask: () => Promise<T | undefined>,
  options: WaitOptions = {},
): Promise<T> {
  const { pollMs = 2_000, maxPollMs = 30_000, waitMs = 3_600_000, signal } = options;
  checkRange('pollMs', pollMs, 1, 600_000);
  const end = performance.now() + waitMs;
  for (let pause = pollMs; ; pause = Math.min(pause * 2, maxPollMs)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() + pause > end) {
      throw new WireError('TIMEOUT', `${operation.name}: still not done after ${waitMs} ms`, {
        service: 'audio',
        operation: operation.name,
        hint: 'Ask again later by the same id; nothing is lost.',
      });
    }
    try {
      await delay(pause, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : error;
    }
  }
}

/** NOT_READY is asked again while `waitMs` allows; without it, it is thrown at once. */
export async function whenReady<T>(
  operation: Operation,
  ask: () => Promise<T>,
  options: WaitOptions | undefined,
): Promise<T> {
  if (options?.waitMs === undefined) return ask();
  return poll(
    operation,
    async () => {
      try {
        return await ask();
      } catch (error) {
        if (error instanceof WireError && error.code === 'NOT_READY') return undefined;
        throw error;
      }
    },
    options,
  );
}

/** A run that the service calls failed although it answered 200. */
export function throwIfFailed(operation: Operation, status: string, error: unknown): void {
  if (status !== 'failed') return;
  const text = typeof error === 'string' ? error : error === undefined || error === null ? '' : JSON.stringify(error);
  throw new WireError('RUN_FAILED', `${operation.name}: failed${text === '' ? '' : `: ${text}`}`, {
    service: 'audio',
    operation: operation.name,
    retryable: false,
  });
}
