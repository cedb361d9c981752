import type { Span, StoredChunk } from '../../../core/types.ts';
import { daysOf } from '../../../text/languages/days.ts';
import { isTotal } from '../../../text/languages/superlatives.ts';
import { isGroupLine } from './group-lines.ts';
import { headerBefore, passageText } from './passage-text.ts';
import { isRule } from './table-header.ts';
import type { Unit } from './units.ts';

/** A cell of a row, in offsets of the chunk's text; it may be empty. */
export interface Cell extends Span {
  readonly text: string;
}

/** A row below a header. */
export interface Row {
  /** The names of the columns. */
  readonly names: readonly string[];
  readonly cells: readonly Cell[];
  /** What its first cells leave empty, since it is as in the row above: `MS Skua` once for the whole crew. */
  readonly asAbove: readonly string[];
  /** The names of its group, which stand in lines of their own: `Carrots`. */
  readonly groups: readonly string[];
  /** Tells tables apart: of one that is cut, all passages have the same. */
  readonly table: string;
  /** Whether the table ends in its chunk: something else or a blank line follows. */
  readonly isEnded: boolean;
}

const rowsOfChunk = new WeakMap<StoredChunk, ReadonlyMap<number, Row>>();
const none: ReadonlyMap<number, Row> = new Map();
/** So many rows leave a column empty before that is read as `as above`. */
const fewestAsAbove = 2;
const mostAsAbove = 2;

/** The rows of a chunk that stand below a header, by where their unit begins. */
export function rowsOf(chunk: StoredChunk): ReadonlyMap<number, Row> {
  if (!/[|\t]/.test(chunk.text)) return none;
  const found = rowsOfChunk.get(chunk) ?? read(chunk);
  rowsOfChunk.set(chunk, found);
  return found;
}

function read(chunk: StoredChunk): ReadonlyMap<number, Row> {
  const { text, format } = chunk;
  const before = headerBefore(chunk);
  const { units } = passageText(text, format, before !== '');
  const headers = new Set(units.map(({ header }) => header?.start));
  const out = new Map<number, Row>();
  let rows: { unit: Unit; cells: readonly Cell[]; groups: readonly string[] }[] = [];
  let groups: string[] = [];
  let table = '';
  let header = '';
  const close = (isEnded: boolean): void => {
    const names = namesIn(header);
    const isCut = !isEnded || rows[0]?.unit.header === undefined;
    const name = isCut ? `${chunk.uri}#${names.join('|')}` : table;
    const filled = asAboveOf(
      names,
      rows.map(({ cells }) => cells),
    );
    rows.forEach(({ unit, cells, groups }, i) => {
      out.set(unit.start, { names, cells, asAbove: filled[i]!, groups, table: name, isEnded });
    });
    rows = [];
    groups = [];
  };
  units.forEach((unit, i) => {
    if (unit.kind === 'sentence') {
      if (isGroup(text, units, i))
        groups = units[i - 1]?.kind === 'row' ? [lineAt(text, unit)] : [...groups, lineAt(text, unit)];
      else if (rows.length > 0) close(true);
      return;
    }
    const own = unit.header ? text.slice(unit.header.start, unit.header.end) : headers.size > 1 ? '' : before;
    if (own === '' || headers.has(unit.start)) return;
    // with its names: two of several indexes may have a document of one uri
    const name = `${chunk.uri}#${unit.header ? `${chunk.span.start + unit.header.start}#` : ''}${own}`;
    if (rows.length > 0 && name !== table) close(true);
    [table, header] = [name, own];
    rows.push({ unit, cells: cellsAt(text, unit, isFramed(own.split('\n')[0]!)), groups });
  });
  const last = rows.at(-1)?.unit.end;
  // a blank line ends a table, but one of pages may go on behind it
  if (last !== undefined) close(chunk.format !== 'pdf' && /^[ \t]*\n[ \t]*\n/.test(text.slice(last)));
  return out;
}

const lineAt = (text: string, { start, end }: Span): string => text.slice(start, end).replace(/[:：]$/, '');

/** A line inside a table that names the rows below it. */
function isGroup(text: string, units: readonly Unit[], at: number): boolean {
  const unit = units[at]!;
  let next = at + 1;
  while (units[next]?.kind === 'sentence' && next < at + 2) next++;
  const row = units[next];
  if (row?.header === undefined || row.header.start >= unit.start) return false;
  const line = text.slice(unit.start, unit.end);
  return /^\p{L}/u.test(line) && isGroupLine(line) && !/\n\s*\n/.test(text.slice(unit.end, row.start));
}

const isFramed = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line);

function cellsAt(text: string, { start, end }: Span, framed: boolean): Cell[] {
  let [from, to] = [start, end];
  if (framed && text[from] === '|') from++;
  if (framed && to > from && text[to - 1] === '|') to--;
  const cells: Cell[] = [];
  for (let at = from; at <= to; at++) {
    if (at < to && text[at] !== '|' && text[at] !== '\t') continue;
    const own = text.slice(from, at);
    const first = from + (own.length - own.trimStart().length);
    const cell = own.trim();
    cells.push({ start: Math.min(first, at), end: Math.min(first, at) + cell.length, text: cell });
    from = at + 1;
  }
  return cells;
}

/** Names over several columns stand in each; of several lines each has a part of a name. */
function namesIn(header: string): string[] {
  const lines = header
    .split('\n')
    .filter((line) => line.trim() !== '' && !isRule(line))
    .map((line) => cellsAt(line.trim(), { start: 0, end: line.trim().length }, isFramed(line)).map(({ text }) => text));
  const [first = [], ...more] = lines;
  if (more.some(({ length }) => length !== first.length)) {
    const last = lines.at(-1)!;
    // below names of groups of columns
    if (lines.every((cells) => cells === last || cells.length < last.length)) return last;
    return lines.find((cells) => cells.length > 1) ?? [];
  }
  return first.map((name, i) => [...new Set([name, ...more.map((cells) => cells[i]!)])].join(' ').trim());
}

/** Of each row what its empty first cells have above them; nothing where too few rows are so, or a row sums others up. */
function asAboveOf(names: readonly string[], rows: readonly (readonly Cell[])[]): readonly (readonly string[])[] {
  let last: readonly string[] = [];
  const filled = rows.map((cells) => {
    const empty = cells.findIndex(({ text }) => text !== '');
    const own = cells[empty]?.text ?? '';
    if (empty < 0 || isTotal(own)) {
      last = [];
      return [];
    }
    const above = last.slice(0, empty);
    const isFilled =
      above.length === empty && empty <= mostAsAbove && names.slice(0, empty).every((name) => name !== '');
    last = [...above, ...cells.slice(empty, mostAsAbove).map(({ text }) => text)];
    return isFilled && /\p{L}/u.test(own) ? above : [];
  });
  return filled.filter(({ length }) => length > 0).length < fewestAsAbove ? rows.map(() => []) : filled;
}

/** The cell that says of which days a row is; -1 without one. */
export function dayCellOf({ cells }: Row): number {
  return cells.slice(0, mostAsAbove).findIndex(({ text }) => daysOf(text).size > 0);
}

/** The days that a row is of, by the first of its cells that is a day or more; none for others. */
export function daysOfRow({ cells, asAbove }: Row): ReadonlySet<number> {
  for (const label of [...asAbove, ...cells.slice(0, mostAsAbove).map(({ text }) => text)]) {
    const days = daysOf(label);
    if (days.size > 0) return days;
  }
  return new Set();
}
