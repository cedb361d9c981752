/** Writes the rows of a PDF table as text, row by row with ` | ` between cells. */
import { cellsOf, isMarker, isNumeric, isYears, merge, numericShare, over, type Reach } from './cells.ts';
import type { TableLine } from './continued-cells.ts';
import { type Row, toRow } from './layout.ts';
import type { WordCounts } from './repair.ts';
import type { Segment } from './runs.ts';
import { nameParts } from './spanning-titles.ts';
import { joinStretched } from './stretched-cells.ts';
import { MAX_HEAD_LINES } from './tables.ts';
import { joinColumns, mergeWrapped } from './wrapped-cells.ts';

export interface TableText {
  readonly lines: readonly string[];
  /** Number of header lines at the start; 0 when there is no visible header. */
  readonly headerLines: number;
}

/** Lines of one title are closer than so many font sizes. */
const LINES_APART = 1.6;

/** Writes the rows of a table. Lines that form one row or one header are joined. */
export function tableText(rows: readonly Row[], vocabulary: WordCounts = new Map()): TableText {
  const hasMarks = marksAreTitled(rows);
  const joined = joinLabels(joinStretched(rows)).map((row) => ({ row, cells: cellsOf(row, hasMarks) }));
  const isValues = ({ cells }: { readonly cells: Segment[] }): boolean =>
    cells.length >= 2 && numericShare(cells) >= 0.5 && !isYears(cells) && !isNotes(cells);
  const firstValues = joined.findIndex(isValues);
  // Names and what they are, `Surname | Byrne`: a date among them has no titles above it.
  const dataAt = firstValues > 1 && isForm(joined, isValues) ? -1 : firstValues;
  let head = 0;
  if (dataAt > 0 && dataAt <= 2 * MAX_HEAD_LINES) {
    // A body of text with some numbers begins before its first row of numbers.
    const bold = joined[0]!.row.bold;
    // below bold titles of groups of columns the names of the columns may be set light
    const [groups, values] = [joined[0]!.cells.length, joined[dataAt]!.cells.length];
    const areNames = (cells: readonly Segment[], at: number): boolean =>
      at === dataAt - 1 &&
      groups > 1 &&
      groups < cells.length &&
      cells.length >= values &&
      !cells.some(({ text }) => isNumeric(text));
    const body = joined.findIndex(
      ({ row, cells }, at) =>
        cells.some((cell) => isNumeric(cell.text) && /\d{2}/u.test(cell.text) && !isYears([cell])) ||
        haveYears(joined[at + 1]?.cells, cells) ||
        (bold && !row.bold && cells.length > 1 && !isNotes(cells) && !areNames(cells, at)),
    );
    head = body === -1 ? dataAt : Math.min(dataAt, body);
    if (areRows(joined.slice(0, dataAt + 1))) head = joined[0]!.cells.length > 2 ? Math.min(head, 1) : 0;
  } else if (dataAt === -1 && joined[0]!.row.bold && joined.slice(1).some(({ row }) => !row.bold)) head = 1;
  // Labels directly above the first data row ("Revenues:", "Assets") are no header.
  const left = Math.min(...rows.map((row) => row.x0));
  const size = rows[0]!.size;
  while (head > 0 && dataAt > 0) {
    const { row, cells } = joined[head - 1]!;
    if (cells.length > 1 || row.x0 > left + 3 * size) break;
    head--;
  }
  const header = stack(
    joined.slice(0, head).map(({ cells }) => cells),
    joined.slice(head).map(({ cells }) => cells),
    vocabulary,
  );
  const lines = inColumns(
    [...header, ...mergeWrapped(joined.slice(head), vocabulary, joined[head - 1])],
    header.length,
  ).map((cells) => cells.map((cell) => cell?.text.replace(/\s*\|\s*/gu, ' / ') ?? '').join(' | '));
  return { lines: fillDown(lines), headerLines: header.length };
}

/** Whether years of two labelled rows stand below each other: those of a header stand in one line. */
function haveYears(below: readonly Segment[] | undefined, cells: readonly Segment[]): boolean {
  const years = (line: readonly Segment[]): Segment[] =>
    /\p{L}/u.test(line[0]!.text) ? line.slice(1).filter((cell) => isYears([cell])) : [];
  return years(cells).some((year) => years(below ?? cells.slice(0, 1)).some((other) => over(year, other) > 0.5));
}

/** Whether lines have as many cells, and are further apart than lines of a title. */
function areRows(lines: readonly TableLine[]): boolean {
  return lines.slice(1).every(({ row, cells }, i) => {
    const above = lines[i]!;
    return cells.length === above.cells.length && row.y - above.row.y > LINES_APART * row.size;
  });
}

/** Whether marks such as `1` or `a)` have a title of their own: `Pos.`, beside that of the texts. */
function marksAreTitled(rows: readonly Row[]): boolean {
  const marked = rows.filter(({ segments: [first, second] }) => second && isMarker(first!.text));
  const texts = Math.min(...marked.map(({ segments }) => segments[1]!.x0));
  const isTitle = ({ segments: [first, second] }: Row): boolean =>
    second !== undefined &&
    /\p{L}{2}/u.test(first!.text) &&
    second.x0 < texts + 3 &&
    marked.every(({ segments }) => over(first!, segments[0]!) > 0);
  const [title] = rows.filter(({ segments }) => segments.length > 2);
  return marked.length > 1 && title !== undefined && isTitle(title) && title.segments[0]!.x1 < texts;
}

/** Whether most lines of two cells have no number, or those above the first number are as far apart as all others. */
function isForm<T extends { readonly row: Row; readonly cells: Segment[] }>(
  lines: readonly T[],
  isValues: (line: T) => boolean,
): boolean {
  if (lines.some(({ cells }) => cells.length > 2)) return false;
  const pairs = lines.filter(({ cells }) => cells.length === 2);
  if (pairs.filter(isValues).length < pairs.length / 2) return true;
  const first = lines.findIndex(isValues);
  const gaps = lines.slice(1).map(({ row }, i) => row.y - lines[i]!.row.y);
  const isFull = lines.slice(0, first).every(({ cells }) => cells.length === 2);
  return isFull && Math.min(...gaps.slice(0, first - 1)) > 0.9 * Math.min(...gaps.slice(first - 1));
}

/**
 * Gives a row that lacks a cell between two others an empty one there, so that each cell stands under its title. The
 * columns are those of the rows with as many cells as most rows have.
 */
function inColumns(lines: readonly (readonly Segment[])[], head: number): (readonly (Segment | undefined)[])[] {
  const found = gridOf(lines, head);
  if (found) {
    const { grid, isFull } = found;
    // Rows of two cells together, below a table of many columns, are another one.
    const isApart = (line: readonly Segment[] | undefined): boolean =>
      line?.length === 2 && grid.length > (isFull ? 3 : 2);
    return lines.map((cells, row) => {
      const another = isApart(cells) && (isApart(lines[row - 1]) || isApart(lines[row + 1]));
      return another || cells.length < 2 ? cells : placed(cells, grid, row >= head);
    });
  }
  const columns = columnsOf(lines);
  // Several such rows together are a table of their own.
  const isUsual = (line: readonly Segment[] | undefined): boolean =>
    line === undefined || line.length < 2 || line.length === columns.length;
  return lines.map((cells, row) => {
    if (isUsual(cells) || cells.length > columns.length || columns.length === 0) return cells;
    if (!isUsual(lines[row - 1]) || !isUsual(lines[row + 1])) return cells;
    const places = cells.map((cell) => columns.map((column) => over(cell, column)));
    const at = places.map((shares) => shares.indexOf(Math.max(...shares)));
    const sure = places.every(
      (shares, i) => shares[at[i]!]! > 0.3 && shares.filter((share) => share > 0.1).length === 1,
    );
    if (!sure || at.some((column, i) => i > 0 && column <= at[i - 1]!)) return cells;
    return columns.slice(at[0], at.at(-1)! + 1).map((_, i) => cells[at.indexOf(i + at[0]!)]);
  });
}

/**
 * The columns that all cells of a table stand in, one above the other with room between the columns; undefined where
 * cells reach over several. Some line fills them all, and each has values, many of them where it has no title: marks of
 * notes between two numbers are no column.
 */
function gridOf(
  lines: readonly (readonly Segment[])[],
  head: number,
): { readonly grid: readonly Reach[]; readonly isFull: boolean } | undefined {
  const body = lines.slice(head).filter((cells) => cells.length > 1);
  const titles = head === 0 ? [] : lines[head - 1]!;
  const used = [...(titles.length > 1 ? [titles] : []), ...body];
  const columns: { x0: number; x1: number }[] = [];
  let isTitled = false;
  let hasValues = false;
  for (const cell of used.flat().sort((a, b) => a.x0 - b.x0)) {
    const last = columns.at(-1);
    const isTitle = titles.includes(cell);
    // A title beside its values: one has no values below it, the other no title above.
    const isBeside = isTitle ? !isTitled && !holds(cell, body) : !hasValues && !holds(cell, [titles]);
    if (last && (cell.x0 <= last.x1 || isBeside)) last.x1 = Math.max(last.x1, cell.x1);
    else columns.push({ x0: cell.x0, x1: cell.x1 });
    if (!last || columns.at(-1) !== last) [isTitled, hasValues] = [false, false];
    isTitled ||= isTitle;
    hasValues ||= !isTitle;
  }
  if (columns.length < 3 || used.length < 4) return undefined;
  if (used.some((cells) => new Set(cells.map((cell) => columnAt(cell, columns))).size < cells.length)) return undefined;
  const full = body.filter(({ length }) => length === columns.length).length;
  const isFull = titles.length >= columns.length || full >= 0.5 * body.length;
  // A column of labels needs no title.
  const [first] = columns;
  const isLabelled = !holds(first!, [titles]) && body.every((cells) => holds(first!, [cells]));
  if (!isFull && !(isLabelled && titles.length === columns.length - 1)) return undefined;
  // A title over nothing at all is that of the whole table.
  const isUsed = (column: Reach): boolean => {
    const values = body.filter((cells) => holds(column, [cells])).length;
    return values > 0.25 * body.length || (values > 0 && holds(column, [titles]));
  };
  return columns.every(isUsed) ? { grid: columns, isFull } : undefined;
}

function holds(column: Reach, lines: readonly (readonly Segment[])[]): boolean {
  return lines.some((cells) => cells.some((cell) => over(cell, column) > 0));
}

function columnAt(cell: Reach, columns: readonly Reach[]): number {
  return columns.findIndex((column) => over(cell, column) > 0);
}

/**
 * The cells from the first to the last one, with what is missing between them.
 * @param fromFirst whether they begin with the first column
 */
function placed(cells: readonly Segment[], columns: readonly Reach[], fromFirst: boolean): (Segment | undefined)[] {
  const at = cells.map((cell) => columnAt(cell, columns));
  if (at.some((column, i) => column < 0 || (i > 0 && column === at[i - 1]!))) return [...cells];
  const isLeft = at[0]! <= at.at(-1)!;
  const [from, to] = [fromFirst && isLeft ? 0 : Math.min(...at), Math.max(...at)];
  const row = Array.from({ length: to - from + 1 }, (_, i) => cells[at.indexOf(from + i)]);
  return isLeft ? row : row.reverse();
}

/** The reach of each column; none when rows of the usual length do not agree on them. */
function columnsOf(lines: readonly (readonly Segment[])[]): { readonly x0: number; readonly x1: number }[] {
  const byLength = Map.groupBy(
    lines.filter((cells) => cells.length > 2),
    ({ length }) => length,
  );
  const [usual] = [...byLength.values()].sort((a, b) => b.length - a.length);
  if (!usual || usual.length < 3 || usual.length < lines.length / 3) return [];
  const columns = usual[0]!.map((_, i) => ({
    x0: Math.min(...usual.map((cells) => cells[i]!.x0)),
    x1: Math.max(...usual.map((cells) => cells[i]!.x1)),
  }));
  return columns.every(({ x1 }, i) => i === columns.length - 1 || x1 < columns[i + 1]!.x0) ? columns : [];
}

/** Joins stacked header lines column by column; a line with cells across several columns, or over none, stays above. */
function stack(
  lines: readonly (readonly Segment[])[],
  body: readonly (readonly Segment[])[],
  vocabulary: WordCounts,
): Segment[][] {
  if (lines.length < 2) return lines.map((line) => [...line]);
  const spans = (line: readonly Segment[]): boolean =>
    line.some((cell) =>
      lines.some((other) => other !== line && other.filter((part) => over(part, cell) > 0.3).length > 1),
    );
  const isOfTable = (line: readonly Segment[]): boolean =>
    line.length === 1 && !holds(line[0]!, [...lines.filter((other) => other !== line), ...body]);
  const wide = lines.filter(
    (line) =>
      spans(line) ||
      isBetween(line, lines) ||
      isAbovePairs(line, lines) ||
      nameParts(line, joinColumns(lines.slice(lines.indexOf(line) + 1), vocabulary)) !== undefined ||
      isOfTable(line),
  );
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
  let names = joinColumns(
    lines.filter((line) => !above.includes(line)),
    vocabulary,
  );
  for (let upper = spanning.at(-1); upper !== undefined; upper = spanning.at(-1)) {
    const parted = nameParts(upper, names);
    if (!parted) break;
    names = parted;
    spanning.pop();
  }
  return [...spanning, names].filter((line) => line.length > 0);
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

/** Whether two titles or more of a line stand in the middle of two titles each: `2022 | 2023` above four titles. */
function isAbovePairs(line: readonly Segment[], lines: readonly (readonly Segment[])[]): boolean {
  return lines.some((other) => {
    const pairs = other.slice(1).map((right, i) => (other[i]!.x0 + right.x1) / 2);
    const isAbove = (cell: Segment): boolean =>
      other.every((part) => over(part, cell) <= 0.3) && pairs.some((centre) => Math.abs(centre - middle(cell)) < 6);
    return other.length > line.length && line.filter(isAbove).length > 1;
  });
}

/** `Oleg Khaykin | 2019 | …` above `2018 | …`: the name belongs to all rows of its years, and is repeated in each. */
function fillDown(lines: readonly string[]): string[] {
  let label = '';
  return lines.map((line) => {
    const named = /^([^|]*\p{L}[^|]*) \| (?:fiscal |fy ?)?(?:19|20)\d\d(?= \|)/iu.exec(line);
    if (named) label = named[1]!;
    else if (label !== '' && /^(?: \| )?(?:fiscal |fy ?)?(?:19|20)\d\d \| /iu.test(line))
      return `${label} | ${line.replace(/^ \| /u, '')}`;
    else label = '';
    return line;
  });
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
