/** Tables whose cells are parted by drawn lines: the lines say which text is one cell, and how far it reaches. */
import { isNumeric, isYears } from './cells.ts';
import type { Row } from './layout.ts';
import { joinLines, type WordCounts } from './repair.ts';
import type { Rule } from './rules.ts';
import type { Segment } from './runs.ts';
import type { TableText } from './table-text.ts';

/** A row of a ruled table: the lines of text of its cell in each column. */
export interface RuledRow {
  readonly table: RuledTable;
  readonly cells: readonly (readonly string[])[];
}

export interface RuledTable {
  /** Rows at the start that are titles. */
  readonly head: number;
}

/** Lines that are so near are one, or meet. */
const NEAR = 3;
/** What has more is a page with a frame and boxes. */
const MOST_LINES = 12;
const MOST_CELLS = 5000;
const LONGEST_TITLE = 60;
const LONGEST_LABEL = 100;
/** `2023`, `Fee 2023 (EUR)`, `Q1 2023` */
const DATED_TITLE = /^(?:\D*|Q[1-4] )(?:19|20)\d\d\D*$/u;

/**
 * The segments of a page, those of each ruled table as one segment a row.
 * @param head rows at the start that are titles, if that is known
 */
export function withRuledTables(segments: readonly Segment[], grids: readonly Grid[], head: number = 0): Segment[] {
  let rest = [...segments];
  const found: Segment[] = [];
  for (const grid of grids) {
    const { left, right, top, bottom } = edgesOf(grid);
    const touches = ({ x0, x1, y, size }: Segment): boolean =>
      y - size / 3 > top && y - size / 3 < bottom && x1 > left && x0 < right;
    const rows = rowsOf(grid, rest.filter(touches), head);
    if (!rows) continue;
    rest = rest.filter((segment) => !touches(segment));
    found.push(...rows);
  }
  return [...rest, ...found];
}

/** Lines of a page that meet: the edges of columns and rows, and which parts of the edges are drawn. */
export interface Grid {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly rules: readonly Rule[];
}

function edgesOf({ xs, ys }: Grid): { left: number; right: number; top: number; bottom: number } {
  return { left: xs[0]!, right: xs.at(-1)!, top: ys[0]!, bottom: ys.at(-1)! };
}

/** The grids among the lines of a page, whether or not they hold a table. */
export function gridsOf(rules: readonly Rule[]): Grid[] {
  const whole = [true, false].flatMap((isUpright) => joined(rules.filter((rule) => rule.isUpright === isUpright)));
  const uprights = whole.filter(({ isUpright }) => isUpright);
  const levels = whole.filter(({ isUpright }) => !isUpright);
  if (uprights.length * levels.length > 10 * MOST_CELLS) return [];
  const groupOf = new Map(whole.map((rule) => [rule, new Set([rule])]));
  for (const upright of uprights)
    for (const level of levels) {
      if (!reaches(upright, level.at) || !reaches(level, upright.at)) continue;
      const [group, other] = [groupOf.get(upright)!, groupOf.get(level)!];
      if (group === other) continue;
      for (const rule of other) groupOf.set(rule, group.add(rule));
    }
  const grids: Grid[] = [];
  for (const group of new Set(groupOf.values())) {
    const own = [...group];
    const level = own.filter(({ isUpright }) => !isUpright);
    const xs = clusters(own.filter(({ isUpright }) => isUpright).map(({ at }) => at));
    const ys = clusters(level.map(({ at }) => at));
    const grid = { xs, ys, rules: own };
    if (xs.length > 2 && ys.length > 1 && xs.length * ys.length <= MOST_CELLS && isClosed(grid)) grids.push(grid);
  }
  return grids;
}

/** Whether it has several rows. One row may be a box with parts. */
export function hasRows({ ys }: Grid): boolean {
  return ys.length > 2;
}

/** The grids of each page; one of a single row only where a table of the page before or after has the same columns. */
export function withLoneRows(pages: readonly (readonly Grid[])[]): Grid[][] {
  const whole = pages.map((grids) => grids.filter(hasRows));
  const hasSame = ({ xs }: Grid, page: number): boolean =>
    (whole[page] ?? []).some(
      (other) => other.xs.length === xs.length && other.xs.every((x, i) => Math.abs(x - xs[i]!) <= NEAR),
    );
  return pages.map((grids, i) => grids.filter((grid) => hasRows(grid) || hasSame(grid, i - 1) || hasSame(grid, i + 1)));
}

/** Whether its lines go around it: others are between a table and its margin, and say nothing of its rows. */
function isClosed(grid: Grid): boolean {
  const { left, right, top, bottom } = edgesOf(grid);
  const isWithin = ({ isUpright, from, to }: Rule): boolean =>
    isUpright ? from > top - 2 * NEAR && to < bottom + 2 * NEAR : from > left - 2 * NEAR && to < right + 2 * NEAR;
  return (
    grid.rules.every(isWithin) &&
    [left, right].every((x) => isDrawn(grid, true, x, top, bottom)) &&
    [top, bottom].every((y) => isDrawn(grid, false, y, left, right))
  );
}

function isDrawn({ rules }: Grid, isUpright: boolean, at: number, from: number, to: number): boolean {
  return rules.some(
    (rule) =>
      rule.isUpright === isUpright &&
      Math.abs(rule.at - at) <= NEAR &&
      rule.from <= from + NEAR &&
      rule.to >= to - NEAR,
  );
}

function reaches({ from, to }: Rule, at: number): boolean {
  return from - NEAR <= at && at <= to + NEAR;
}

/** Lines that continue one another as one. */
function joined(rules: readonly Rule[]): Rule[] {
  const out: { isUpright: boolean; at: number; from: number; to: number }[] = [];
  const places = clusters(rules.map(({ at }) => at));
  const placeOf = (at: number): number => places.findLast((place) => place <= at + NEAR) ?? at;
  const placed = rules.map((rule) => ({ ...rule, at: placeOf(rule.at) }));
  for (const rule of placed.sort((a, b) => a.at - b.at || a.from - b.from)) {
    const last = out.at(-1);
    if (last?.at === rule.at && rule.from <= last.to + NEAR) last.to = Math.max(last.to, rule.to);
    else out.push(rule);
  }
  return out;
}

function clusters(values: readonly number[]): number[] {
  const out: number[] = [];
  for (const value of [...values].sort((a, b) => a - b)) if (value - (out.at(-1) ?? -Infinity) > NEAR) out.push(value);
  return out;
}

export interface Cell {
  readonly row: number;
  readonly column: number;
  readonly down: number;
  readonly across: number;
  readonly segments: Segment[];
}

/** The rows of a grid with its text; none where it is no table. */
function rowsOf(grid: Grid, segments: readonly Segment[], head: number): Segment[] | undefined {
  const { xs, ys } = grid;
  const { left, right } = edgesOf(grid);
  const cells = cellsOf(grid);
  if (!cells) return undefined;
  const [rows, columns] = [ys.length - 1, xs.length - 1];
  const at = Array.from({ length: rows }, () => new Array<Cell | undefined>(columns));
  for (const cell of cells)
    for (let row = cell.row; row < cell.row + cell.down; row++)
      at[row]!.fill(cell, cell.column, cell.column + cell.across);
  for (const segment of segments) {
    const middle = segment.y - segment.size / 3;
    const row = ys.findLastIndex((y) => y <= middle);
    const column = xs.findLastIndex((x) => x <= (segment.x0 + segment.x1) / 2);
    const cell = at[row]?.[column];
    if (!cell) return undefined;
    // What crosses a line is no text of a cell: a label of a drawing.
    if (segment.x0 < xs[cell.column]! - NEAR || segment.x1 > xs[cell.column + cell.across]! + NEAR) return undefined;
    cell.segments.push(segment);
  }
  const used = cells.filter((cell) => cell.segments.length > 0);
  if (used.length < cells.length / 2 || used.some((cell) => linesOf(cell).length > MOST_LINES)) return undefined;
  // Columns without a line between them: such lines do not part all cells.
  const pieces = used.map((cell) => Math.max(...linesOf(cell).map((line) => line.length)));
  if (pieces.some((n) => n > 2) || pieces.filter((n) => n > 1).length > used.length / 4) return undefined;
  const usedRows = new Set(used.map(({ row }) => row)).size;
  if (usedRows < Math.min(2, rows) || new Set(used.map(({ column }) => column)).size < 2) return undefined;
  const table = { head: head > 0 ? Math.min(head, rows - 1) : headOf(at, cells) };
  const out: Segment[] = [];
  for (const [i, row] of at.entries()) {
    const [top, bottom] = [ys[i]!, ys[i + 1]!];
    const own = row.flatMap((cell) => cell?.segments ?? []);
    const first = own.find(({ y }) => y > top) ?? own[0];
    if (!first) continue;
    const texts = row.map((cell, column) =>
      cell && isSaid(cell, i, column, table.head) ? linesOf(cell).map(textOf) : [],
    );
    const parts = i < table.head ? [texts] : partsOf(row, texts);
    const isAlone = table.head > 0 && i === rows - 1 && i === table.head;
    if (!parts || (isAlone && parts.length === 1 && texts.filter((lines) => lines.length > 1).length > 1))
      return undefined; // titles and all rows in one
    for (const [j, cellsOfPart] of parts.entries())
      out.push({
        ...first,
        x0: left,
        x1: right,
        y: top + ((j + 0.5) * (bottom - top)) / parts.length,
        text: cellsOfPart.flat().join(' '),
        ruled: { table, cells: cellsOfPart },
      });
  }
  return out;
}

/** A title is said of all columns below it, a value over several columns in the first, a label over rows in each. */
export function isSaid(cell: Cell, row: number, column: number, head: number): boolean {
  if (row < head) return true;
  if (cell.column !== column) return false;
  return cell.row === row || linesOf(cell).map(textOf).join(' ').length <= LONGEST_LABEL;
}

/**
 * A row of which a cell has a number on each of several lines, or all cells have as many lines, is as many rows, which no
 * line parts; what has one line is said of each. None where another cell has other lines.
 */
function partsOf(row: readonly (Cell | undefined)[], texts: readonly (readonly string[])[]): string[][][] | undefined {
  const several = texts.filter((lines) => lines.length > 1);
  const isEven = several.length > 2 && several.every((lines) => lines.length > 2);
  const numbers = several.find((lines) => isEven || lines.every(isNumeric));
  if (!numbers) return [texts.map((lines) => [...lines])];
  const isFitting = texts.every((lines, i) => lines.length < 2 || lines.length === numbers.length || row[i]!.down > 1);
  if (!isFitting) return isEven ? [texts.map((lines) => [...lines])] : undefined;
  return numbers.map((_, j) => texts.map((lines) => (lines.length === numbers.length ? [lines[j]!] : [...lines])));
}

/** The boxes that the drawn lines part; none where one is no box. */
function cellsOf(grid: Grid): Cell[] | undefined {
  const { xs, ys } = grid;
  const [rows, columns] = [ys.length - 1, xs.length - 1];
  const taken = Array.from({ length: rows }, () => new Array<boolean>(columns).fill(false));
  const cells: Cell[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      if (taken[row]![column]) continue;
      let across = 1;
      while (column + across < columns && !isDrawn(grid, true, xs[column + across]!, ys[row]!, ys[row + 1]!)) across++;
      let down = 1;
      while (row + down < rows && !isDrawn(grid, false, ys[row + down]!, xs[column]!, xs[column + across]!)) down++;
      for (let r = row; r < row + down; r++)
        for (let c = column; c < column + across; c++) {
          if (taken[r]![c]) return undefined;
          taken[r]![c] = true;
          if (c > column && isDrawn(grid, true, xs[c]!, ys[r]!, ys[r + 1]!)) return undefined;
        }
      cells.push({ row, column, down, across, segments: [] });
    }
  return cells;
}

export function linesOf({ segments }: Cell): Segment[][] {
  const lines: Segment[][] = [];
  for (const segment of [...segments].sort((a, b) => a.y - b.y)) {
    const last = lines.at(-1);
    if (last && segment.y - last[0]!.y <= 0.3 * segment.size) last.push(segment);
    else lines.push([segment]);
  }
  return lines.map((line) => line.sort((a, b) => (a.rtl ? b.x0 - a.x0 : a.x0 - b.x0)));
}

export function textOf(line: readonly Segment[]): string {
  return line.map(({ text }) => text).join(' ');
}

/**
 * How many rows at the start are titles: of bold words above others, or of words above three columns or above numbers;
 * below a title of the whole table.
 */
export function headOf(at: readonly (readonly (Cell | undefined)[])[], cells: readonly Cell[]): number {
  const columns = at[0]!.length;
  const start = at[0]![0]!.across === columns ? at[0]![0]!.down : 0;
  const titled = cells.filter(({ row, segments }) => row === start && segments.length > 0);
  const isBold = ({ segments }: Cell): boolean => segments.every(({ bold }) => bold);
  const below = cells.filter(({ row, segments }) => row > start && segments.length > 0);
  const texts = titled.map((cell) => linesOf(cell).map(textOf).join(' '));
  const bold = titled.every(isBold) && !below.every(isBold);
  const isForm = columns === 2 && below.filter(({ column }) => column === 0).every(isBold);
  const isNumber = ({ segments }: Cell): boolean => segments.every(({ text }) => isNumeric(text));
  // `Fee 2023` stands over figures that are no years
  const isOverNumbers = ({ column }: Cell): boolean => {
    const own = below.filter((cell) => cell.column === column);
    return column > 0 && own.every(isNumber) && !isYears(own.flatMap(({ segments }) => segments));
  };
  const words = texts.every(
    (text, i) =>
      text.length <= LONGEST_TITLE && (!/\d/u.test(text) || (DATED_TITLE.test(text) && isOverNumbers(titled[i]!))),
  );
  const hasNumbers = below.some((cell) => cell.column > 0 && isNumber(cell));
  const isHead = titled.length > 1 && !isForm && (bold || (words && (columns > 2 || hasNumbers)));
  if (!isHead) return start;
  const isParted = titled.some(({ across }) => across > 1);
  return Math.min(start + Math.max(isParted ? 2 : 1, ...titled.map(({ down }) => down)), at.length - 1);
}

/** Writes the rows of a ruled table; its titles as one line, those above others before them. */
export function ruledText(rows: readonly Row[], vocabulary: WordCounts): TableText {
  const written = rows
    .flatMap(({ segments: [first] }) => first?.ruled ?? [])
    .map(({ table, cells }) => ({
      table,
      cells: cells.map((lines) => joinLines(lines, vocabulary).replace(/\s*\|\s*/gu, ' / ')),
    }));
  const head = written.slice(0, written[0]?.table.head).map(({ cells }) => cells);
  const isWhole = (cells: readonly string[]): boolean => new Set(cells).size === 1;
  const titles = head.filter((cells) => !isWhole(cells));
  const stacked = (titles[0] ?? []).map((_, column) =>
    [...new Set(titles.map((cells) => cells[column]!))].join(' ').trim(),
  );
  const above = head.filter(isWhole).map((cells) => cells.slice(0, 1));
  const header = [...above, ...(titles.length > 0 ? [stacked] : [])];
  const body = written.slice(head.length).map(({ cells }) => cells);
  const lines = [...header, ...body].map((cells) => cells.join(' | ').replace(/(?: \| ?)+$/u, ''));
  return { lines, headerLines: header.length };
}
