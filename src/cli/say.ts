import { isPlain, printable } from './text.ts';

/** A line of ours on stdout. */
export function say(text = ''): void {
  console.log(shown(text, process.stdout));
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
