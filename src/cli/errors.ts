import { IbidError } from '../index.ts';
import { type ErrorJson, exitCodes, printErrorJson } from './exit-codes.ts';
import { commandHint } from './hints.ts';
import { tell } from './say.ts';
import { printable } from './text.ts';

const USAGE = new Set<string>(['INVALID_ARGUMENT', 'INVALID_FILTER', 'KEY_MISSING']);

/**
 * Prints an error on stderr as `error[CODE]: message` and `hint: …`, with `json` on stdout too; returns the exit
 * status.
 * @param resumes whether the same command goes on with what is left
 */
export function reportError(error: unknown, signal: AbortSignal, json = false, resumes = false): number {
  if (signal.aborted) {
    tell(resumes ? 'interrupted; the same command begins again where work is left' : 'interrupted');
    if (json) printErrorJson({ code: 'ABORTED', message: 'interrupted' });
    return exitCodes.interrupted;
  }
  const told = describe(error);
  tell(`error[${told.code}]: ${told.message}`);
  if (told.hint) tell(`hint: ${told.hint}`);
  if (process.env.IBID_DEBUG && error instanceof Error) tell(error.stack ?? '');
  if (json) printErrorJson(told);
  return USAGE.has(told.code) ? exitCodes.usage : exitCodes.unexpected;
}

/** Prints a warning on stderr: the command goes on. */
export function tellWarning(warning: IbidError): void {
  const hint = commandHint(warning);
  tell(`note: ${printable(warning.message)}${hint ? ` (${printable(hint)})` : ''}`);
}

function describe(error: unknown): ErrorJson {
  if (error instanceof IbidError) return { code: error.code, message: error.message, hint: commandHint(error) };
  if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd')
    return {
      code: 'FILE_UNREADABLE',
      message: 'the working folder is not there any more',
      hint: 'Change into one that is there.',
    };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'UNEXPECTED', message, hint: 'set IBID_DEBUG=1 to see where it happened.' };
}
