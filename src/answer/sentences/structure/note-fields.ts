/** Lines of notes in Markdown that are no sentences: the keys at their head, and fields in their text. */

import type { Span } from '../../../core/types.ts';
import { endOfLine } from '../../../text/lines.ts';

const key = /^[\p{L}_][\p{L}\p{N} _-]{0,40}:(?:\s|$)/u;
const below = /^(?:[ \t]+\S|-[ \t])/;
/** `Serial` of `Serial:: KR-9912` of Dataview at the beginning of a line, perhaps as an item. */
export const fieldName: RegExp = /^([ \t]*(?:[-*+][ \t]+)?\p{L}[\p{L}\p{N} _-]{0,40})::(?=[ \t]+\S)/u;
const mostLines = 200;

/** Keys with the items below them, up to the line `---` that ends them, and fields of the text. */
export function noteFields(text: string): Span[] {
  const found = keysAtHead(text);
  for (let at = found.at(-1)?.end ?? 0; at < text.length; ) {
    const end = endOfLine(text, at);
    if (fieldName.test(text.slice(at, end))) found.push({ start: at, end });
    at = end + 1;
  }
  return found;
}

function keysAtHead(text: string): Span[] {
  const found: { start: number; end: number }[] = [];
  let at = 0;
  for (let i = 0; i < mostLines && at < text.length; i++) {
    const end = endOfLine(text, at);
    const line = text.slice(at, end).trimEnd();
    if (line === '---') return found.length > 0 ? [...found, { start: at, end }] : [];
    if (key.test(line)) found.push({ start: at, end: at + line.length });
    else if (below.test(line) && found.length > 0) found.at(-1)!.end = at + line.length;
    else if (line !== '' && !line.startsWith('#')) return [];
    at = end + 1;
  }
  return [];
}
