import type { Span } from '../../../core/types.ts';
import { entryPartAt } from '../../../text/languages/member-questions.ts';
import { attribution } from '../../../text/languages/page-notices.ts';
import { endOfLine } from '../../../text/lines.ts';
import { sentenceSpans } from '../../../text/sentences/sentences.ts';
import { fenceAfter, isProgram } from './code.ts';
import { termStarts } from './definitions.ts';
import { entryHead } from './dictionary.ts';
import { declarationTable, entryParts, isListOfParameters } from './entry-parts.ts';
import { goesOnBelow, isGroupLine, mostGroupLines } from './group-lines.ts';
import { listedLines } from './listed-lines.ts';
import { entriesOfListings } from './listing.ts';
import { noteFields } from './note-fields.ts';
import { cutObjects } from './record-lines.ts';
import { cutStatements } from './statements.ts';
import { hasFigures, headerOf, isRule, texCells } from './table-header.ts';

/** The smallest part of a text that is cited: a sentence, or a row of a table. Offsets are those of the chunk text. */
export interface Unit extends Span {
  readonly kind: 'sentence' | 'row';
  /** Rows: the table's header in the same text, when it is another line. */
  readonly header?: Span;
}

/**
 * Cuts a chunk's text into citable units, in order, without overlap. Lines that look like rows (two or more of them in
 * a row, or one of a sheet; cells parted by `|`, tabs or runs of blanks) are units, and so are entries of listings, and
 * lines between rows that name those below them; everything else is cut into sentences, none of which goes on over the
 * next term of a list of definitions.
 * @param format the document's: in a program a sentence of a comment goes on behind the next line's mark, and `a | b` is
 *   no row, as in a fence of Markdown
 * @param beginsInTable the text begins between the rows of a table, whose header stands elsewhere
 */
export function unitsOf(text: string, format?: string, beginsInTable: boolean = false): Unit[] {
  const units: Unit[] = [];
  const isCode = isProgram(format);
  const add = isCode ? addSentences : format === 'org' ? addOrg : format === 'markdown' ? addNotes : addProse;
  let proseFrom = 0;
  for (const table of tablesOf(text, beginsInTable, isCode, format)) {
    add(text, proseFrom, table.start, units);
    for (const unit of table.rows) units.push(unit);
    proseFrom = table.end;
  }
  add(text, proseFrom, text.length, units);
  if (isCode) return joinComments(text, cutStatements(text, units, format === 'yaml'));
  return format === 'json' ? cutObjects(text, units) : units;
}

/**
 * A line of a comment in a program: its mark, and the first character of what it says. A tag, an item or an empty line
 * starts anew.
 */
const commentLine = /^[ \t]*(\*|\/\/+!?|#+|--|;+)[ \t]+(?=[\p{L}\p{N}`"'({])/u;
const maxCommentChars = 600;

/**
 * Sentences of comments run over several lines, each behind its mark: lines are put together until one ends a sentence.
 */
function joinComments(text: string, units: readonly Unit[]): Unit[] {
  const out: Unit[] = [];
  for (const unit of units) {
    const last = out.at(-1);
    if (last && continues(text, last, unit)) out[out.length - 1] = { ...last, end: unit.end };
    else out.push(unit);
  }
  return out;
}

function continues(text: string, last: Unit, next: Unit): boolean {
  if (last.kind !== 'sentence' || next.kind !== 'sentence' || next.end - last.start > maxCommentChars) return false;
  if (/[.!?:;{}>。]["'”’)*`]*$/.test(text.slice(last.start, last.end))) return false;
  const feed = text.indexOf('\n', last.end);
  if (feed < 0 || text.slice(last.end, feed).trim() !== '') return false;
  const line = (start: number): string | undefined => commentLine.exec(text.slice(start, next.end))?.[1];
  const mark = line(feed + 1);
  // the unit begins at the mark or at the first word behind it
  if (mark === undefined || /[\p{L}\p{N}]|\n/u.test(text.slice(feed + 1, next.start))) return false;
  return line(text.lastIndexOf('\n', last.end - 1) + 1) === mark;
}

/** What Org keeps beside a text, and is no part of its sentences: a drawer (`:PROPERTIES:` to `:END:`), when it is due. */
const orgAside =
  /^[ \t]*(?::[\w-]+:[ \t]*\n(?:[ \t]*:[^\n]*\n)*?[ \t]*:END:|(?:DEADLINE|SCHEDULED|CLOSED):[^\n]*)[ \t]*$/gm;

function addOrg(text: string, from: number, to: number, units: Unit[]): void {
  let at = from;
  for (const { 0: aside, index } of text.slice(from, to).matchAll(orgAside)) {
    const [start, end] = [from + index, from + index + aside.length];
    for (const [a, b] of [
      [at, start],
      [start, end],
    ] as const)
      addProse(text, a, b, units);
    at = end;
  }
  addProse(text, at, to, units);
}

function addNotes(text: string, from: number, to: number, units: Unit[]): void {
  let at = from;
  for (const { start, end } of /:[ \t\n]/.test(text) ? noteFields(text) : []) {
    if (start < at || end > to) continue;
    addProse(text, at, start, units);
    if (text.slice(start, end) !== '---') units.push({ kind: 'sentence', start, end });
    at = end;
  }
  addProse(text, at, to, units);
}

function addProse(text: string, from: number, to: number, units: Unit[]): void {
  let at = from;
  const terms = termStarts(text, from, to);
  for (const start of [...terms, to]) {
    const first = units.length;
    addEntries(text, at, start, units);
    if (at !== from || terms[0] === from) joinTerm(text, start, first, units);
    at = start;
  }
}

/** A term and the first sentence about it, which begins in the next line, unless several paragraphs follow in capitals. */
function joinTerm(text: string, to: number, at: number, units: Unit[]): void {
  const [term, said] = [units[at], units[at + 1]];
  if (term?.kind !== 'sentence' || said?.kind !== 'sentence') return;
  const line = text.slice(term.start, term.end);
  if (!/^[ \t]*\n[ \t]+$/.test(text.slice(term.end, said.start)) || line.includes('\n')) return;
  if (entryPartAt(line) !== undefined) return; // what is returned by the member above
  const isSection =
    !/\p{Ll}/u.test(text.slice(term.start, term.end)) && /\n[ \t]*\n/.test(text.slice(said.start, to).trimEnd());
  if (!isSection) units.splice(at, 2, { ...said, start: term.start });
}

function addEntries(text: string, from: number, to: number, units: Unit[]): void {
  let at = from;
  for (const { start, end } of /\S {2,}\S/.test(text) ? entriesOfListings(text, from, to) : []) {
    addSentences(text, at, start, units);
    units.push({ kind: 'sentence', start, end });
    at = end;
  }
  addSentences(text, at, to, units);
}

function addSentences(text: string, from: number, to: number, units: Unit[]): void {
  if (to <= from) return;
  const part = from === 0 && to === text.length ? text : text.slice(from, to);
  const first = units.length;
  for (const { start, end } of sentenceSpans(part).flatMap((span) => entriesOf(part, span))) {
    const said = part.slice(start, end).replace(endOfBlock, '').trimEnd();
    const unit: Unit = { kind: 'sentence', start: from + start, end: from + start + said.length };
    if (fenceLine.test(said)) continue;
    const last = units.length > first ? units.at(-1) : undefined;
    const label = last && labelBefore(text, last, unit);
    if (label) units[units.length - 1] = { ...last, end: trim(text, { start: last.start, end: label.start }).end };
    if (last && opensEntry(text, last)) units[units.length - 1] = { ...unit, start: last.start };
    else units.push(label ? { ...unit, start: label.start } : unit);
  }
}

/** Whether a line is the head of an entry of a dictionary: a word with the class that it is of. */
function opensEntry(text: string, { start, end }: Span): boolean {
  return entryHead.test(text.slice(start, end)) && !/[\p{L}\p{N}]/u.test(lineBefore(text, start));
}

const lineBefore = (text: string, at: number): string => text.slice(text.lastIndexOf('\n', at - 1) + 1, at);

/** Lines that each have a label with a blank before its colon, as French writes it: `Date : 3 mai`. */
const spacedLabel = String.raw`[ \t]*(?:[-*•][ \t]+)?\p{L}[^:\n]{0,48}[ \u00a0\u202f]:[ \u00a0\u202f]+\S[^\n]*`;
const spacedLabels = new RegExp(`^${spacedLabel}(?:\\n${spacedLabel})+$`, 'u');

/** `> On 3 May Ann Pell wrote:` and what she wrote, in the lines below. */
function entriesOf(text: string, span: Span): Span[] {
  const wrote = attribution.exec(text.slice(span.start, span.end));
  const behind = span.start + (wrote?.[0].length ?? 0);
  const below = wrote === null ? null : /^[ \t]*\n[\s>]*/u.exec(text.slice(behind, span.end));
  if (below === null) return linesOf(text, span);
  const rest = linesOf(text, { start: behind + below[0].length, end: span.end });
  return [{ start: span.start, end: behind }, ...rest];
}

function linesOf(text: string, span: Span): Span[] {
  const own = text.slice(span.start, span.end);
  const parts = entryParts(own);
  if (parts.length > 1) return parts.map(({ start, end }) => ({ start: span.start + start, end: span.start + end }));
  if (!/[ \u00a0\u202f]:[ \u00a0\u202f]/.test(own) || !spacedLabels.test(own)) {
    return listedLines(own).map(({ start, end }) => ({ start: span.start + start, end: span.start + end }));
  }
  return Array.from(own.matchAll(/\S[^\n]*/g), ({ 0: line, index }) => ({
    start: span.start + index,
    end: span.start + index + line.trimEnd().length,
  }));
}

/** Says nothing by itself. */
const fenceLine = /^[ \t>]*(?:(?:```+|~~~+)[\w+.#-]*|:::+[ \t]*[\w-]*)$/;
/** `:::` below the last sentence of a block of Markdown. */
const endOfBlock = /(?:\n[ \t>]*:::+[ \t]*)+$/;
const label = /(?<=\n[ \t]*)[\p{L}_][^:\n]{0,80}:$/u;

/** The label whose value begins the next unit: records too long for a sentence are cut at a colon. */
function labelBefore(text: string, last: Span, next: Span): Span | undefined {
  if (text[last.end - 1] !== ':' || text.slice(last.end, next.start).includes('\n')) return undefined;
  const found = label.exec(text.slice(last.start, last.end));
  return found ? { start: last.start + found.index, end: last.end } : undefined;
}

interface Table extends Span {
  readonly rows: readonly Unit[];
}

/** `Gull & 40 \\\\`, and no `\\&` */
const texCell = /(?<!\\)&.*\\\\/;
/** A line of cells is a row there, also alone. */
const sheets: ReadonlySet<string> = new Set(['csv', 'ods', 'sqlite', 'xls', 'xlsx']);

function tablesOf(text: string, beginsInTable: boolean, isProgram: boolean, format = ''): Table[] {
  const isTex = format === 'tex';
  const fewest = sheets.has(format) ? 1 : 2;
  if (!/[|\t]|\S {2,}\S/.test(text) && !isTex) return [];
  const tables: Table[] = [];
  let lines: Span[] = [];
  /** Lines that may name rows of the table: those that have some below them, and those that wait for one. */
  let groups: Span[] = [];
  let waiting: Span[] = [];
  const close = (): void => {
    const first = lines[0];
    const before = text.slice(0, first?.start).trim();
    const isBelow = isGroupLine(before) && first && hasFigures(text.slice(first.start, first.end));
    const goesOn = (beginsInTable && (before === '' || isBelow === true)) || isListOfParameters(before);
    const table =
      declarationTable(text, lines) ?? (lines.length < fewest ? undefined : tableFrom(text, lines, groups, goesOn));
    if (table) tables.push(table);
    [lines, groups, waiting] = [[], [], []];
  };
  let above: Span | undefined;
  let isRuled = false;
  let isBordered = false;
  let fence: string | undefined;
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    if (isPipedRule(line)) {
      // a Markdown table may leave out the blanks: `a|b` over `-|-`
      if (lines.length === 0 && above && text.slice(above.start, above.end).includes('|')) lines.push(above);
      isRuled = lines.length > 0;
    } else isRuled &&= line.includes('|');
    const isCode = isProgram || fence !== undefined;
    fence = fenceAfter(line, fence);
    // columns of words alone are known by the border above them
    isBordered = isBorder(line) || (isBordered && line.trim() !== '');
    const isTexRow = isTex && (texCell.test(line) || (lines.length > 0 && (isRule(line) || /(?<!\\)&/.test(line))));
    const isRow =
      isRuled ||
      isTexRow ||
      isBorder(line) ||
      (isBordered && /\S {2,}\S/.test(line)) ||
      (countCells(line, isCode) >= 2 && !isJustified(text, { start, end }, above));
    if (isRow) {
      if (waiting.length > 0 && !goesOnBelow(text, lines, line, hasFigures)) close();
      groups.push(...waiting);
      waiting = [];
      lines.push({ start, end });
    } else if (lines.length > 0 && !isCode && waiting.length < mostGroupLines && isGroupLine(line))
      waiting.push({ start, end });
    else close();
    above = { start, end };
    start = end + 1;
  }
  close();
  return tables;
}

/** `+-----+-----+` or `=====  =====` */
function isBorder(line: string): boolean {
  return /^\s*\+[-=]|={3} +={3}/.test(line) && isRule(line);
}

/** `---|:-:` */
function isPipedRule(line: string): boolean {
  return line.includes('|') && isRule(line);
}

/** `| speed | 4 |` */
const drawnRow = /^\|(?!\|).*[^|]\|$/;

const codeSpan = /`[^`]*`/g;

/** How many cells a line has; 1 or 0 for ordinary text. */
function countCells(line: string, isCode: boolean): number {
  // `number | null` in an item is a type; a drawn row is cut there too
  const trimmed = line.trim().startsWith('|') ? line.trim() : line.replace(codeSpan, '`').trim();
  if (trimmed === '') return 0;
  if (isCode && /\t| \| /.test(trimmed) && !drawnRow.test(trimmed)) return 1;
  if (trimmed.includes('\t')) return trimmed.split(/\t+/).length;
  if (/^\|.*\|$/.test(trimmed)) return Math.max(2, trimmed.split('|').length - 2);
  if (/ \| /.test(trimmed)) return isSynopsis(trimmed) ? 1 : trimmed.split(' | ').length;
  // Columns kept apart by blanks only: figures, and nothing that looks like code.
  if (trimmed.length > 400 || !/\d/.test(trimmed) || /[{};=]|\/\//.test(trimmed) || (isCode && /,$/.test(trimmed)))
    return 1;
  return trimmed.split(cellGap).length;
}

/** `crane lift [-s | --slow] <load>`: a choice stands in brackets, which no border of a table parts. */
function isSynopsis(line: string): boolean {
  const part = line.slice(0, line.indexOf(' | '));
  return /[[{]/.test(part) && part.split(/[[{]/).length > part.split(/[\]}]/).length;
}

/** Two blanks behind the end of a sentence are how typewriters part it from the next. */
const cellGap = /(?<![.!?]["'”’)\]]?(?= {2}\S)) {2,}/;

/** From which length on a line of prose fills the measure, and gets blanks between its words to do so. */
const measureChars = 50;

/** Whether a line has its blanks from setting it to a measure: they stand above none of the lines beside it. */
function isJustified(text: string, { start, end }: Span, above: Span | undefined): boolean {
  const line = text.slice(start, end);
  if (line.trim().length < measureChars || /[|\t]/.test(line)) return false;
  const gaps = gapsOf(line);
  const beside = [above ? text.slice(above.start, above.end) : '', text.slice(end + 1, endOfLine(text, end + 1))];
  return !beside.some((other) => {
    const theirs = gapsOf(other);
    const shared = gaps.filter((gap) => theirs.some((their) => gap.start === their.start || gap.end === their.end));
    return shared.length > 0 && 2 * shared.length >= Math.min(gaps.length, theirs.length);
  });
}

/** Runs of blanks inside a line. */
function gapsOf(line: string): Span[] {
  return [...line.matchAll(/(?<=\S) {2,}(?=\S)/g)].map(({ 0: blanks, index }) => ({
    start: index,
    end: index + blanks.length,
  }));
}

/**
 * @param groups lines between these that name rows
 * @param goesOn the table began before the text
 */
function tableFrom(text: string, lines: readonly Span[], groups: readonly Span[], goesOn: boolean): Table | undefined {
  const contents = lines.map((line) => trim(text, line));
  const strings = contents.map(({ start, end }) => {
    const row = text.slice(start, end);
    return texCell.test(row) && !row.includes('|') ? texCells(row).join('|') : row;
  });
  const header = goesOn || lines.length < 2 ? undefined : headerOf(contents, strings);
  const rows: Unit[] = [];
  contents.forEach((content, i) => {
    if (isRule(strings[i]!)) return;
    const under = header && content.start >= header.end ? { header } : {};
    for (const piece of cutLongRow(text, content)) rows.push({ kind: 'row', ...piece, ...under });
  });
  if (rows.length === 0) return undefined;
  for (const group of groups) rows.push({ kind: 'sentence', ...trim(text, group) });
  rows.sort((a, b) => a.start - b.start);
  return { start: lines[0]!.start, end: lines.at(-1)!.end, rows };
}

const maxRowChars = 600;

/** A row too long to be shown is cut between cells, or where it must be. */
function cutLongRow(text: string, { start, end }: Span): Span[] {
  const out: Span[] = [];
  while (end - start > maxRowChars) {
    const part = text.slice(start, start + maxRowChars);
    const cell = Math.max(part.lastIndexOf('|'), part.lastIndexOf('\t'));
    const blank = part.lastIndexOf(' ');
    let at = start + (cell > 0 ? cell : blank > 0 ? blank : maxRowChars);
    if (/[\uDC00-\uDFFF]/.test(text[at]!)) at--; // not between the halves of one character
    const piece = trim(text, { start, end: at });
    if (piece.end > piece.start) out.push(piece);
    start = at;
  }
  const rest = trim(text, { start, end });
  if (rest.end > rest.start) out.push(rest);
  return out;
}

function trim(text: string, { start, end }: Span): Span {
  while (start < end && /\s/.test(text[start]!)) start++;
  while (end > start && /\s/.test(text[end - 1]!)) end--;
  return { start, end };
}
