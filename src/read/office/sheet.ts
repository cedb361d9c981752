/** The rows of a sheet of any spreadsheet: how they are collected, and how they are written. */
import { IbidError } from '../../core/errors.ts';
import type { Span } from '../../core/types.ts';
import type { DocumentBuilder } from '../builder.ts';
import { rowText } from './ooxml.ts';
import { sidesOf } from './sheet-sides.ts';
import { isTitle, titleRows, type WideRow } from './sheet-titles.ts';
import { headWideCells, type Wide } from './wide-cells.ts';

export interface SheetRow extends WideRow {
  /** Row number in the spreadsheet, from 1. */
  readonly number: number;
}

/**
 * Writes the rows of a sheet. An empty row ends a table, because one sheet often holds several tables, also beside each
 * other. A title that is merged over the columns of a table is a heading.
 */
export function writeSheet(builder: DocumentBuilder, sheet: string, rows: readonly SheetRow[], heading: boolean): void {
  const first = rows[0];
  if (!first) return;
  if (heading) {
    const span = builder.block({ kind: 'heading', level: 1 }, sheet, { sheet });
    if (!span) return;
  }
  const groups: SheetRow[][] = [];
  for (const row of rows) {
    const last = groups.at(-1)?.at(-1);
    if (last && row.number === last.number + 1) groups.at(-1)!.push(row);
    else groups.push([row]);
  }
  const tables = groups.flatMap((group) => sidesOf(group));
  for (const [i, group] of tables.entries()) {
    const titles = titleRows(group);
    const isHeading = titles < group.length || i < tables.length - 1;
    writeTitles(builder, sheet, group.slice(0, titles), isHeading ? (heading ? 2 : 1) : undefined);
    writeRows(builder, sheet, group.slice(titles));
  }
}

/** @param level of a heading; absent where nothing follows */
function writeTitles(builder: DocumentBuilder, sheet: string, rows: readonly SheetRow[], level?: number): void {
  const lines = rows.map(({ number, cells }) => ({ number, cells: cells.filter((cell) => cell.trim() !== '') }));
  const title = lines[0]?.cells[0] ?? '';
  if (level !== undefined && title !== '' && isTitle(title.trim())) {
    builder.block({ kind: 'heading', level }, title.replace(/\s+/gu, ' '), {
      sheet,
      rows: [rows[0]!.number, rows[0]!.number],
    });
    lines[0]!.cells.shift();
  }
  const written = lines
    .filter(({ cells }) => cells.length > 0)
    .map(({ number, cells }) => ({ number, text: rowText(cells) }));
  const start = writeLines(builder, sheet, written)[0]?.start;
  if (start !== undefined) builder.mark({ start, end: builder.length }, { kind: 'paragraph' });
}

function writeRows(builder: DocumentBuilder, sheet: string, rows: readonly SheetRow[]): void {
  const columns = usedColumns(rows);
  const table = rows.map((row) => columns.map((column) => row.cells[column] ?? ''));
  const headerRows = headWideCells(
    table,
    rows.map(({ wide }) => wide && amongUsed(wide, columns)),
  );
  const lines = rows.map(({ number }, i) => ({ number, text: rowText(table[i]!) }));
  const spans = writeLines(builder, sheet, lines);
  const start = spans[0]?.start;
  if (start === undefined) return;
  const header = headerRows === 0 ? {} : { header: { start, end: spans[headerRows - 1]!.end } };
  builder.mark({ start, end: builder.length }, { kind: columns.length < 2 ? 'paragraph' : 'table', ...header });
}

/** Writes lines of text with their places. @returns where they stand */
function writeLines(
  builder: DocumentBuilder,
  sheet: string,
  lines: readonly { readonly number: number; readonly text: string }[],
): Span[] {
  return lines.map(({ number, text }, i) => {
    builder.append(i > 0 ? '\n' : builder.length > 0 ? '\n\n' : '');
    const span = builder.append(text);
    builder.locate(span, { sheet, rows: [number, number] });
    return span;
  });
}

/** The wide cells of a row by their place among the columns that are used. */
function amongUsed(wide: Wide, columns: readonly number[]): Map<number, number> {
  const found = new Map<number, number>();
  for (const [from, to] of wide) {
    const [first, last] = [columns.indexOf(from), columns.findLastIndex((column) => column <= to)];
    if (first >= 0 && last > first) found.set(first, last);
  }
  return found;
}

function usedColumns(rows: readonly SheetRow[]): number[] {
  const used = new Set<number>();
  for (const row of rows) {
    for (const [column, cell] of row.cells.entries()) if (cell.trim() !== '') used.add(column);
  }
  return [...used].sort((a, b) => a - b);
}

/** The last cell of Excel and of LibreOffice is XFD1048576; those beyond are ignored. */
const MAX_COLUMNS = 16_384;
const MAX_ROWS = 1_048_576;
/** The value of a merged area repeats in its rows, at most in this many. */
const MAX_MERGED_ROWS = 1000;

/** What a row that a file repeats takes beside its text. */
const ROW_CHARS = 32;

/** Characters that the sheets of a file may still hold. */
export interface Allowance {
  chars: number;
}

/** Collects the cells of a sheet, row by row, and from left to right. */
export class SheetRows {
  readonly #rows: { number: number; cells: string[] }[] = [];
  readonly #merged: { column: number; from: number; to: number }[] = [];
  readonly #wide = new Map<number, Map<number, number>>();
  /** The cells of the row that is open. */
  #cells: string[] | undefined;
  readonly #left: Allowance;

  /** @param left of all sheets of the file together */
  constructor(left: Allowance) {
    this.#left = left;
  }

  /** @param number larger than that of the row before */
  open(number: number): void {
    this.#cells = number > MAX_ROWS ? undefined : [];
    if (this.#cells) this.#rows.push({ number, cells: this.#cells });
  }

  /** @throws IbidError FILE_TOO_LARGE */
  add(column: number, text: string): void {
    const cells = this.#cells;
    if (!cells || text === '' || column >= MAX_COLUMNS) return;
    this.#take(text.length + Math.max(0, column - cells.length));
    while (cells.length < column) cells.push('');
    cells[column] = text;
  }

  /** The open row stands so often in the sheet, if it holds something. @throws IbidError FILE_TOO_LARGE */
  repeat(times: number): void {
    const row = this.#rows.at(-1);
    if (!this.#cells || !row || row.cells.length === 0) return;
    const size = row.cells.reduce((sum, cell) => sum + cell.length, row.cells.length + ROW_CHARS);
    for (let number = row.number + 1; number < Math.min(row.number + times, MAX_ROWS + 1); number++) {
      this.#take(size);
      this.#rows.push({ number, cells: [...row.cells] });
    }
  }

  #take(chars: number): void {
    this.#left.chars -= chars;
    if (this.#left.chars >= 0) return;
    throw new IbidError('FILE_TOO_LARGE', 'the sheet holds more text than allowed', {
      hint: 'Split the file, or raise maxTextChars.',
    });
  }

  /** The rows `from` to `to` are one cell in this column, and in those up to `last`. */
  merge(column: number, from: number, to: number, last: number): void {
    if (to > from) this.#merged.push({ column, from, to });
    if (last > column) this.#wide.set(from, (this.#wide.get(from) ?? new Map<number, number>()).set(column, last));
  }

  /** The rows that are not empty. The value of a merged area repeats in its first column. */
  finish(): SheetRow[] {
    const byNumber = new Map(this.#rows.map((row) => [row.number, row.cells]));
    for (const { column, from, to } of this.#merged) repeatMerged(byNumber, column, from, to);
    return this.#rows
      .filter((row) => row.cells.some((cell) => cell.trim() !== ''))
      .map((row) => ({ ...row, wide: this.#wide.get(row.number) }));
  }
}

/**
 * Says the value of a merged area in each of its rows that holds something.
 * @param rows by their number
 */
export function repeatMerged(rows: ReadonlyMap<number, string[]>, column: number, from: number, to: number): void {
  const value = rows.get(from)?.[column] ?? '';
  if (value === '') return;
  for (let row = from + 1; row <= Math.min(to, from + MAX_MERGED_ROWS); row++) {
    const cells = rows.get(row);
    if (!cells?.some((cell) => cell !== '' && cell !== undefined)) continue;
    while (cells.length <= column) cells.push('');
    cells[column] = value;
  }
}

/** Row 7 and column 2 → `C7`. @param row from 1 @param column from 0 */
export function nameOfCell(row: number, column: number): string {
  let letters = '';
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  return `${letters}${row}`;
}

/** The warning about formulas that have no value in the file. @param program that computes them */
export function missingValues(count: number, program: string): [code: string, message: string] {
  const cells = count === 1 ? '1 formula has' : `${count} formulas have`;
  return ['FORMULA_VALUES_MISSING', `${cells} no value in the file: open it in ${program} and save it again`];
}
