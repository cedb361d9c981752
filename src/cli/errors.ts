import { IbidError } from '../core/errors.ts';

/** 0 done, 1 unexpected, 2 usage, 3 finished but some files failed, 130 interrupted. */
export const exitCodes = { done: 0, unexpected: 1, usage: 2, someFailed: 3, interrupted: 130 } as const;

const USAGE = new Set<string>(['INVALID_ARGUMENT', 'INVALID_FILTER', 'KEY_MISSING']);

/** Prints an error as `error[CODE]: message` and `hint: …`; returns the exit status. */
export function reportError(error: unknown, signal: AbortSignal): number {
  if (signal.aborted) {
    console.error('interrupted; what was committed is kept, run the command again to go on');
    return exitCodes.interrupted;
  }
  if (error instanceof IbidError) {
    console.error(`error[${error.code}]: ${error.message}`);
    if (error.hint) console.error(`hint: ${error.hint}`);
    return USAGE.has(error.code) ? exitCodes.usage : exitCodes.unexpected;
  }
  console.error(`error[UNEXPECTED]: ${error instanceof Error ? error.message : String(error)}`);
  if (process.env.IBID_DEBUG && error instanceof Error) console.error(error.stack);
  else console.error('hint: set IBID_DEBUG=1 to see where it happened.');
  return exitCodes.unexpected;
}
