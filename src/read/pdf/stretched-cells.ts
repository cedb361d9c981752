/**
 * Lines of a narrow justified cell, whose words stand as far apart as cells: they begin where cells of that column do and
 * end where they end, and no other line has a cell where the words between begin.
 */
import { isNumeric, merge } from './cells.ts';
import { type Row, toRow } from './layout.ts';
import type { Segment } from './runs.ts';

const SAME_EDGE = 1.5;
const INNER_EDGE = 2;

/** The rows of a table with such words joined. */
export function joinStretched(rows: readonly Row[]): Row[] {
  return rows.map((row) => {
    const others = rows.filter((other) => other !== row && other.segments.length < row.segments.length);
    const parts: Segment[] = [];
    for (let i = 0; i < row.segments.length; i++) {
      const end = endOf(row.segments, i, others);
      parts.push(row.segments.slice(i + 1, end).reduce((a, b) => merge(a, b, ' '), row.segments[i]!));
      i = end - 1;
    }
    return parts.length === row.segments.length ? row : toRow(parts);
  });
}

/** Where the words end that stand in one cell with the one at an index. */
function endOf(words: readonly Segment[], at: number, others: readonly Row[]): number {
  const cells = others.flatMap(({ segments }) => segments);
  const { x0 } = words[at]!;
  const column = cells.filter((cell) => Math.abs(cell.x0 - x0) < SAME_EDGE && cell.text.includes(' '));
  if (column.length === 0 || !isWord(words[at]!)) return at + 1;
  let end = at + 1;
  for (; end < words.length; end++) {
    const inner = words[end]!;
    if (!isWord(inner) || cells.some((cell) => Math.abs(cell.x0 - inner.x0) < INNER_EDGE)) break;
  }
  const last = words[end - 1]!;
  const isWhole = end - at > 1 && column.some(({ x1 }) => Math.abs(x1 - last.x1) < SAME_EDGE);
  return isWhole ? end : at + 1;
}

function isWord({ text }: Segment): boolean {
  return /\p{L}/u.test(text) && !text.includes(' ') && !isNumeric(text);
}
