import type { Span } from '../../../core/types.ts';
import { entryPartAt, isListLabel, mayHaveParts } from '../../../text/languages/member-questions.ts';
import { endOfLine } from '../../../text/lines.ts';
import type { Unit } from './units.ts';

/** `load - how heavy it is`, `Overload - if it is too heavy`, each in a line of its own below the label. */
const item = /^[ \t]*[\p{L}_$][\p{L}\p{N}_$.]* (?:-|–) \S/u;

/**
 * The parts of an entry of a reference that runs on without end marks: each label (`Returns:`) with what stands below it,
 * each parameter. One for a text without such labels.
 */
export function entryParts(own: string): readonly Span[] {
  if (!own.includes('\n') || !mayHaveParts(own)) return [];
  const starts = [0];
  let isBelow = false;
  let at = 0;
  for (const line of own.split('\n')) {
    const label = entryPartAt(line);
    const isAlone = label !== undefined && line.slice(label.end).trim() === '';
    if (isAlone && at > 0) starts.push(at);
    // the first item stays with its label
    else if (item.test(line) && at > 0 && isBelow && starts.at(-1) !== at) starts.push(at);
    isBelow = isAlone ? false : isBelow || item.test(line);
    at += line.length + 1;
  }
  return starts
    .map((start, i) => trimmed(own, start, starts[i + 1] ?? own.length))
    .filter(({ start, end }) => end > start);
}

function trimmed(text: string, from: number, to: number): Span {
  const own = text.slice(from, to);
  return { start: from + own.length - own.trimStart().length, end: from + own.trimEnd().length };
}

/** Whether a table below a text lists parameters: its first row is one as well, and no header. */
export function isListOfParameters(before: string): boolean {
  return isListLabel(before.slice(before.lastIndexOf('\n') + 1));
}

const opens = /^[ \t|]*[^\n|]*[\p{L}\p{N}_] \| \( \|/u;
const closes = /^[ \t|]*\)/;

/**
 * The declaration of a function that is set as a table: a row for each argument, with the bracket behind the name and
 * below the last one in columns of their own. It is one unit.
 */
export function declarationTable(
  text: string,
  lines: readonly Span[],
): { readonly start: number; readonly end: number; readonly rows: readonly Unit[] } | undefined {
  const [first] = lines;
  if (first === undefined || !opens.test(text.slice(first.start, first.end))) return undefined;
  const last = lines.at(-1)!;
  const end = closes.test(text.slice(last.end + 1)) ? endOfLine(text, last.end + 1) : last.end;
  const unit: Unit = { kind: 'sentence', ...trimmed(text, first.start, end) };
  return { start: first.start, end, rows: [unit] };
}

/** A declaration that was set as a table, as it reads in a line. */
export function plainDeclaration(quote: string): string {
  if (!/ \| \( \|/.test(quote)) return quote;
  return quote
    .replace(/[\s|]+/g, ' ')
    .replace(/ ?\( /g, ' (')
    .replace(/ \)/g, ')')
    .replace(/([*&]) (?=[\p{L}_])/gu, '$1')
    .trim();
}
