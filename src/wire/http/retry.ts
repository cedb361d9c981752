import type { ErrorCode } from '../../core/errors.ts';
import type { RepeatRule } from './contract.ts';

/**
 * Why an attempt failed, as far as repeating is concerned:
 * `unsent` the request surely did not arrive; `unanswered` it may have (cut, reset, timeout); a number is the answer's
 * status.
 */
export type Cause = 'unsent' | 'unanswered' | number;

/** What may be sent again, and why. Read with `RepeatRule`'s docstring. */
export const repeatTable: Readonly<Record<RepeatRule, readonly (Cause | '5xx')[]>> = {
  always: ['unsent', 'unanswered', 408, 409, 429, '5xx'],
  refused: ['unsent', 429, '5xx'],
  unsent: ['unsent', 429, 503],
  never: [],
};

/** The status that should have come with an error that came with 200; only for what passes by itself. */
export const statusFor: { readonly [code in ErrorCode]?: number } = {
  RATE_LIMITED: 429,
  OVERLOADED: 529,
  SERVICE_FAILED: 500,
};

/** What `repeatUnanswered` adds to `refused`: the caller takes the chance of paying twice. */
const unanswered: readonly Cause[] = ['unanswered', 408];

/** Server waits longer than this are reported instead of waited for. */
export const WAIT_CEILING_MS = 60_000;

/** Attempts after the first, unless the caller says: refusals for load are worth more patience than failures. */
export const defaultRetries = (cause: Cause): number => (cause === 429 || cause === 503 || cause === 529 ? 4 : 2);

export interface RetryQuestion {
  readonly rule: RepeatRule;
  readonly cause: Cause;
  readonly repeatUnanswered: boolean;
  /**
   * `x-should-retry`: the service's own word. It can forbid any repetition, and allow one where the rule has room for
   * refusals.
   */
  readonly shouldRetry?: boolean | undefined;
  /** False when the classified error says that waiting does not help (a used-up quota as 429). */
  readonly passing: boolean;
}

/** Whether one more attempt is allowed, the number of attempts aside. */
export function mayRepeat({ rule, cause, repeatUnanswered, shouldRetry, passing }: RetryQuestion): boolean {
  const table = repeatTable[rule];
  const listed = table.includes(cause) || (typeof cause === 'number' && cause >= 500 && table.includes('5xx'));
  if (typeof cause === 'number') {
    if (shouldRetry === false || !passing) return false;
    if (shouldRetry === true && (rule === 'always' || rule === 'refused')) return true;
  }
  return listed || (rule === 'refused' && repeatUnanswered && unanswered.includes(cause));
}

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * How long the service asks to wait, in ms: `retry-after-ms`, `retry-after` in seconds or as a date,
 * `x-ratelimit-reset` (seconds from now, or since 1970; with a 429 only, for it stands on other answers too);
 * `undefined` when it does not say, 0 for a time gone by.
 */
export function retryAfterMs(headers: Headers, nowMs: number, status: number): number | undefined {
  const ms = decimal(headers['retry-after-ms']);
  if (ms !== undefined) return ms;
  const after = headers['retry-after']?.trim();
  if (after !== undefined && after !== '') {
    const seconds = decimal(after);
    if (seconds !== undefined) return seconds * 1000;
    // `Date.parse` makes a date of almost anything, "-5" included.
    const date = /\d\d:\d\d:\d\d/.test(after) ? Date.parse(after) : Number.NaN;
    if (!Number.isNaN(date)) return Math.max(0, date - nowMs);
  }
  const reset = status === 429 ? decimal(headers['x-ratelimit-reset']) : undefined;
  if (reset === undefined) return undefined;
  // Seconds since 1970 passed 10^9 in 2001; nobody is asked to wait for thirty years.
  return reset > 1e9 ? Math.max(0, reset * 1000 - nowMs) : reset * 1000;
}

export function shouldRetry(headers: Headers): boolean | undefined {
  const value = headers['x-should-retry']?.trim().toLowerCase();
  return value === 'true' ? true : value === 'false' ? false : undefined;
}

/**
 * The wait before attempt `attempt + 1` when the service names none: doubling from 0.5 s to 8 s, for refusals (429,
 * 503, 529) from 1 s to 16 s, less up to a quarter, so that callers who failed together do not come back together.
 */
export function backOffMs(attempt: number, cause: Cause, random: number): number {
  const busy = cause === 429 || cause === 503 || cause === 529;
  const full = Math.min((busy ? 1000 : 500) * 2 ** (attempt - 1), busy ? 16_000 : 8_000);
  return Math.round(full * (1 - random / 4));
}

function decimal(value: string | undefined): number | undefined {
  const text = value?.trim();
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
