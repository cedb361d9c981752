import { itemMark } from '../../../text/item-mark.ts';
import { definesTerm } from '../../../text/languages/definitions.ts';

/** What a list of definitions says of: a word or some, an option with its value. */
const termChars = 60;
const termWords = 6;
/** From how many on terms do not stand above an indented line by chance. */
const leastTerms = 2;
const item = new RegExp(String.raw`^[ \t]*(?:${itemMark}|\(\d{1,3}[.)]|\(?[a-z]\))[ \t]`);

/** Whether a line names what is said below it: short, no item of a list, no end of a sentence or clause. */
export function isTerm(line: string): boolean {
  const name = line.trim();
  if (name === '' || name.length > termChars || item.test(line) || /\S {2,}\S|[|\t]/.test(name)) return false;
  return !/[.!?:;,…。！？：；，、]["'”’)*_]*$/.test(name) && name.split(/\s+/).length <= termWords;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/**
 * Where the terms of a list of definitions begin, each above lines that stand further in: pages of manuals,
 * reStructuredText, plain texts.
 * @param from offset of a line
 */
export function termStarts(text: string, from: number, to: number): number[] {
  if (!/\n[ \t]{2,}\S/.test(text)) return [];
  const lines = text.slice(from, to).split('\n');
  const found = new Map<number, number[]>();
  let at = from;
  lines.forEach((line, i) => {
    const indent = indentOf(line);
    const below = lines[i + 1] ?? '';
    if (below.trim() !== '' && indentOf(below) >= indent + 2 && isTerm(line))
      found.set(indent, [...(found.get(indent) ?? []), at]);
    at += line.length + 1;
  });
  return [...found.values()]
    .filter(({ length }) => length >= leastTerms)
    .flat()
    .sort((a, b) => a - b);
}

/** `:Default: 5` of reStructuredText, below another such line. */
const field = /\n[ \t]*:(?=\p{L}[^:\n]{0,40}:[ \t])/gu;

/**
 * A unit that begins with a term, with a colon behind it, unless its definition goes on with a verb.
 * @param before the text before the unit
 */
export function withTerm(unit: string, before: string): string {
  const feed = unit.indexOf('\n');
  const margin = before.slice(before.lastIndexOf('\n') + 1);
  if (feed < 0 || margin.trim() !== '') return unit;
  const [term, rest] = [unit.slice(0, feed), unit.slice(feed + 1)];
  if (!isTerm(term) || indentOf(rest) < margin.length + 2) return unit;
  const said = rest.trimStart();
  const shown = said.startsWith(':') ? said.replace(field, '; :') : said;
  return `${term.trimEnd()}${definesTerm.test(rest) ? '' : ':'} ${shown}`;
}

/**
 * The term whose definition a paragraph in small letters is, where both are paragraphs of their own.
 * @param before the text before the paragraph
 */
export function termAbove(before: string, unit: string): string | undefined {
  if (!/^\p{Ll}/u.test(unit)) return undefined;
  const line = /(?:^|\n[ \t]*\n)([^\n]+)\n[ \t]*\n[ \t]*$/.exec(before)?.[1];
  return line !== undefined && isTerm(line) ? line.trim() : undefined;
}

/** Lines of an entry above a sentence that are looked at. */
const mostLines = 30;

/**
 * The term of a list of definitions in whose entry a place stands, in any of its paragraphs: `--keep-days N` over what it
 * does. The entry is all that stands further in.
 */
export function termOf(text: string, at: number): string | undefined {
  const lines = text.slice(0, at).split('\n');
  const feed = text.indexOf('\n', at);
  const own = text.slice(at - lines.at(-1)!.length, feed < 0 ? undefined : feed);
  if (isTerm(own) && indentOf(text.slice(feed + 1).split('\n', 1)[0]!) >= indentOf(own) + 2) return own.trim();
  const indent = indentOf(own);
  if (indent < 2) return undefined;
  const over = lines.slice(-mostLines - 1, -1).findLast((line) => line.trim() !== '' && indentOf(line) <= indent - 2);
  return over !== undefined && isTerm(over) ? over.trim() : undefined;
}
