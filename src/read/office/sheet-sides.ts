/** Tables that stand beside each other in a sheet, with an empty column between. */
import type { SheetRow } from './sheet.ts';
import { FIGURE, isFilled } from './wide-cells.ts';

/** First and last column. */
type Side = readonly [from: number, to: number];

const FEWEST_COLUMNS = 2;
/** So many rows more than another shows that a table is not part of it. */
const LONGER = 2;

/**
 * The rows of each table, from left to right; the rows as they are where nothing shows that there are several: an empty
 * column by itself may be part of one table.
 */
export function sidesOf(rows: readonly SheetRow[]): (readonly SheetRow[])[] {
  const sides = sidesBetweenGaps(rows);
  if (sides.length < 2 || sides.some(([from, to]) => to - from + 1 < FEWEST_COLUMNS)) return [rows];
  const parts = sides.map((side) => rows.map((row) => partOf(row, side)));
  if (!parts.every(hasLabels)) return [rows];
  return parts.every(isTitled) || haveSameNames(parts) || areOfOwnLength(parts)
    ? parts.map((part) => part.filter(({ cells }) => cells.some(isFilled)))
    : [rows];
}

function sidesBetweenGaps(rows: readonly SheetRow[]): Side[] {
  const used = new Set<number>();
  for (const { cells, wide } of rows) {
    for (const [column, cell] of cells.entries()) if (isFilled(cell)) used.add(column);
    for (const [from, to] of wide ?? [])
      if (isFilled(cells[from])) for (let column = from; column <= to; column++) used.add(column);
  }
  const sides: [number, number][] = [];
  for (const column of [...used].sort((a, b) => a - b)) {
    const last = sides.at(-1);
    if (last && column === last[1] + 1) last[1] = column;
    else sides.push([column, column]);
  }
  return sides;
}

function partOf(row: SheetRow, [from, to]: Side): SheetRow {
  const cells = row.cells.slice(0, to + 1).map((cell, column) => (column < from ? '' : cell));
  const wide = new Map([...(row.wide ?? [])].filter(([first]) => first >= from && first <= to));
  return { ...row, cells, wide: wide.size > 0 ? wide : undefined };
}

function filled({ cells }: SheetRow): string[] {
  return cells.filter(isFilled).map((cell) => cell.trim());
}

/** Whether the rows of a table have labels of their own: figures belong to the labels of the table before. */
function hasLabels(part: readonly SheetRow[]): boolean {
  const labels = part.flatMap((row) => filled(row)[0] ?? []);
  return labels.filter((label) => !FIGURE.test(label)).length > labels.length / 2 + 1;
}

/** Whether one cell stands in the first row, and a full row below it. */
function isTitled([title, names]: readonly SheetRow[]): boolean {
  return title !== undefined && names !== undefined && filled(title).length === 1 && isFull(names);
}

function isFull(row: SheetRow): boolean {
  const first = row.cells.findIndex(isFilled);
  return first >= 0 && filled(row).length >= FEWEST_COLUMNS && row.cells.slice(first).every(isFilled);
}

function haveSameNames(parts: readonly (readonly SheetRow[])[]): boolean {
  const [first, ...others] = parts.map((part) => filled(part[0]!).join('\n'));
  return isFull(parts[0]![0]!) && others.every((names) => names === first);
}

/** Whether each has names in its first row and no gap below them, and they end in different rows. */
function areOfOwnLength(parts: readonly (readonly SheetRow[])[]): boolean {
  const ends = parts.map((part) => part.findLastIndex((row) => filled(row).length > 0));
  const isWhole = parts.every((part, i) => part.slice(0, ends[i]! + 1).every((row) => filled(row).length > 0));
  return isWhole && parts.every((part) => isFull(part[0]!)) && Math.max(...ends) - Math.min(...ends) >= LONGER;
}
