import type { Span } from '../../../core/types.ts';

/** Entries from which on lines are a listing, and do not stand in columns by chance. */
const LEAST_ENTRIES = 3;
/** A name, then blanks up to the second column. */
const entry = /^[ \t]*\S+(?: \S+)* {2,}(?=\S)/;

/**
 * Entries of listings in two columns of preformatted text, a name and what it is: the help of a command, the options of
 * a tool. `.tables ?NAME?    List the tables` is one entry, whatever sentences are found in it.
 * @param from offset of a line
 */
export function entriesOfListings(text: string, from: number, to: number): Span[] {
  const found: Span[] = [];
  let entries: Span[] = [];
  let column = 0;
  const close = (): void => {
    if (entries.length >= LEAST_ENTRIES) found.push(...entries);
    entries = [];
  };
  for (let start = from; start < to; ) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 || feed > to ? to : feed;
    const line = text.slice(start, end).trimEnd();
    const indent = line.length - line.trimStart().length;
    const at = entry.exec(line)?.[0].length ?? 0;
    const last = entries.at(-1);
    if (last && line !== '' && indent === column) entries[entries.length - 1] = { ...last, end: start + line.length };
    else {
      if (at !== column || at === 0) close();
      column = at;
      if (at > 0) entries.push({ start: start + indent, end: start + line.length });
    }
    start = end + 1;
  }
  close();
  return found;
}
