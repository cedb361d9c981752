/** Finds tables: rows with cells in columns. */
import { cellsOf, isData, isNumeric, over } from './cells.ts';
import type { Row } from './layout.ts';
import type { Segment } from './runs.ts';
import { areTitles } from './word-tables.ts';

/**
 * Finds tables among the rows of a region.
 * @returns half-open ranges of row indices, in order
 */
export function findTables(rows: readonly Row[]): [start: number, end: number][] {
  const cells = rows.map((row) => cellsOf(row));
  const found: [number, number][] = [];
  let i = 0;
  while (i < rows.length) {
    if (cells[i]!.length < 2) {
      i++;
      continue;
    }
    let end = i + 1;
    let multi = 1;
    for (let j = i + 1; j < rows.length; j++) {
      const gap = rows[j]!.y - rows[j - 1]!.y;
      const size = Math.max(rows[j]!.size, rows[j - 1]!.size);
      if (gap > 4.5 * size || (gap > SECTION_GAP * size && isSection(rows[j]!)) || isTableName(rows[j]!)) break;
      // Column titles after a wide gap begin the next table.
      const before = j > i + 1 ? rows[j - 1]!.y - rows[j - 2]!.y : gap;
      if (
        gap > 2.2 * size &&
        gap > 1.6 * before &&
        cells[j]!.length >= 2 &&
        !isData(cells[j]!) &&
        cells.slice(j, j + 8).some(isData)
      )
        break;
      if (cells[j]!.length >= 2) {
        if (multi > 1 && j > end && beginsAnother(cells, i, j)) break;
        if (!sharesColumn(cells[j]!, cells.slice(Math.max(i, j - 12), j))) break;
        multi++;
        end = j + 1;
      } else if (j - end >= (isLabel(rows[j]!, rows, i, end) ? MAX_LABEL_LINES : 3) || runsOn(rows[j]!, rows, i, end)) {
        break;
      }
    }
    const isTable =
      multi >= 2 && !isEquation(cells.slice(i, end)) && !isStretched(rows, i, end) && !isCaption(cells.slice(i, end));
    if (isTable && (multi > 2 || isPair(cells.slice(i, end)))) {
      end = tailEnd(rows, i, end);
      found.push([i, end]);
      i = end;
    } else {
      i++;
    }
  }
  return withHeads(rows, found);
}

/** A numbered title in bold letters, apart from what is above it: `3.1.5 The procedure block`. */
function isSection({ segments, bold, text }: Row): boolean {
  return bold && segments.length <= 2 && /^\d+(?:\.\d+)+\.?\s+\p{L}/u.test(text);
}

/** The caption of the next table: `Table 2: Loads`. */
function isTableName({ segments, text }: Row): boolean {
  return segments.length === 1 && TABLE_NAME.test(text);
}

/** Whether titles of more columns than the rows above have stand below a line without cells: `Invoice date | 14 March`. */
function beginsAnother(cells: readonly (readonly Segment[])[], start: number, row: number): boolean {
  const most = Math.max(...cells.slice(start, row).map(({ length }) => length));
  const { length } = cells[row]!;
  if (length < FEWEST_TITLES || length <= most || isData(cells[row]!)) return false;
  return cells.slice(row + 1, row + 4).some((line) => line.length > most && isData(line));
}

/** The end of a table with the last lines of a cell that wraps: they begin where the cell does, closer than rows are. */
function tailEnd(rows: readonly Row[], start: number, end: number): number {
  const gaps = rows.slice(start + 1, end).map((row, i) => row.y - rows[start + i]!.y);
  const close = 1.06 * Math.min(...gaps);
  if (gaps.filter((gap) => gap > close * 1.15).length < 2) return end;
  let last = end;
  for (; last < rows.length && last < end + MAX_LABEL_LINES; last++) {
    const { segments, y, x0, x1 } = rows[last]!;
    const above = rows[end - 1]!.segments.find(
      (cell, i, cells) => Math.abs(cell.x0 - x0) < 1 && (i > 0 || x1 < (cells[1]?.x0 ?? 0)),
    );
    if (segments.length > 1 || y - rows[last - 1]!.y > close || above === undefined) break;
  }
  return last;
}

/** Formulas with their numbers at the margin also form columns. */
function isEquation(rows: readonly (readonly Segment[])[]): boolean {
  const text = rows.flatMap((row) => row.map((cell) => cell.text)).join(' ');
  const words = text.match(/\p{L}{4,}/gu)?.length ?? 0;
  return /[=≈≤≥∑∏∫∇∈√]/u.test(text) && words < 2 * rows.length && rows.length <= 12;
}

/** Whether half of the rows end with the same mark alone: the line beside the parties in the caption of a court's paper. */
function isCaption(rows: readonly (readonly Segment[])[]): boolean {
  const within = rows.filter(({ length }) => length > 1);
  return [':', ')', '|', '*', '§'].some(
    (mark) => 2 * within.filter((row) => row.at(-1)!.text.trim() === mark).length >= within.length,
  );
}

const TABLE_NAME = /^(?:table|tabelle|tableau|tabla|tabella|tabela)\s+\p{N}{1,3}[.:]\s+\p{L}/iu;
const FEWEST_TITLES = 3;
/** From the row above to a title, in sizes of its letters; rows stand closer. */
const SECTION_GAP = 1.8;
const MOST_STRETCHED = 4;

/**
 * Whether a few rows are lines of a narrow justified paragraph, whose words stand far apart: they begin and end where
 * the line of words above or below does, at the distance of lines, and hold no numbers.
 */
function isStretched(rows: readonly Row[], start: number, end: number): boolean {
  const within = rows.slice(start, end);
  const apart = within.filter(({ segments }) => segments.length > 1);
  if (apart.length > MOST_STRETCHED || apart.some(({ segments }) => segments.some(({ text }) => isNumeric(text))))
    return false;
  const isLine = (line: Row | undefined, beside: Row): boolean =>
    line !== undefined &&
    line.segments.length === 1 &&
    line.text.split(' ').length >= 3 &&
    Math.abs(line.y - beside.y) < 1.4 * line.size &&
    within.every((row) => Math.abs(row.x0 - line.x0) < 1.5 && Math.abs(row.x1 - line.x1) < 1.5);
  return isLine(rows[start - 1], within[0]!) || isLine(rows[end], within.at(-1)!);
}

/** Whether two rows alone are a table: they have a number, or two columns with common edges. Else run-in heads. */
function isPair(rows: readonly (readonly Segment[])[]): boolean {
  const [a, b] = rows.filter((row) => row.length > 1);
  if (!a || !b) return false;
  const edges = a.filter((x) => b.some((y) => Math.abs(x.x0 - y.x0) < 3 || Math.abs(x.x1 - y.x1) < 3)).length;
  return edges >= 2 || [...a, ...b].some((cell) => isNumeric(cell.text));
}

const MAX_LABEL_LINES = 8;

/** Whether a row is a line of a label that wraps in the first column. */
function isLabel(row: Row, rows: readonly Row[], start: number, end: number): boolean {
  const within = rows.slice(start, end);
  const x0 = Math.min(...within.map((r) => r.x0));
  const x1 = Math.max(...within.map((r) => r.x1));
  return row.x1 < x0 + 0.3 * (x1 - x0);
}

/** Whether a single-cell row is as wide as the table: then it is prose after the table, not a label. */
function runsOn(row: Row, rows: readonly Row[], start: number, end: number): boolean {
  const within = rows.slice(start, end);
  const x0 = Math.min(...within.map((r) => r.x0));
  const x1 = Math.max(...within.map((r) => r.x1));
  return row.x1 - row.x0 > 0.8 * (x1 - x0) && row.text.split(' ').length > 6;
}

/** Moves the start of each table up over its header. A header that was found as a small table is merged. */
function withHeads(rows: readonly Row[], found: readonly (readonly [number, number])[]): [number, number][] {
  const out: [number, number][] = [];
  for (const [start, end] of found) {
    let first = headStart(rows, start, end);
    for (let before = out.at(-1); before && before[1] > first; before = out.at(-1)) {
      if (rows.slice(...before).some((row) => isData(cellsOf(row)))) {
        first = before[1];
        break;
      }
      first = Math.min(first, before[0]);
      out.pop();
    }
    out.push([first, end]);
  }
  return out;
}

export const MAX_HEAD_LINES = 12;

/** Start of the header lines directly above the first row: a spanning "Year ended June 29,", stacked column titles. */
function headStart(rows: readonly Row[], start: number, end: number): number {
  const within = rows.slice(start, end);
  const left = Math.min(...within.map((row) => row.x0));
  const right = Math.max(...within.map((row) => row.x1));
  // Above a table of text a short line may be the end of a paragraph.
  if (!within.some((row) => isData(cellsOf(row)))) return isTitled(rows, start) ? start - 1 : start;
  let first = start;
  while (first > 0 && first > start - MAX_HEAD_LINES) {
    const above = rows[first - 1]!;
    const below = rows[first]!;
    const size = Math.max(above.size, below.size);
    const near = below.y - above.y < 1.7 * size && above.size > 0.6 * size && above.size < 1.1 * within[0]!.size;
    const inner = above.segments.length > 1 || above.x0 > left + 3 * size || isBesideLines(rows, first - 1);
    const narrow = above.segments.every((s) => s.x1 - s.x0 < 0.45 * (right - left) && s.text.length < 60);
    if (!near || !inner || !narrow || above.x0 < left - size || above.x1 > right + size || isData(cellsOf(above)))
      break;
    first--;
  }
  return first;
}

/** Whether bold titles of three columns or more stand in the middle of them, above rows of words. */
function isTitled(rows: readonly Row[], start: number): boolean {
  const [above, first] = [rows[start - 1], rows[start]!];
  return (
    above !== undefined &&
    above.segments.length >= FEWEST_TITLES &&
    above.bold &&
    !first.bold &&
    areTitles(above, first)
  );
}

/** Whether a row is the title of the first column that reaches over two lines of titles, and stands between the two. */
function isBesideLines(rows: readonly Row[], at: number): boolean {
  const [above, row, below] = [rows[at - 1], rows[at]!, rows[at + 1]];
  if (!above || !below || row.segments.length > 1 || above.segments.length < 2 || below.segments.length < 2)
    return false;
  const isBeside = (other: Row): boolean => Math.abs(other.y - row.y) < 0.95 * row.size && other.x0 > row.x1;
  return isBeside(above) && isBeside(below);
}

/**
 * Whether two of the cells (or the only one) are below cells of one row above. The outer edges of justified lines
 * always agree, so at least one agreement must be inside the row or between numbers.
 */
function sharesColumn(cells: readonly Segment[], above: readonly (readonly Segment[])[]): boolean {
  return above.some((row) => {
    if (row.length < 2) return false;
    let inside = false;
    let hits = 0;
    for (const [i, cell] of cells.entries()) {
      const found = row.map((other, j) =>
        agreement(cell, other, i > 0 && j > 0, i < cells.length - 1 && j < row.length - 1),
      );
      if (found.some((kind) => kind !== 'none')) hits++;
      inside ||= found.includes('inside');
    }
    return inside && hits >= Math.min(2, cells.length, row.length);
  });
}

/**
 * @param notFirst whether both cells have a neighbour on the left
 * @param notLast whether both cells have a neighbour on the right
 */
function agreement(a: Segment, b: Segment, notFirst: boolean, notLast: boolean): 'none' | 'outer' | 'inside' {
  const near = 0.6 * Math.max(a.size, b.size);
  const left = Math.abs(a.x0 - b.x0) < near;
  const right = Math.abs(a.x1 - b.x1) < near;
  const middle = Math.abs(a.x0 + a.x1 - b.x0 - b.x1) < 2 * near;
  const short = a.text.length < 25 && b.text.length < 25;
  if (left && notFirst) return 'inside';
  if (right && (notLast || (isNumeric(a.text) && isNumeric(b.text)))) return 'inside';
  if (notFirst && short && (middle || over(a, b) > 0.6)) return 'inside';
  return left || right || middle || over(a, b) > 0.6 ? 'outer' : 'none';
}
