/** Tables of words among columns of prose: their last column would be read as a part of the column beside the gutter. */
import type { Row } from './layout.ts';
import type { Segment } from './runs.ts';

const FEWEST_COLUMNS = 3;
const FEWEST_ROWS = 3;
/** Between a title and its page. */
const DOTS = /^(?:[.·…]\s*){3,}$/u;
/** Columns begin within so many points. */
const ALIGNED = 2;
/** Rows stand closer, in sizes of their letters. */
const FARTHEST = 4;
/** Prose fills its column up; the cells of a table leave more of it free. */
const MOST_FILLED = 0.6;
/** Mean of the words of a cell. */
const MOST_WORDS = 5;

/**
 * The first table of three columns or more of short texts, each of which begins at the edge of its column in every row.
 * @param rows from top to bottom, with nothing left out between them
 * @returns a half-open range of row indices
 */
export function findWordTable(rows: readonly Row[]): [start: number, end: number] | undefined {
  for (let start = 0; start < rows.length; start++) {
    const first = rows[start]!;
    if (first.segments.length < FEWEST_COLUMNS || first.segments.some(({ text }) => DOTS.test(text))) continue;
    let end = start + 1;
    while (end < rows.length && isNext(rows[end]!, rows[end - 1]!, first)) end++;
    if (end - start >= FEWEST_ROWS && isShort(rows.slice(start, end))) return [startOf(rows, start), end];
    start = end - 1;
  }
  return undefined;
}

function isNext(row: Row, above: Row, first: Row): boolean {
  const { segments } = first;
  return (
    row.y - above.y < FARTHEST * row.size &&
    row.segments.length === segments.length &&
    row.segments.every((segment, i) => Math.abs(segment.x0 - segments[i]!.x0) < ALIGNED)
  );
}

function isShort(rows: readonly Row[]): boolean {
  const columns = rows[0]!.segments.map((_, i) => rows.map(({ segments }) => segments[i]!));
  const words = columns.flat().reduce((sum, { text }) => sum + text.split(/\s+/u).length, 0);
  if (words > MOST_WORDS * columns.flat().length) return false;
  const widths = (column: readonly Segment[]): number => column.reduce((sum, { x0, x1 }) => sum + x1 - x0, 0);
  return columns.slice(0, -1).every((column, i) => {
    const room = Math.abs(columns[i + 1]![0]!.x0 - column[0]!.x0) * column.length;
    return widths(column) < MOST_FILLED * room;
  });
}

function startOf(rows: readonly Row[], start: number): number {
  const above = rows[start - 1];
  return above && areTitles(above, rows[start]!) ? start - 1 : start;
}

/** Whether a row right above another has the titles of its columns, at their edges or in the middle; the first may have none. */
export function areTitles(above: Row, first: Row): boolean {
  if (first.y - above.y > FARTHEST * first.size) return false;
  const missing = first.segments.length - above.segments.length;
  if (missing < 0 || missing > 1) return false;
  return above.segments.every(({ x0, x1 }, i) => {
    const from = first.segments[i + missing]!.x0 - ALIGNED;
    const to = first.segments[i + missing + 1]?.x0 ?? Number.POSITIVE_INFINITY;
    return x0 >= from && x1 <= to;
  });
}
