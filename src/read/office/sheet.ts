/** The rows of a sheet of any spreadsheet: how they are collected, and how they are written. */
import { IbidError } from '../../core/errors.ts';
import type { DocumentBuilder } from '../builder.ts';
import { guessHeaderRows, rowText } from './ooxml.ts';

export interface SheetRow {
  /** Row number in the spreadsheet, from 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** Writes the rows of a sheet. An empty row ends a table, because one sheet often holds several tables. */
export function writeSheet(builder: DocumentBuilder, sheet: string, rows: readonly SheetRow[], heading: boolean): void {
  const first = rows[0];
  if (!first) return;
  if (heading) {
    const span = builder.block({ kind: 'heading', level: 1 }, sheet, { sheet });
    if (!span) return;
  }
  let group: SheetRow[] = [];
  for (const row of rows) {
    const last = group.at(-1);
    if (last && row.number > last.number + 1) {
      writeRows(builder, sheet, group);
      group = [];
    }
    group.push(row);
  }
  writeRows(builder, sheet, group);
}

function writeRows(builder: DocumentBuilder, sheet: string, rows: readonly SheetRow[]): void {
  const columns = usedColumns(rows);
  const table = rows.map((row) => columns.map((column) => row.cells[column] ?? ''));
  // A title above the table ("Revenue by region") is alone in its row; the header follows.
  const lead = Math.min(
    2,
    table.findIndex((cells) => cells.filter((cell) => cell.trim() !== '').length > 1),
  );
  const guessed = lead < 0 ? 0 : guessHeaderRows(table.slice(lead, lead + 2));
  const headerRows = guessed === 0 ? 0 : lead + guessed;
  let separator = builder.length > 0 ? '\n\n' : '';
  let start = -1;
  let headerEnd = -1;
  for (const [i, row] of rows.entries()) {
    builder.append(separator);
    const span = builder.append(rowText(table[i]!));
    builder.locate(span, { sheet, rows: [row.number, row.number] });
    if (start === -1) start = span.start;
    if (i < headerRows) headerEnd = span.end;
    separator = '\n';
  }
  const shape = columns.length < 2 ? ({ kind: 'paragraph' } as const) : ({ kind: 'table' } as const);
  const header = headerEnd === -1 ? {} : { header: { start, end: headerEnd } };
  builder.mark({ start, end: builder.length }, { ...shape, ...header });
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

  /** The rows `from` to `to` are one cell in this column. */
  merge(column: number, from: number, to: number): void {
    this.#merged.push({ column, from, to });
  }

  /** The rows that are not empty. The value of a merged area repeats in its first column. */
  finish(): SheetRow[] {
    const byNumber = new Map(this.#rows.map((row) => [row.number, row.cells]));
    for (const { column, from, to } of this.#merged) repeatMerged(byNumber, column, from, to);
    return this.#rows.filter((row) => row.cells.some((cell) => cell.trim() !== ''));
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
