import { IbidError } from '../index.ts';

/** How long standard input may stay silent before a question: it may be inherited, and never say anything. */
const FIRST_BYTE_MS = 3000;

/**
 * The question of a command: its argument, else what comes through standard input. `-` waits for standard input however
 * long. Undefined without an argument on a terminal.
 * @param command whose question it is
 * @throws IbidError INVALID_ARGUMENT when standard input holds no question
 */
export async function questionOf(
  argument: string | undefined,
  command: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (argument !== undefined && argument !== '-') return argument;
  if (argument === undefined && process.stdin.isTTY) return undefined;
  const text = await readAll(process.stdin, signal, argument === '-' ? undefined : FIRST_BYTE_MS);
  if (text === '') {
    throw new IbidError('INVALID_ARGUMENT', 'nothing was asked: there is no argument, and standard input is empty', {
      hint: `Give the text as an argument, or through a pipe: echo "…" | ibid ${command}.`,
    });
  }
  return text;
}

/** As `questionOf`, where there is no conversation to begin instead. */
export async function questionNeeded(
  argument: string | undefined,
  command: string,
  signal: AbortSignal,
): Promise<string> {
  const question = await questionOf(argument, command, signal);
  if (question !== undefined) return question;
  throw new IbidError('INVALID_ARGUMENT', 'nothing was asked', { hint: 'Give the text as an argument.' });
}

/** All of a stream, trimmed; '' when nothing has come after `firstByteMs`. */
function readAll(input: NodeJS.ReadStream, signal: AbortSignal, firstByteMs: number | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const end = (): void => {
      clearTimeout(timer);
      input.destroy(); // an open pipe would keep the process alive
      if (signal.aborted) reject(signal.reason);
      else resolve(text.trim());
    };
    const timer = firstByteMs === undefined ? undefined : setTimeout(end, firstByteMs);
    signal.addEventListener('abort', end, { once: true });
    input.setEncoding('utf8');
    input.on('data', (piece: string) => {
      clearTimeout(timer);
      text += piece;
    });
    input.on('end', end);
    input.on('error', end);
  });
}
