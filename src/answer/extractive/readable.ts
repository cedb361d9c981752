import type { Span, StoredChunk } from '../../core/types.ts';
import { itemMark } from '../../text/item-mark.ts';
import { capitalNames } from '../../text/languages/calendar.ts';
import { asksAtEnd } from '../../text/languages/question-marks.ts';
import { sentenceSpans } from '../../text/sentences/sentences.ts';
import { inert } from '../inert.ts';
import { itemName } from '../sentences/manuals/entry.ts';
import { declaredAbove } from '../sentences/manuals/signature.ts';
import { leansBack } from '../sentences/ranking/closer.ts';
import { chats } from '../sentences/structure/chat-headings.ts';
import { termAbove, termOf, withTerm } from '../sentences/structure/definitions.ts';
import { paragraphTerm, termOfValue } from '../sentences/structure/headings.ts';
import { goesOnIn } from '../sentences/structure/list-below.ts';
import { withoutNoteMark } from '../sentences/structure/note-marks.ts';
import { optionTermsAbove } from '../sentences/structure/option-terms.ts';
import { memberOver } from '../sentences/structure/reference-entries.ts';
import { isRule, texCells } from '../sentences/structure/table-header.ts';
import { noteBefore, versionHeading } from '../sentences/structure/version-note.ts';
import { plainText } from './plain-text.ts';

const leadChars = 200;
const nameChars = 60;
const item = new RegExp(String.raw`^[ \t]*${itemMark}[ \t]+`);
/** `(a) keep it dry;`, `iv) paint it.`: an item of a clause, or a clause of its own, which hangs on nothing. */
const lettered = /^[ \t]*(?:\((?:\p{L}{1,2}|[ivxIVX]{1,5}|\d{1,3})\)|(?:\p{Ll}|[ivx]{1,5})\))[ \t]+/u;

/**
 * What stands before an excerpt in an answer: the line that a list hangs on, the term of a definition, the heading that
 * asks what a few words are, or the term of the entry, the heading or title of a text that begins with "it" or "this"; else nothing. It is no
 * part of the citation.
 */
export function leadOf(
  { text, title, format }: Pick<StoredChunk, 'text' | 'title' | 'format'>,
  { start, end }: Span,
  headings: readonly string[],
): string {
  if (format === 'code') return '';
  if (format === 'yaml') return inert(keysBefore(headings));
  if (chats.has(format)) return questionOver(text.slice(start, end), headings);
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const own = text.slice(line, end);
  const entry = saysDefault.test(text.slice(start, end)) ? itemName(text, start) : undefined;
  if (entry !== undefined && !text.slice(start, end).includes(entry)) return inert(`${plainText(entry, { format })}: `);
  if (item.test(own) || lettered.test(own)) {
    const lead = listLead(text.slice(0, line), own);
    if (lead !== undefined) return `${plainText(lead, { format })} `;
    const version = item.test(own) ? versionHeading(headings) : undefined;
    if (version !== undefined) return inert(`${plainText(version, { format })}: `);
    const mark = item.exec(own)?.[0].length ?? 0;
    if (mark > 0 && start <= line + mark) return askingHeading(text.slice(start, end), headings);
  }
  const note = noteBefore(text.slice(0, start));
  if (note !== undefined) return inert(`${note}: `);
  const asking = askingHeading(text.slice(start, end), headings);
  if (asking !== '') return asking;
  const before = text.slice(0, start);
  const unit = text.slice(start, end);
  const term = termAbove(before, unit) ?? termOfValue(before, unit);
  if (term !== undefined) return inert(`${plainText(term, { format })}: `);
  const option = optionTermsAbove(before);
  const declared = declaredAbove(before, unit);
  const over = headings.at(-1)?.startsWith(declared ?? '\n') ? declared : termOver(before, unit, headings);
  const leans = leansBack(unit) || hasNoSubject.test(unit) || option !== undefined || over !== undefined;
  const member = withMembers.has(format) ? memberOver(text, { start, end }) : undefined;
  if (!leans || withTerm(unit, before) !== unit)
    return member === undefined ? '' : inert(`${plainText(member, { format })}: `);
  const entryTerm = option === undefined && withEntries.has(format) ? termOf(text, start) : undefined;
  if (entryTerm !== undefined && entryTerm.length <= nameChars && !headings.includes(entryTerm))
    return inert(`${plainText(entryTerm, { format })}: `);
  const name = [
    option,
    paragraphTerm(before),
    over ?? declared ?? member,
    headings.at(-1)?.replace(sectionNumber, ''),
    title,
  ].find((one) => one !== undefined && isName(one));
  return name === undefined || (name === over && unit.includes(name)) ? '' : inert(`${plainText(name, { format })}: `);
}

/** What references of programs come as. */
const withMembers: ReadonlySet<string> = new Set(['html', 'text']);

/** What has lists of definitions that are set in, under their terms. */
const withEntries: ReadonlySet<string> = new Set(['rst', 'text', 'man', 'markdown']);

/** `jobs.build: ` over what stands below these keys. */
function keysBefore(headings: readonly string[]): string {
  const keys = headings.filter((one) => !/\s/.test(one));
  return keys.length === 0 ? '' : `${keys.join('.')}: `;
}

const sectionNumber = /^\p{Nd}+(?:\.\p{Nd}+)*\.?\s+(?=\p{L})/u;
/** `The default is 5.`, `Sets the amount of memory that …`: said of what the heading names. */
const hasNoSubject =
  /^(?:(?:The )?[Dd]efaults?(?: values?| settings?)? (?:is|are|to)\b|(?!(?:Is|As|Its|Was|Has|Does|This|Thus|Always)\b)[A-Z][a-z]+s (?:the|an?|whether|how|if|all|any|which)\b)/;

/** `exception kran.Overload`, `class kran.Hook(size)`: said before the sentence that begins below it, which has no name. */
const kindOfTerm =
  /^((?:exception|class|function|method|macro|classmethod|staticmethod) [\p{L}_][\p{L}\p{N}_.]*)(?:\(.*\))?$/u;

function termOver(before: string, unit: string, headings: readonly string[]): string | undefined {
  const heading = headings.at(-1) ?? '';
  const term = kindOfTerm.exec(heading)?.[1];
  if (term === undefined || !before.trimEnd().endsWith(heading)) return undefined;
  return unit.includes(/[^ .]*$/.exec(term)![0]) ? undefined : term;
}

/** `Default: 5`, which does not say of what. */
const saysDefault = /^\W*(?:the )?default/iu;

/** The heading that asks what a few words below it are, as `Wear` below `What is not covered?`; '' for a sentence. */
function askingHeading(unit: string, headings: readonly string[]): string {
  const heading = headings.at(-1)?.trim() ?? '';
  const isSaid = !asksAtEnd.test(heading) || /[.!?:;。！？؟][\s"'”’)*_]*$/.test(unit) || unit.includes(heading);
  return isSaid || heading.length > leadChars ? '' : inert(`${plainText(heading)} `);
}

/** In a chat: the question that a few words reply to, or a sentence with "it". Of a day there is nothing to say. */
function questionOver(unit: string, headings: readonly string[]): string {
  const heading = headings.at(-1) ?? '';
  if (!asksAtEnd.test(heading) || unit.includes(heading) || heading.length > leadChars) return '';
  return leansBack(unit) || leansBack(unit.replace(/^[^\n:]{1,60}: /, '')) || hasNoSubject.test(unit)
    ? inert(`${plainText(heading)} `)
    : askingHeading(unit, headings);
}

const indentOf = (line: string): number => /^[ \t]*/.exec(line)![0].length;

/**
 * The sentence with a colon that the items before the end of a text hang on, or one that goes on in the item.
 * @param own the item: a line that goes on with an item stands further in
 */
function listLead(before: string, own: string): string | undefined {
  const indent = indentOf(own);
  const lines = before.trimEnd().split('\n');
  for (let i = lines.length - 1; i >= 0; i--) {
    const line = lines[i]!;
    const ends = /[:：]["'”’*_]*\s*$/.test(line);
    const isClause = ends && item.test(line) && lettered.test(own); // `10. It ends if:` leads to `(a)`
    if (line.trim() === '' || ((item.test(line) || lettered.test(line)) && !isClause)) continue;
    if (indentOf(line) >= 2 && !(ends && indentOf(line) <= indent)) continue;
    if (!ends && (begins(line) || !goesOnIn(line, own))) return undefined;
    const sentence = (isClause ? line.replace(item, '') : paragraphTo(lines, i))
      .split(/(?<=[.!?])\s+(?=\p{Lu})/u)
      .at(-1)!
      .trim();
    return sentence.length <= leadChars ? sentence : undefined;
  }
  return undefined;
}

/** The lines of a paragraph up to one of them, that the lead of a list may begin in an earlier one. */
function paragraphTo(lines: readonly string[], at: number): string {
  let from = at;
  while (from > 0 && !begins(lines[from]!) && lines[from - 1]!.trim() !== '') from--;
  return lines
    .slice(from, at + 1)
    .map((line) => line.trim())
    .join(' ');
}

const begins = (line: string): boolean =>
  item.test(line) || lettered.test(line) || /^\s*(?:[#>|]|§|\d{1,3}(?:\.\d{1,3})*\.?\s)/.test(line);

/** Neither shouted nor too long to stand before a sentence. */
function isName(text: string): boolean {
  return text.trim() !== '' && text.length <= nameChars && !/\p{Lu}{2,}[^\p{Ll}]*\p{Lu}{2,}/u.test(text);
}

/**
 * A row of a table as it is said: each cell behind the name of its column, the first cell alone. Without a header of as
 * many cells, or one fewer, the cells alone.
 * @param header of one line or several, with or without the rule below
 * @param format the document's: cells of Markdown have its marks
 * @param asAbove what its first cells leave empty, since the row above has it
 * @param around text that may have notes, whose marks behind the first cell are left out
 */
export function sayRow(
  row: string,
  header: string,
  format?: string,
  asAbove: readonly string[] = [],
  around: string = '',
): string {
  const cells = cellsOf(row, format).map((cell, i) => asAbove[i] ?? (i === 0 ? withoutNoteMark(cell, around) : cell));
  const names = namesOf(header, format, cells.length);
  while (cells.length > 1 && cells.length < names.length && leavesOut.has(format ?? '')) cells.push('');
  const shift = cells.length - names.length;
  if (names.length === 0 || shift < 0 || shift > 1 || cells.length < 2)
    return cells.filter((cell) => cell !== '').join(' · ');
  const [first = '', ...rest] = cells.map((cell, i) => {
    const name = names[i - shift] ?? '';
    return i === 0 || cell === '' || name === '' ? cell : `${name}: ${cell}`;
  });
  const said = rest.filter((cell) => cell !== '').join(', ');
  return inert(first === '' ? said : `${first}${/[:：]$/.test(first) ? '' : ' –'} ${said}`);
}

/** Where each cell is known, and empty ones at the end of a row are not written. */
const leavesOut: ReadonlySet<string> = new Set(['csv', 'docx', 'epub', 'html', 'ods', 'odt', 'sqlite', 'xls', 'xlsx']);

/** Lines that put together are longer are rows, and no name of one column. */
const columnNameChars = 60;

/**
 * The names of columns: what several lines have of a column is one name. A title above them all is none, nor are names
 * of groups of columns, above a line with one for each cell.
 */
function namesOf(header: string, format: string | undefined, count: number): string[] {
  const lines = header.split('\n').filter((line) => line.trim() !== '' && !isRule(line));
  const rows = lines.map((line) => cellsOf(line, format));
  while (rows.length > 1 && rows[0]!.length === 1) rows.shift();
  const [first = [''], ...more] = rows;
  const others = leavesOut.has(format ?? '') && more.every(({ length }) => length < first.length) ? [] : more;
  if (others.some(({ length }) => length !== first.length)) {
    const last = rows.at(-1)!;
    return last.length === count && rows.every((one) => one === last || one.length < count) ? last : [];
  }
  const names = first.map((name, i) =>
    [name, ...others.map((cells) => cells[i]!)].filter((part) => !/^[-–—]?$/u.test(part)).join(' '),
  );
  return others.length > 0 && names.some((name) => name.length > columnNameChars) ? [] : names;
}

/** What would be the mark of an item or a heading where a line begins is what a cell says: `5. April`, `> 5 kg`. */
const noMark = /^\s*(?:[>#+-]|\d{1,3}[.)])[ \t]+/;

const border = /(?<!\\)\|(?![^{}]*\})/;
/** Where some borders have blanks, `on|off` is in one cell. */
const blankBorder = /(?<=\s|^)\|(?=\s|$)(?![^{}]*\})/;

/** Cells parted by `|`, tabs or runs of blanks; `{ on | off }` is in one cell. */
function cellsOf(row: string, format: string | undefined): string[] {
  const line = row.trim();
  const isFramed = /^\|.*\|$/s.test(line);
  const cells =
    format === 'tex'
      ? texCells(line)
      : line.includes('|')
        ? (isFramed ? line.slice(1, -1) : line).split(!isFramed && / \| /.test(line) ? blankBorder : border)
        : line.split(/\t+| {2,}/);
  return cells.map((cell) => {
    const [said = ''] = noMark.exec(cell) ?? [];
    return (said + plainText(cell.slice(said.length), { format: format === 'code' ? undefined : format })).trim();
  });
}

/** A sentence of fewer shouted words may be a name. */
const shoutedWords = 4;
const markup = /[_=<>{}$|\\]/;
const romanNumeral = /^(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})$/;

/**
 * Whole sentences in capitals, as contracts have them, in small letters. A word that can only be an abbreviation, a
 * number or a code stays; one that the text around writes in small letters, or with a capital inside a sentence, is
 * written so.
 */
export function unshouted(text: string, around: string): string {
  if (!/\p{Lu}{2}/u.test(text)) return text;
  let forms: ReadonlyMap<string, string> | undefined;
  const out: string[] = [];
  let from = 0;
  for (const { start, end } of sentenceSpans(text)) {
    out.push(text.slice(from, start));
    from = end;
    const sentence = text.slice(start, end);
    if (!isShouted(sentence)) {
      out.push(sentence);
      continue;
    }
    forms ??= formsIn(around);
    const quiet = sentence.replace(/[\p{L}\p{N}][\p{L}\p{M}\p{N}.&-]*(?<!\.)/gu, (word) => {
      if (/[\p{N}.&]/u.test(word) || romanNumeral.test(word) || isAbbreviation(word)) return word;
      const small = word.toLowerCase();
      return forms!.get(small) ?? (capitalNames.has(small) ? `${word[0]}${small.slice(1)}` : small);
    });
    out.push(quiet.replace(/\p{L}/u, (letter) => letter.toUpperCase()));
  }
  return out.join('') + text.slice(from);
}

function isShouted(sentence: string): boolean {
  if (/\p{Ll}/u.test(sentence) || markup.test(sentence) || !/[.!?]["'”’»)]*\s*$/.test(sentence)) return false;
  return (sentence.match(/\p{Lu}{2,}/gu) ?? []).length >= shoutedWords;
}

/** Latin letters without a vowel. */
function isAbbreviation(word: string): boolean {
  return word.length > 1 && /^\p{Script=Latin}+$/u.test(word) && !/[aeiouy]/i.test(word.normalize('NFD'));
}

/** Words as a text writes them inside its sentences, by their small letters; small letters before capitals. */
function formsIn(text: string): Map<string, string> {
  const forms = new Map<string, string>();
  for (const [word] of text.matchAll(/(?<=\p{Ll}[,;]? )\p{Lu}\p{Ll}[\p{L}\p{M}]*/gu))
    forms.set(word.toLowerCase(), word);
  for (const [word] of text.matchAll(/(?<![\p{L}\p{M}])\p{Ll}[\p{L}\p{M}]*/gu)) forms.set(word, word);
  return forms;
}
