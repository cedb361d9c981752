import { once } from 'node:events';
import { isPlain, printable } from './text.ts';

let takenByData = false;

/** Stdout carries data from now on: what is said goes to stderr. */
export function keepStdoutForData(): void {
  takenByData = true;
}

/** Where what is said goes: stdout, unless it carries data. */
export function outStream(): NodeJS.WriteStream {
  return takenByData ? process.stderr : process.stdout;
}

/** A line of ours for the reader. */
export function say(text = ''): void {
  if (takenByData) tell(text);
  else console.log(shown(text, process.stdout));
}

/** Data on stdout, no faster than its reader takes it. */
export async function writeData(data: string | Uint8Array, signal: AbortSignal): Promise<void> {
  if (!process.stdout.write(data)) await once(process.stdout, 'drain', { signal });
}

/** A line of ours on stderr. */
export function tell(text: string): void {
  console.error(shown(text, process.stderr));
}

/**
 * The one way to a terminal: whatever a line quotes, of documents, names of files, services, or errors, no control
 * character comes through but our own grey.
 */
function shown(text: string, stream: NodeJS.WriteStream): string {
  if (!stream.isTTY || isPlain()) return printable(text);
  return text
    .split(/(\u001b\[2?2m)/)
    .map((part, i) => (i % 2 === 1 ? part : printable(part)))
    .join('');
}
