/**
 * Cells that go on below themselves where rows stand as close as lines: LaTeX sets tables so. A line goes on with a row
 * when its first word had no room at the end of the cell above.
 */
import { isNumeric, over } from './cells.ts';
import type { Row } from './layout.ts';
import type { Segment } from './runs.ts';

export interface TableLine {
  readonly row: Row;
  readonly cells: Segment[];
}

const FEWEST_ROWS = 3;
/** In font sizes. */
const SAME_EDGE = 0.3;
const BLANK = 0.2;

/** @returns of each line whether it goes on with the one above */
export function goesOn(lines: readonly TableLine[]): boolean[] {
  const left = Math.min(...lines.map(({ row }) => row.x0));
  const isAtLeft = ({ row }: TableLine): boolean => row.x0 < left + row.size;
  const isRow = (line: TableLine): boolean => line.cells.length > 1 && isAtLeft(line) && !isTail(line);
  const rows = lines.filter(isRow);
  const others = lines.filter((line) => !isRow(line));
  const none = lines.map(() => false);
  if (rows.length < FEWEST_ROWS || others.some((line) => isAtLeft(line) && !isTail(line))) return none;
  const edge = (cell: Segment): number =>
    Math.max(...lines.flatMap(({ cells }) => cells.filter((one) => isBelow(cell, one)).map(({ x1 }) => x1)));
  let above: readonly Segment[] = [];
  const found = lines.map(({ cells }, at) => {
    const row = above;
    above = cells;
    if (at === 0 || rows.some((one) => one === lines[at])) return false;
    const uppers = cells.map((cell) => row.find((one) => isBelow(one, cell)));
    const goes = cells.every((cell, i) => {
      const upper = uppers[i];
      if (upper === undefined || isNumeric(cell.text) || upper.x1 + firstWord(cell) <= edge(cell)) return false;
      return row.every((one) => one === upper || over(one, cell) <= 0);
    });
    // Single words leave no room for another one, so they may be rows.
    if (!goes || !uppers.some((upper) => upper?.text.includes(' '))) return false;
    // What stands beside it goes on below it too.
    above = [...row.filter((one) => cells.every((cell) => over(one, cell) <= 0)), ...cells];
    return true;
  });
  return others.every((line) => found[lines.indexOf(line)] === true) ? found : none;
}

/** Whether all cells begin with a small letter, as what goes on does. */
export function isTail({ cells }: TableLine): boolean {
  return cells.every(({ text }) => /^\p{Ll}/u.test(text));
}

function isBelow(upper: Segment, cell: Segment): boolean {
  return Math.abs(upper.x0 - cell.x0) < SAME_EDGE * cell.size;
}

/** Width of the first word and the blank before it. */
function firstWord({ text, x0, x1, size }: Segment): number {
  const [word = ''] = text.split(' ');
  return (word.length / text.length) * (x1 - x0) + BLANK * size;
}
