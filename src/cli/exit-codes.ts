import { jsonText } from './text.ts';

/** 0 done, 1 unexpected, 2 usage, 3 finished but some files failed or there was none, 130 interrupted. */
export const exitCodes = { done: 0, unexpected: 1, usage: 2, someFailed: 3, interrupted: 130 } as const;

/** An error as `--json` prints it. */
export interface ErrorJson {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** With `--json`, an error is one line on stdout: a JSON value, and for `export` the last of its JSON lines. */
export function printErrorJson(error: ErrorJson): void {
  process.stdout.write(`${jsonText({ error })}\n`);
}
