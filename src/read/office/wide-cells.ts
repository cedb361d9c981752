/** Cells that reach over several columns in the header of a table: what they say is part of the name of each. */
import { guessHeaderRows } from './ooxml.ts';

/** First and last column of each cell of a row that reaches over several. */
export type Wide = ReadonlyMap<number, number>;
type Wides = readonly (Wide | undefined)[];

export const FIGURE: RegExp = /^[-+$€£]?\d[\d.,:-]*%?$/u;
export const YEAR: RegExp = /^(?:19|20)\d\d$/u;
/** Lines of names over several columns. */
const MOST_BANDS = 3;
/** Titles above a table, each alone in its row. */
const MOST_TITLES = 2;

export function isFilled(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== '';
}

/**
 * Counts the header rows of a table, titles above them included, and writes a name that reaches over columns into each.
 * @param rows changed where a name is repeated
 * @param marked rows that the file says are the header; 0 where it does not say
 */
export function headWideCells(rows: string[][], wide: Wides, marked = 0): number {
  const titles = titlesAbove(rows, wide);
  let bands = 0;
  while (bands < MOST_BANDS && isBand(rows, wide, titles + bands)) bands++;
  if (guessed(rows, wide, titles, bands) === 0) bands = 0;
  const names = bands + guessed(rows, wide, titles, bands);
  const header = marked > 0 ? marked : names === 0 ? 0 : titles + names;
  for (let i = titles; i < Math.min(header, rows.length); i++) {
    rows[i] = filledUp(rows[i]!, wide[i]);
    // A name that reaches over lines of the header is said in the last of them.
    if (i > titles)
      rows[i - 1] = rows[i - 1]!.map((cell, at) => (!covers(wide[i - 1], at) && cell === rows[i]![at] ? '' : cell));
  }
  return header;
}

/** The rows at the top with one cell: its text stands above all columns, or above the first, which it is too long for. */
function titlesAbove(rows: readonly string[][], wide: Wides): number {
  const isName = (row: readonly string[], i: number): boolean =>
    row.filter(isFilled).length > 1 || [...(wide[i] ?? [])].some(([from]) => from > 0 && isFilled(row[from]));
  const at = rows.slice(0, MOST_TITLES + 1).findIndex(isName);
  return at < 0 ? Math.min(MOST_TITLES, rows.length) : at;
}

/** The header rows at the end of some lines of names over columns: 1 or 0. */
function guessed(rows: readonly string[][], wide: Wides, titles: number, bands: number): number {
  const row = rows[titles + bands];
  if (!row) return 0;
  const above = rows.slice(titles, titles + bands);
  const names = filledUp(row, wide[titles + bands]).map((cell, at) =>
    isFilled(cell) ? cell : (above.find((each) => isFilled(each[at]))?.[at] ?? ''),
  );
  return guessHeaderRows([names, ...rows.slice(titles + bands + 1, titles + bands + 2)]);
}

/** Whether names over several columns stand above names of columns: each column has one of the first or of the second. */
function isBand(rows: readonly string[][], wides: Wides, row: number): boolean {
  const [upper, lower, wide] = [rows[row], rows[row + 1], wides[row]];
  if (!upper || !lower || !wide?.size) return false;
  return upper.every((cell, at) => {
    const below = lower[at] ?? '';
    if (covers(wide, at)) return isFilled(below) && (!FIGURE.test(cell.trim()) || YEAR.test(cell.trim()));
    return !FIGURE.test(cell.trim()) && (!isFilled(cell) || !isFilled(below) || cell === below);
  });
}

function covers(wide: Wide | undefined, column: number): boolean {
  return [...(wide ?? [])].some(([from, to]) => column >= from && column <= to);
}

function filledUp(row: readonly string[], wide: Wide | undefined): string[] {
  const cells = [...row];
  for (const [from, to] of wide ?? [])
    for (let at = from + 1; at <= Math.min(to, cells.length - 1); at++)
      if (!isFilled(cells[at])) cells[at] = cells[from]!;
  return cells;
}
