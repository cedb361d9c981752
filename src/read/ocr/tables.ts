/**
 * Tables of a scanned page. Tesseract reads the columns of a table as texts of their own, one after the other; here what
 * stands beside each other becomes a row again. Columns of prose stay as they are.
 */
import { quantile } from '../../eval/summary.ts';
import type { ReadLine } from './contract.ts';
import { isBorder, isFigure, isProseBlock, withoutBorders } from './kinds.ts';
import { heightOf, isRightToLeft, lineOf, type Place, textOf, uprightOf, type Word, type WordLine } from './words.ts';

/** Words of one line without a wide gap. */
export interface Cell extends Place {
  readonly words: readonly Word[];
  readonly line: WordLine;
}

interface Row {
  /** From left to right. */
  readonly cells: Cell[];
  readonly y0: number;
  readonly y1: number;
}

export interface FoundTable {
  readonly lines: ReadonlySet<WordLine>;
  readonly rows: readonly ReadLine[];
}

/** Between two cells of one line, in heights of words; the gap between words is about a third. */
const CELL_GAP = 1.3;
/** Typewriters set words further apart: at most so far, and in usual gaps of long lines. */
const WIDE_CELL_GAP = 1.9;
const USUAL_GAPS = 2;
const LONG_LINE = 6;
/** From one row to the next, in heights of words. */
const MOST_GAP = 5;
/** How far two edges of a column are apart, in heights of words. */
const SAME_EDGE = 0.8;
/** Rows without a second cell, between two that have one. */
const MOST_BETWEEN = 3;
const LEAST_ROWS = 3;
/** Lines of a wrapped cell stand closer than rows. */
const CLOSER = 0.8;

/** @param size of the page, in dots */
export function findTables(lines: readonly WordLine[], size: readonly [number, number]): FoundTable[] {
  const place = uprightOf(lines);
  const height = heightOf(lines.flatMap(({ words }) => words.map(({ box }) => place(box))));
  const isRtl = isRightToLeft(lines);
  const gap = cellGap(lines, place, height);
  const cells = lines.map((line) => cellsOf(line, place, gap));
  const kinds = kindsOf(lines, place);
  const rows = rowsOf(cells, kinds);
  const inRows = new Set(rows.flatMap((row) => (row.cells.length > 1 ? row.cells.map(({ line }) => line.block) : [])));
  // A paragraph, no line of which stands in a row with others.
  const isApart = ({ cells: [cell, second] }: Row): boolean =>
    second === undefined && kinds.get(cell!.line.block) === 'prose' && !inRows.has(cell!.line.block);
  return rangesOf(rows, isApart, height).map(([start, end]) => {
    const within = rows.slice(start, end).filter((row) => !isApart(row));
    const written = write(within, size, isRtl);
    return { lines: new Set(within.flatMap((row) => row.cells.map(({ line }) => line))), rows: written };
  });
}

/** The least distance of two cells of a line, in dots. */
function cellGap(lines: readonly WordLine[], place: (box: Word['box']) => Place, height: number): number {
  const gaps = lines
    .filter(({ words }) => words.length >= LONG_LINE)
    .flatMap(({ words }) => {
      const places = words.map(({ box }) => place(box)).sort((a, b) => a.x0 - b.x0);
      return places.slice(1).map(({ x0 }, i) => x0 - places[i]!.x1);
    });
  const usual = gaps.length === 0 ? 0 : quantile(gaps, 0.5);
  return Math.min(Math.max(CELL_GAP * height, USUAL_GAPS * usual), WIDE_CELL_GAP * height);
}

function cellsOf(line: WordLine, place: (box: Word['box']) => Place, gap: number): Cell[] {
  const parts: { words: Word[]; places: Place[] }[] = [];
  const placed = line.words.map((word) => ({ word, at: place(word.box) })).sort((a, b) => a.at.x0 - b.at.x0);
  let isCut = true;
  for (const { word, at } of placed) {
    if (isBorder(word.text)) {
      isCut = true;
      continue;
    }
    const end = Math.max(...(parts.at(-1)?.places ?? []).map(({ x1 }) => x1));
    if (isCut || at.x0 - end > gap) parts.push({ words: [], places: [] });
    isCut = false;
    parts.at(-1)!.words.push(word);
    parts.at(-1)!.places.push(at);
  }
  return parts.map(({ words, places }) => ({
    line,
    words: line.words.filter((word) => words.includes(word)), // in the order of reading
    x0: Math.min(...places.map(({ x0 }) => x0)),
    x1: Math.max(...places.map(({ x1 }) => x1)),
    y0: Math.min(...places.map(({ y0 }) => y0)),
    y1: Math.max(...places.map(({ y1 }) => y1)),
  }));
}

type Kind = 'prose' | 'figures' | 'numbers' | 'words';

function kindsOf(lines: readonly WordLine[], place: (box: Word['box']) => Place): ReadonlyMap<string, Kind> {
  const blocks = Map.groupBy(lines, ({ block }) => block);
  return new Map(
    Array.from(blocks, ([block, all]) => {
      const widths = all.map(({ words }) => {
        const places = words.map(({ box }) => place(box));
        return Math.max(...places.map(({ x1 }) => x1)) - Math.min(...places.map(({ x0 }) => x0));
      });
      const texts = all.map(({ words }) => textOf(words));
      if (isProseBlock(texts, widths)) return [block, 'prose'];
      if (texts.every((text) => /^\d{1,4}$/u.test(text))) return [block, 'numbers'];
      return [block, texts.filter(isFigure).length >= texts.length / 2 ? 'figures' : 'words'];
    }),
  );
}

/** Cells on one height are a row, but for lines of prose beside each other, and numbers before lines. */
function rowsOf(lines: readonly Cell[][], kinds: ReadonlyMap<string, Kind>): Row[] {
  const rows: { cells: Cell[]; y0: number; y1: number }[] = [];
  const filled = lines.filter((cells) => cells.length > 0).sort((a, b) => middle(a[0]!) - middle(b[0]!));
  for (const cells of filled) {
    const [first] = cells;
    const row = rows
      .slice(-8)
      .find(
        ({ cells: others, y0, y1 }) =>
          Math.min(first!.y1, y1) - Math.max(first!.y0, y0) > 0.5 * Math.min(first!.y1 - first!.y0, y1 - y0) &&
          others.every((other) => cells.every((cell) => mayJoin(cell, other, kinds))),
      );
    if (row) row.cells.push(...cells);
    else rows.push({ cells: [...cells], y0: first!.y0, y1: first!.y1 });
  }
  for (const row of rows) row.cells.sort((a, b) => a.x0 - b.x0);
  return rows;
}

function mayJoin(a: Cell, b: Cell, kinds: ReadonlyMap<string, Kind>): boolean {
  if (Math.min(a.x1, b.x1) > Math.max(a.x0, b.x0)) return false;
  const [left, right] = (a.x0 < b.x0 ? [a, b] : [b, a]).map(({ line }) => kinds.get(line.block));
  if (left === 'prose') return right === 'figures' || right === 'numbers';
  return right === 'prose' ? left === 'figures' : true;
}

/**
 * Half-open ranges of rows that are a table.
 * @param isApart whether a row is of a paragraph, which ends a table that it is below, and may stand beside one
 */
function rangesOf(
  rows: readonly Row[],
  isApart: (row: Row) => boolean,
  height: number,
): [start: number, end: number][] {
  const found: [number, number][] = [];
  for (let start = 0; start < rows.length; start++) {
    if (rows[start]!.cells.length < 2) continue;
    let end = start + 1;
    let between = 0;
    for (let at = end; at < rows.length; at++) {
      const row = rows[at]!;
      if (middle(row) - middle(rows[at - 1]!) > MOST_GAP * height || between > MOST_BETWEEN) break;
      if (isApart(row)) {
        if (rows.slice(start, at).some((above) => !isApart(above) && areOver(above, row))) break;
        continue;
      }
      if (row.cells.length < 2) {
        between++;
        continue;
      }
      between = 0;
      if (!rows.slice(Math.max(start, at - 12), at).some((above) => haveColumn(above, row, height))) break;
      end = at + 1;
    }
    const multi = rows.slice(start, end).filter(({ cells }) => cells.length > 1);
    const hasFigures = multi.every(({ cells }) => cells.some((cell, i) => i > 0 && isFigure(textOf(cell.words))));
    const isPair = multi.length === 2 && (hasFigures || (end - start === 2 && areLevel(multi, height)));
    if (multi.length >= LEAST_ROWS || isPair) {
      while (end < rows.length && isTail(rows, start, end)) end++;
      found.push([start, end]);
      start = end - 1;
    }
  }
  return found;
}

function areOver(above: Row, row: Row): boolean {
  return above.cells.some((cell) => row.cells.some((other) => reachOver(cell, other)));
}

/** Whether two rows have as many cells, and each of them begins where the other does: names over the boxes of a form. */
function areLevel([above, row]: readonly Row[], height: number): boolean {
  const isBelow = (cell: Cell, at: number): boolean =>
    Math.abs(cell.x0 - (above!.cells[at]?.x0 ?? Infinity)) < SAME_EDGE * height;
  return above!.cells.length === row!.cells.length && row!.cells.every(isBelow);
}

/** Whether the row after a table is the rest of a cell that is not the first. */
function isTail(rows: readonly Row[], start: number, end: number): boolean {
  const [before, row] = [rows[end - 1]!, rows[end]!];
  const multi = rows.slice(start, end).filter(({ cells }) => cells.length > 1);
  const pitch = Math.min(...multi.slice(1).map((each, i) => middle(each) - middle(multi[i]!)));
  return row.cells.length === 1 && isRest(row, before, pitch);
}

/** Whether two rows have a column in common besides the first. */
function haveColumn(above: Row, row: Row, height: number): boolean {
  const near = SAME_EDGE * height;
  return row.cells.slice(1).some((cell) =>
    above.cells.slice(1).some((other) => {
      const isRight = Math.abs(cell.x1 - other.x1) < near && [cell, other].some(({ words }) => isFigure(textOf(words)));
      const isCentred = Math.abs(cell.x0 + cell.x1 - other.x0 - other.x1) < 2 * near;
      return isRight || isCentred || Math.abs(cell.x0 - other.x0) < near;
    }),
  );
}

function write(rows: readonly Row[], size: readonly [number, number], isRtl: boolean): ReadLine[] {
  const joined = joinRests(rows);
  const columns = columnsOf(joined);
  const head = isHead(joined) ? 1 : 0;
  return joined.map((cells, at): ReadLine => {
    const placed = columns && cells.length > 1 ? inColumns(cells, columns) : cells.map((cell) => [cell]);
    const texts = placed.map((parts) => withoutBorders(parts.map(({ words }) => textOf(words)).join(' ')));
    const words = cells.flatMap((cell) => cell.words);
    const text = (isRtl ? texts.reverse() : texts).join(' | ');
    return { ...lineOf(words, size, text), row: at < head ? 'title' : 'data' };
  });
}

/** Rows with the lines of wrapped cells joined to what they go on. */
function joinRests(rows: readonly Row[]): Cell[][] {
  const multi = rows.filter(({ cells }) => cells.length > 1);
  const gaps = multi.slice(1).map((row, i) => middle(row) - middle(multi[i]!));
  const pitch = Math.min(...gaps);
  const out: { row: Row; cells: Cell[] }[] = [];
  for (const row of rows) {
    const before = out.at(-1);
    if (!before || !isRest(row, before.row, pitch)) {
      out.push({ row, cells: [...row.cells] });
      continue;
    }
    for (const cell of row.cells) {
      const at = before.cells.findIndex((other) => reachOver(cell, other));
      before.cells[at] = {
        ...before.cells[at]!,
        x0: Math.min(cell.x0, before.cells[at]!.x0),
        x1: Math.max(cell.x1, before.cells[at]!.x1),
        words: [...before.cells[at]!.words, ...cell.words],
      };
    }
    before.row = { ...before.row, y0: row.y0, y1: row.y1 };
  }
  return out.map(({ cells }) => cells);
}

/** Whether a row goes on with cells of the row before: fewer ones, each below one in words, closer than rows are. */
function isRest(row: Row, before: Row, pitch: number): boolean {
  if (row.cells.length >= before.cells.length || middle(row) - middle(before) > CLOSER * pitch) return false;
  return row.cells.every((cell) => {
    const over = before.cells.find((other) => reachOver(cell, other));
    return over && !isFigure(textOf(over.words)) && !isFigure(textOf(cell.words));
  });
}

/** The columns that all cells of the rows stand in; undefined where some row has two cells in one of them. */
function columnsOf(rows: readonly (readonly Cell[])[]): Pick<Place, 'x0' | 'x1'>[] | undefined {
  const columns: { x0: number; x1: number }[] = [];
  const multi = rows.filter(({ length }) => length > 1);
  for (const { x0, x1 } of multi.flat().sort((a, b) => a.x0 - b.x0)) {
    const last = columns.at(-1);
    if (last && x0 < last.x1) last.x1 = Math.max(last.x1, x1);
    else columns.push({ x0, x1 });
  }
  const most = Math.max(...multi.map(({ length }) => length));
  return columns.length === most ? columns : undefined;
}

function inColumns(cells: readonly Cell[], columns: readonly Pick<Place, 'x0' | 'x1'>[]): Cell[][] {
  const placed = columns.map((column) => cells.filter((cell) => reachOver(cell, column)));
  return placed.slice(0, placed.findLastIndex(({ length }) => length > 0) + 1);
}

/** Whether the first row names columns: words over rows with figures. */
function isHead([first = [], ...rest]: readonly (readonly Cell[])[]): boolean {
  const texts = first.map(({ words }) => textOf(words));
  if (texts.length < 2 || texts.some((text, i) => isFigure(text) && (i === 0 || !/^(?:1[5-9]|20)\d\d$/u.test(text))))
    return false;
  const figures = rest.filter((cells) => cells.some((cell, i) => i > 0 && isFigure(textOf(cell.words))));
  return figures.length > 0 && figures.length >= rest.length / 2;
}

function reachOver(a: Pick<Place, 'x0' | 'x1'>, b: Pick<Place, 'x0' | 'x1'>): boolean {
  return Math.min(a.x1, b.x1) > Math.max(a.x0, b.x0);
}

function middle({ y0, y1 }: Pick<Place, 'y0' | 'y1'>): number {
  return (y0 + y1) / 2;
}
