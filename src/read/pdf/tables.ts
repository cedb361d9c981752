/** Tables: rows with cells in columns, written row by row with ` | ` between cells. */
import type { Row } from './layout.ts';
import { toRow } from './layout.ts';
import type { Segment } from './runs.ts';

export interface TableText {
  readonly lines: readonly string[];
  /** Number of header lines at the start; 0 when there is no visible header. */
  readonly headerLines: number;
}

const CURRENCY = /^[([]?\s*(?:[$€£¥₩₹]|US\$|USD|EUR)\s*[([]?$/u;
const TRAILING = /^(?:%|\)|\]|\)%|%\))+$/u;
const NUMERIC = /^[-–—−+~≈<>(]*\s*[$€£¥₩₹]?\s*[-–—−(]*\s*\d[\d.,\s%()×xX*†‡/:±$€£-]*$|^[-–—−*†]+$|^n\/?a$/iu;
const MARKER = /^(?:[•●○◦▪■□–—*·‣➢✓]|\(?(?:\d{1,3}|[a-z]|[ivxl]{1,5})[.)]|\d{1,2}(?:\.\d{1,2}){0,3}\.?|\[\d{1,3}\])$/iu;

/** The cells of a row: its segments, with a currency sign, percent sign or bracket joined to its number. */
export function cellsOf(row: Row): Segment[] {
  const cells: Segment[] = [];
  for (const segment of currencyRight(row.segments)) {
    const before = cells.at(-1);
    if (before && CURRENCY.test(before.text) && /^[-–—−(]?\s*[\d.,–—-]/u.test(segment.text)) {
      cells[cells.length - 1] = merge(before, segment, '');
    } else if (before && TRAILING.test(segment.text)) {
      cells[cells.length - 1] = merge(before, segment, '');
    } else if (before && cells.length === 1 && MARKER.test(before.text) && !isNumeric(segment.text)) {
      cells[0] = merge(before, segment, ' ');
    } else {
      cells.push(segment);
    }
  }
  return cells;
}

/** Moves a currency sign at the end of a segment to the number that begins the next: `$360,000 $`, `375,000`. */
function currencyRight(segments: readonly Segment[]): Segment[] {
  const out: Segment[] = [];
  let sign = '';
  for (const [i, segment] of segments.entries()) {
    let text = sign + segment.text;
    sign = '';
    const next = segments[i + 1];
    const tail = /\s([$€£¥])$/u.exec(text);
    if (tail && next && /^[(–—-]?\d/u.test(next.text)) {
      sign = tail[1]!;
      text = text.slice(0, tail.index);
    }
    out.push(text === segment.text ? segment : { ...segment, text });
  }
  return out;
}

function merge(a: Segment, b: Segment, glue: string): Segment {
  return {
    ...(b.text.length > a.text.length ? b : a),
    x0: Math.min(a.x0, b.x0),
    x1: Math.max(a.x1, b.x1),
    text: a.text + glue + b.text,
  };
}

export function isNumeric(text: string): boolean {
  return NUMERIC.test(text.trim());
}

/**
 * Finds tables among the rows of a region.
 * @returns half-open ranges of row indices, in order
 */
export function findTables(rows: readonly Row[]): [start: number, end: number][] {
  const cells = rows.map(cellsOf);
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
      if (gap > 4.5 * size) break;
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
        if (!sharesColumn(cells[j]!, cells.slice(Math.max(i, j - 12), j))) break;
        multi++;
        end = j + 1;
      } else if (j - end >= (isLabel(rows[j]!, rows, i, end) ? MAX_LABEL_LINES : 3) || runsOn(rows[j]!, rows, i, end)) {
        break;
      }
    }
    if (multi >= 2 && !isEquation(cells.slice(i, end)) && (multi > 2 || isPair(cells.slice(i, end)))) {
      found.push([i, end]);
      i = end;
    } else {
      i++;
    }
  }
  return withHeads(rows, found);
}

/** Formulas with their numbers at the margin also form columns. */
function isEquation(rows: readonly (readonly Segment[])[]): boolean {
  const text = rows.flatMap((row) => row.map((cell) => cell.text)).join(' ');
  const words = text.match(/\p{L}{4,}/gu)?.length ?? 0;
  return /[=≈≤≥∑∏∫∇∈√]/u.test(text) && words < 2 * rows.length && rows.length <= 12;
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

const MAX_HEAD_LINES = 12;

/** Start of the header lines directly above the first row: a spanning "Year ended June 29,", stacked column titles. */
function headStart(rows: readonly Row[], start: number, end: number): number {
  const within = rows.slice(start, end);
  const left = Math.min(...within.map((row) => row.x0));
  const right = Math.max(...within.map((row) => row.x1));
  // Above a table of text a short line may be the end of a paragraph.
  if (!within.some((row) => isData(cellsOf(row)))) return start;
  let first = start;
  while (first > 0 && first > start - MAX_HEAD_LINES) {
    const above = rows[first - 1]!;
    const below = rows[first]!;
    const size = Math.max(above.size, below.size);
    const near = below.y - above.y < 1.7 * size && above.size > 0.6 * size && above.size < 1.1 * within[0]!.size;
    const inner = above.segments.length > 1 || above.x0 > left + 3 * size;
    const narrow = above.segments.every((s) => s.x1 - s.x0 < 0.45 * (right - left) && s.text.length < 60);
    if (!near || !inner || !narrow || above.x0 < left - size || above.x1 > right + size || isData(cellsOf(above)))
      break;
    first--;
  }
  return first;
}

/** Whether a row holds values, not titles. */
function isData(cells: readonly Segment[]): boolean {
  return (
    cells.length >= 2 &&
    numericShare(cells) >= 0.5 &&
    !isYears(cells) &&
    cells.some((cell) => /\d{2}|[$%]/u.test(cell.text))
  );
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

/** Writes the rows of a table. Lines that form one row or one header are joined. */
export function tableText(rows: readonly Row[]): TableText {
  const joined = joinLabels(rows).map((row) => ({ row, cells: cellsOf(row) }));
  const dataAt = joined.findIndex(
    ({ cells }) => cells.length >= 2 && numericShare(cells) >= 0.5 && !isYears(cells) && !isNotes(cells),
  );
  let head = 0;
  if (dataAt > 0 && dataAt <= 2 * MAX_HEAD_LINES) {
    // A body of text with some numbers begins before its first row of numbers.
    const bold = joined[0]!.row.bold;
    const body = joined.findIndex(
      ({ row, cells }) =>
        cells.some((cell) => isNumeric(cell.text) && /\d{2}/u.test(cell.text) && !isYears([cell])) ||
        (bold && !row.bold && cells.length > 1 && !isNotes(cells)),
    );
    head = body === -1 ? dataAt : Math.min(dataAt, body);
  } else if (dataAt === -1 && joined[0]!.row.bold && joined.slice(1).some(({ row }) => !row.bold)) head = 1;
  // Labels directly above the first data row ("Revenues:", "Assets") are no header.
  const left = Math.min(...rows.map((row) => row.x0));
  const size = rows[0]!.size;
  while (head > 0 && dataAt > 0) {
    const { row, cells } = joined[head - 1]!;
    if (cells.length > 1 || row.x0 > left + 3 * size) break;
    head--;
  }
  const header = stack(joined.slice(0, head).map(({ cells }) => cells));
  const lines = [...header, ...mergeWrapped(joined.slice(head))].map((cells) =>
    cells.map((cell) => cell.text.replace(/\s*\|\s*/gu, ' / ')).join(' | '),
  );
  return { lines: fillDown(lines), headerLines: header.length };
}

/** Joins stacked header lines column by column; a line with cells across several columns stays above. */
function stack(lines: readonly (readonly Segment[])[]): Segment[][] {
  if (lines.length < 2) return lines.map((line) => [...line]);
  const spans = (line: readonly Segment[]): boolean =>
    line.some((cell) =>
      lines.some((other) => other !== line && other.filter((part) => over(part, cell) > 0.3).length > 1),
    );
  const wide = lines.filter((line) => spans(line) || isBetween(line, lines));
  // Lines under each other over the same columns: "For the Years Ended", "December 31,".
  const centred = (line: readonly Segment[]): boolean =>
    line.length === 1 && wide.some((other) => other.length === 1 && Math.abs(middle(other[0]!) - middle(line[0]!)) < 3);
  const above = lines.filter((line) => wide.includes(line) || centred(line));
  const spanning: Segment[][] = [];
  for (const line of above) {
    const before = spanning.at(-1);
    if (centred(line) && before?.length === 1 && Math.abs(middle(before[0]!) - middle(line[0]!)) < 3)
      spanning[spanning.length - 1] = [merge(before[0]!, line[0]!, ' ')];
    else spanning.push([...line]);
  }
  return [...spanning, joinColumns(lines.filter((line) => !above.includes(line)))].filter((line) => line.length > 0);
}

function middle({ x0, x1 }: Segment): number {
  return (x0 + x1) / 2;
}

/** Whether a line is one cell that reaches from one column of another line to the next, and stands between the two. */
function isBetween(line: readonly Segment[], lines: readonly (readonly Segment[])[]): boolean {
  const [cell] = line;
  if (!cell || line.length > 1) return false;
  return lines.some((other) =>
    other.some((left, i) => {
      const right = other[i + 1];
      if (!right || other === line) return false;
      return cell.x0 < left.x1 && cell.x1 > right.x0 && Math.abs(left.x0 + right.x1 - 2 * middle(cell)) < 6;
    }),
  );
}

/** Overlap of two cells, as a share of the narrower one. */
function over(a: Segment, b: Segment): number {
  return (Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0)) / Math.max(1, Math.min(a.x1 - a.x0, b.x1 - b.x0));
}

function joinColumns(lines: readonly (readonly Segment[])[]): Segment[] {
  const columns: Segment[] = [];
  for (const line of lines) {
    for (const cell of line) {
      const at = columns.findIndex((column) => over(column, cell) > 0.3);
      if (at === -1) columns.push(cell);
      else columns[at] = merge(columns[at]!, cell, ' ');
    }
  }
  return columns.sort((a, b) => a.x0 - b.x0);
}

/**
 * Joins the lines of wrapped cells, which are closer than rows. If a table has both distances, close lines are one row,
 * unless both have a number in the same column.
 */
function mergeWrapped(lines: readonly { readonly row: Row; readonly cells: Segment[] }[]): Segment[][] {
  const gaps = lines.slice(1).map(({ row }, i) => (row.y - lines[i]!.row.y) / row.size);
  const close = Math.min(...gaps);
  const apart = gaps.filter((gap) => gap > 1.22 * close).length;
  if (gaps.length < 2 || close > 1.6 || apart < 2 || apart > gaps.length - 1) return lines.map(({ cells }) => cells);
  // If rows of values are that close, the distance says nothing.
  const pitch = gaps.some((gap, i) => gap <= 1.12 * close && clash(lines[i]!.cells, lines[i + 1]!.cells));
  if (pitch) return lines.map(({ cells }) => cells);
  const out: Segment[][] = [];
  let group: (readonly Segment[])[] = [];
  for (const [i, { cells }] of lines.entries()) {
    const joins =
      i > 0 && gaps[i - 1]! <= 1.12 * close && group.length < 8 && !group.some((line) => clash(line, cells));
    if (!joins && group.length > 0) {
      out.push(group.length === 1 ? [...group[0]!] : joinColumns(group));
      group = [];
    }
    group.push(cells);
  }
  if (group.length > 0) out.push(group.length === 1 ? [...group[0]!] : joinColumns(group));
  return out;
}

function clash(a: readonly Segment[], b: readonly Segment[]): boolean {
  if (a.some((x) => isNumeric(x.text) && b.some((y) => isNumeric(y.text) && over(x, y) > 0))) return true;
  // A cell across several columns of the other line is a separate heading.
  const across = (x: Segment, line: readonly Segment[]): boolean => line.filter((y) => over(x, y) > 0.3).length > 1;
  return a.some((x) => across(x, b)) || b.some((y) => across(y, a));
}

/** `Oleg Khaykin | 2019 | …` above `2018 | …`: the name belongs to all rows of its years, and is repeated in each. */
function fillDown(lines: readonly string[]): string[] {
  let label = '';
  return lines.map((line) => {
    const named = /^([^|]*\p{L}[^|]*) \| (?:fiscal |fy ?)?(?:19|20)\d\d(?= \|)/iu.exec(line);
    if (named) label = named[1]!;
    else if (label !== '' && /^(?:fiscal |fy ?)?(?:19|20)\d\d \| /iu.test(line)) return `${label} | ${line}`;
    else label = '';
    return line;
  });
}

function numericShare(cells: readonly Segment[]): number {
  const data = isNumeric(cells[0]!.text) ? cells : cells.slice(1);
  return data.filter((cell) => isNumeric(cell.text)).length / Math.max(data.length, 1);
}

function isYears(cells: readonly Segment[]): boolean {
  const data = cells.filter((cell) => isNumeric(cell.text));
  return data.length > 0 && data.every((cell) => /^(?:19|20)\d\d\*?$/u.test(cell.text.trim()));
}

/** Footnote marks under column titles: `(4) | (5)`. */
function isNotes(cells: readonly Segment[]): boolean {
  return cells.every((cell) => /^\(\d\)$/u.test(cell.text));
}

function joinLabels(rows: readonly Row[]): Row[] {
  const out: Row[] = [];
  for (const row of rows) {
    const before = out.at(-1);
    const first = row.segments[0]!;
    const continues =
      before !== undefined &&
      before.segments.length === 1 &&
      row.segments.length > 1 &&
      /^[\p{Ll}(&]/u.test(first.text) &&
      !/[:.]$/u.test(before.text) &&
      Math.abs(first.x0 - before.x0) < 2 * row.size &&
      row.y - before.y < 1.6 * row.size;
    if (continues) {
      const label = merge(before.segments[0]!, first, ' ');
      out[out.length - 1] = toRow([{ ...label, x0: first.x0, y: first.y }, ...row.segments.slice(1)]);
    } else {
      out.push(row);
    }
  }
  return out;
}
