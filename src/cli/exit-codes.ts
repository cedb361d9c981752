import { jsonText } from './text.ts';

/** 0 done, 1 unexpected, 2 usage, 3 finished but some files failed or there was none, 130 interrupted. */
export const exitCodes = { done: 0, unexpected: 1, usage: 2, someFailed: 3, interrupted: 130 } as const;

/** An error as `--json` prints it. */
export interface ErrorJson {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

let isValuePrinted = false;

/** Whether the one value of `--json` stands on stdout; a command begins without. */
export function noteValue(isPrinted: boolean): void {
  isValuePrinted = isPrinted;
}

/**
 * With `--json`, an error is one line on stdout: a JSON value, and for `export` the last of its JSON lines. What fails
 * after the value of the command was printed is told by stderr and the exit status alone.
 */
export function printErrorJson(error: ErrorJson): void {
  if (!isValuePrinted) process.stdout.write(`${jsonText({ error })}\n`);
}
