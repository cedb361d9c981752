/** Titles above the table of a sheet, which are merged over its columns. */
import { FIGURE, isFilled, type Wide } from './wide-cells.ts';

export interface WideRow {
  readonly cells: readonly string[];
  readonly wide?: Wide | undefined;
}

/** Longer titles, and those that end as a sentence does, are notes. */
const TITLE_CHARS = 120;

export function isTitle(text: string): boolean {
  return text.length <= TITLE_CHARS && !/[.!?:;,]$/u.test(text);
}

/** The number of rows above a table that are merged into one line, with or without something beside it. */
export function titleRows(rows: readonly WideRow[]): number {
  if (!rows[0]?.wide?.size) return 0;
  let first = Number.POSITIVE_INFINITY;
  for (const { cells } of rows) {
    const column = cells.findIndex(isFilled);
    if (column >= 0) first = Math.min(first, column);
  }
  const end = rows.findIndex((_, at) => !isTitleRow(rows, at, first));
  return end < 0 ? rows.length : end;
}

function isTitleRow(rows: readonly WideRow[], at: number, first: number): boolean {
  const [row, below] = [rows[at], rows[at + 1]];
  const last = row?.wide?.get(first);
  if (!row || last === undefined || !isFilled(row.cells[first])) return false;
  const filled = [...row.cells.keys()].filter((column) => isFilled(row.cells[column]));
  if (filled.length === 1) return true;
  // Beside something it could be the name of columns, unless these have names below it, and figures below those.
  if (filled.some((column) => column !== first && row.wide?.has(column)) || !below || below.wide?.size) return false;
  const names = [...below.cells.keys()].filter((column) => isFilled(below.cells[column]));
  if (names.filter((column) => column >= first && column <= last).length < 2) return false;
  const hasFigures = ({ cells }: WideRow): boolean => cells.some((cell) => FIGURE.test(cell.trim()));
  return !hasFigures(row) && !hasFigures(below) && rows.slice(at + 2).some(hasFigures);
}
