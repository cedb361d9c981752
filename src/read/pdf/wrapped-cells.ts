/** Joins the lines of cells that wrap. */
import { isNumeric, merge, over } from './cells.ts';
import { goesOn, isTail, type TableLine } from './continued-cells.ts';
import { lineJoint, type WordCounts } from './repair.ts';
import type { Segment } from './runs.ts';

export function joinColumns(lines: readonly (readonly Segment[])[], vocabulary: WordCounts): Segment[] {
  const columns: Segment[] = [];
  for (const line of lines) {
    for (const cell of line) {
      const at = columns.findIndex((column) => over(column, cell) > 0.3);
      if (at === -1) {
        columns.push(cell);
        continue;
      }
      const above = columns[at]!;
      const { drop, glue } = lineJoint(above.text, cell.text, vocabulary);
      const { text } = above;
      columns[at] = merge(drop > 0 ? { ...above, text: text.slice(0, -drop) } : above, cell, glue);
    }
  }
  return columns.sort((a, b) => a.x0 - b.x0);
}

/**
 * Joins the lines of wrapped cells, which are closer than rows. If a table has both distances, close lines are one row,
 * unless both have a number in the same column.
 * @param above the last line of titles
 */
export function mergeWrapped(
  lines: readonly TableLine[],
  vocabulary: WordCounts,
  above: TableLine | undefined,
): Segment[][] {
  const gaps = lines.slice(1).map(({ row }, i) => (row.y - lines[i]!.row.y) / row.size);
  const close = Math.min(...gaps);
  const apart = gaps.filter((gap) => gap > 1.22 * close).length;
  // Of two rows only one distance tells: then small letters must say it too.
  const isTold =
    apart > 1 ||
    (apart === 1 &&
      isTitled(lines, above, 1.22 * close) &&
      gaps.every((gap, i) => gap > 1.22 * close || isTail(lines[i + 1]!)));
  if (gaps.length < 2 || close > 1.6 || !isTold || apart > gaps.length - 1) return withContinued(lines, vocabulary);
  // If rows of values are that close, the distance says nothing.
  const pitch = gaps.some((gap, i) => gap <= 1.12 * close && clash(lines[i]!.cells, lines[i + 1]!.cells));
  if (pitch) return withContinued(lines, vocabulary);
  const out: Segment[][] = [];
  let group: (readonly Segment[])[] = [];
  for (const [i, { cells }] of lines.entries()) {
    const joins =
      i > 0 && gaps[i - 1]! <= 1.12 * close && group.length < 8 && !group.some((line) => clash(line, cells));
    if (!joins && group.length > 0) {
      out.push(group.length === 1 ? [...group[0]!] : joinColumns(group, vocabulary));
      group = [];
    }
    group.push(cells);
  }
  if (group.length > 0) out.push(group.length === 1 ? [...group[0]!] : joinColumns(group, vocabulary));
  return out;
}

function isTitled(lines: readonly TableLine[], above: TableLine | undefined, least: number): boolean {
  const [first] = lines;
  return above !== undefined && first !== undefined && (first.row.y - above.row.y) / first.row.size > least;
}

/** Joins what goes on below itself, where the distance of lines does not tell. */
function withContinued(lines: readonly TableLine[], vocabulary: WordCounts): Segment[][] {
  const on = goesOn(lines);
  const groups: (readonly Segment[])[][] = [];
  for (const [i, { cells }] of lines.entries()) {
    if (on[i]) groups.at(-1)!.push(cells);
    else groups.push([cells]);
  }
  return groups.map((group) => (group.length === 1 ? [...group[0]!] : joinColumns(group, vocabulary)));
}

function clash(a: readonly Segment[], b: readonly Segment[]): boolean {
  if (a.some((x) => isNumeric(x.text) && b.some((y) => isNumeric(y.text) && over(x, y) > 0))) return true;
  // A cell across several columns of the other line is a separate heading.
  const across = (x: Segment, line: readonly Segment[]): boolean => line.filter((y) => over(x, y) > 0.3).length > 1;
  return a.some((x) => across(x, b)) || b.some((y) => across(y, a));
}
