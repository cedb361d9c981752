import { unlessAborted } from './async.ts';
import { IbidError } from './errors.ts';
import type { CallOptions } from './types.ts';

/** A part of the caller's own, as messages name it. */
export interface OwnPart {
  /** `embedder`, `model`, … */
  readonly what: string;
  readonly id: string;
  /** The check of `ibid/testing` that finds what is wrong with it. */
  readonly check: string;
}

interface OwnCall extends CallOptions {
  /** What it gives is kept under the lock of a writer, so an abort waits for it. @default false */
  readonly isKept?: boolean | undefined;
}

/**
 * Runs code of the caller and gives its errors an error code, so that a search can go on without the part. An abort
 * ends the wait for a part that does not listen to it.
 * @throws IbidError SERVICE_FAILED in place of an error of another kind; the reason of the caller's abort
 */
export async function callOwn<T>(
  part: OwnPart,
  call: () => T | Promise<T>,
  { signal, isKept = false }: OwnCall = {},
): Promise<T> {
  try {
    return await (isKept ? call() : unlessAborted(call, signal));
  } catch (cause) {
    signal?.throwIfAborted();
    throw ownFailure(part, cause);
  }
}

/** What a part threw, as an error of ours. */
export function ownFailure({ what, id }: OwnPart, cause: unknown): IbidError {
  if (cause instanceof IbidError) return cause;
  return new IbidError('SERVICE_FAILED', `the ${what} "${id}" failed: ${saidBy(cause)}`, {
    ...{ cause, hint: 'What it threw is the cause of this error.' },
  });
}

/** An object may have a message without being an error, or be none that can be written as text. */
function saidBy(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return String(cause);
  return 'message' in cause && typeof cause.message === 'string'
    ? cause.message
    : 'it threw an object without a message';
}

/** @param hint what else helps, after the check */
export function contractBroken({ what, id, check }: OwnPart, why: string, hint = ''): IbidError {
  return new IbidError('CONTRACT_BROKEN', `the ${what} "${id}" does not keep its contract: ${why}`, {
    hint: `Check it with \`${check}\` of \`ibid/testing\`${hint}.`,
  });
}

/** @param missing what the part must have, as in `\`id\` must be a text` */
export function unusable(what: string, contract: string, check: string, missing: string): IbidError {
  return new IbidError('INVALID_ARGUMENT', `the ${what} cannot be used: ${missing}`, {
    hint: `See \`${contract}\`; check yours with \`${check}\` of \`ibid/testing\`.`,
  });
}

/**
 * What a call of the part costs or has cost. A sum that is no number would count as nothing against a budget.
 * @throws IbidError CONTRACT_BROKEN
 */
export function checkedUsd(part: OwnPart, name: string, usd: unknown): number {
  if (typeof usd === 'number' && Number.isFinite(usd) && usd >= 0) return usd;
  unawaited(usd);
  throw contractBroken(part, `\`${name}\` must be a number of USD, at least 0, not ${shown(usd)}`);
}

/**
 * A price that a part knows without a call; undefined where it knows none.
 * @throws IbidError CONTRACT_BROKEN, SERVICE_FAILED
 */
export function priceOf(part: OwnPart, name: string, price: () => number | undefined): number | undefined {
  let usd: number | undefined;
  try {
    usd = price();
  } catch (cause) {
    throw ownFailure(part, cause);
  }
  return usd === undefined ? undefined : checkedUsd(part, name, usd);
}

/** Where a promise is given for something else: nobody waits for it, and its failure must not end the process. */
export function unawaited(value: unknown): void {
  Promise.resolve(value).catch(() => {});
}

/** A value as messages say it: a number itself, of all else its type. */
export function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : value === null ? 'null' : typeof value;
}
