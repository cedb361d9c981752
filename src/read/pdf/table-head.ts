/** The titles of a table that goes on over pages, where its rows stand apart or have empty cells. */
import { isNumeric, over } from './cells.ts';
import type { EdgeLine } from './edge-lines.ts';
import type { Segment } from './runs.ts';

const FEWEST_TITLES = 3;
const MOST_ROWS = 6;
const FEWEST_ROWS = 3;
/** From one row to the next, in font sizes. */
const FARTHEST = 2.8;

/**
 * Whether rows of cells stand below three titles or more: each cell below one title, each title above some cell, and
 * most rows with a number. Columns of prose have none.
 */
export function isAboveRows({ side, parts, numbers, y }: EdgeLine, segments: readonly Segment[]): boolean {
  if (side === 'bottom' || parts.length < FEWEST_TITLES || numbers.size > 0) return false;
  const rows = rowsBelow(y, segments);
  const cells = rows.flat();
  const titleOf = (cell: Segment): readonly Segment[] => parts.filter((part) => over(part, cell) > 0.5);
  return (
    rows.length >= FEWEST_ROWS &&
    rows.every((row) => row.length > 1 && row.length <= parts.length) &&
    2 * rows.filter((row) => row.some(({ text }) => isNumeric(text))).length > rows.length &&
    cells.every((cell) => titleOf(cell).length === 1) &&
    parts.every((part) => cells.some((cell) => titleOf(cell).includes(part)))
  );
}

function rowsBelow(y: number, segments: readonly Segment[]): Segment[][] {
  const rows: Segment[][] = [];
  let last = y;
  for (const segment of segments.filter((one) => one.y > y + 0.4 * one.size).sort((a, b) => a.y - b.y)) {
    const row = rows.at(-1);
    if (row && segment.y - row[0]!.y < 0.4 * segment.size) {
      row.push(segment);
      continue;
    }
    if (rows.length === MOST_ROWS || segment.y - last > FARTHEST * segment.size) break;
    rows.push([segment]);
    last = segment.y;
  }
  return rows;
}
