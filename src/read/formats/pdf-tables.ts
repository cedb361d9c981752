/** Tables: runs of rows whose cells stand in columns, written row by row with ` | ` between cells. */
import type { Row } from './pdf-layout.ts';
import { toRow } from './pdf-layout.ts';
import type { Segment } from './pdf-runs.ts';

export interface TableText {
  readonly lines: readonly string[];
  /** How many of the first lines are the header; 0 when none is visible. */
  readonly headerLines: number;
}

const CURRENCY = /^[([]?\s*(?:[$€£¥₩₹]|US\$|USD|EUR)\s*[([]?$/u;
const TRAILING = /^(?:%|\)|\]|\)%|%\))+$/u;
const NUMERIC = /^[-–—−+~≈<>(]*\s*[$€£¥₩₹]?\s*[-–—−(]*\s*\d[\d.,\s%)×xX*†‡/:±$€£-]*$|^[-–—−*†]+$|^n\/?a$/iu;
const MARKER = /^(?:[•●○◦▪■□–—*·‣➢✓]|\(?(?:\d{1,3}|[a-z]|[ivxl]{1,5})[.)]|\d{1,2}(?:\.\d{1,2}){0,3}\.?|\[\d{1,3}\])$/iu;

/** The cells of a row: its segments, with a currency sign joined to its number and a percent sign or bracket to its own. */
export function cellsOf(row: Row): Segment[] {
  const cells: Segment[] = [];
  for (const segment of row.segments) {
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
 * Finds tables among a region's rows.
 * @returns half-open index ranges, in order
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
      if (gap > 4.5 * Math.max(rows[j]!.size, rows[j - 1]!.size)) break;
      if (cells[j]!.length >= 2) {
        if (!sharesColumn(cells[j]!, cells.slice(Math.max(i, j - 6), j))) break;
        multi++;
        end = j + 1;
      } else if (j - end >= 3 || runsOn(rows[j]!, rows, i, end)) {
        break;
      }
    }
    if (multi >= 2) {
      found.push([i, end]);
      i = end;
    } else {
      i++;
    }
  }
  return found.map(([start, end]): [number, number] => [headStart(rows, start, found), end]);
}

/** A single-cell row as wide as the table is prose after it, not a label inside it. */
function runsOn(row: Row, rows: readonly Row[], start: number, end: number): boolean {
  const within = rows.slice(start, end);
  const x0 = Math.min(...within.map((r) => r.x0));
  const x1 = Math.max(...within.map((r) => r.x1));
  return row.x1 - row.x0 > 0.8 * (x1 - x0) && row.text.split(' ').length > 6;
}

/** Takes in a header line that has one cell only (a spanning "Year ended June 29,") right above the first row. */
function headStart(rows: readonly Row[], start: number, found: readonly (readonly [number, number])[]): number {
  const above = rows[start - 1];
  const first = rows[start]!;
  if (!above || found.some(([, end]) => end === start)) return start;
  const near = first.y - above.y < 1.7 * first.size;
  const inner = above.x0 > first.x0 + 3 * first.size && above.x1 - above.x0 < 0.6 * (first.x1 - first.x0);
  return near && inner && above.text.length < 60 ? start - 1 : start;
}

/** Whether two of the cells (one, of two) stand under cells of some row above: same left edge, right edge or middle. */
function sharesColumn(cells: readonly Segment[], above: readonly (readonly Segment[])[]): boolean {
  return above.some((row) => {
    if (row.length < 2) return false;
    const hits = cells.filter((cell) => row.some((other) => aligned(cell, other))).length;
    return hits >= Math.min(2, cells.length, row.length);
  });
}

function aligned(a: Segment, b: Segment): boolean {
  const near = 0.6 * Math.max(a.size, b.size);
  if (Math.abs(a.x0 - b.x0) < near || Math.abs(a.x1 - b.x1) < near) return true;
  if (Math.abs(a.x0 + a.x1 - b.x0 - b.x1) < 2 * near) return true;
  return Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0) > 0.6 * Math.min(a.x1 - a.x0, b.x1 - b.x0);
}

/** Writes a table's rows; a label broken over two lines becomes one. */
export function tableText(rows: readonly Row[]): TableText {
  const joined = joinLabels(rows);
  const cells = joined.map(cellsOf);
  const lines = cells.map((row) => row.map((cell) => cell.text.replace(/\s*\|\s*/gu, ' / ')).join(' | '));
  const firstData = cells.findIndex((row) => row.length >= 2 && numericShare(row) >= 0.5 && !isYears(row));
  let headerLines = 0;
  if (firstData > 0 && firstData <= 5) headerLines = firstData;
  else if (firstData === -1 && joined[0]!.bold && joined.slice(1).some((row) => !row.bold)) headerLines = 1;
  // A section label right above the first data row ("Revenues:") is no header.
  while (headerLines > 1 && cells[headerLines - 1]!.length === 1 && /:$/u.test(lines[headerLines - 1]!)) headerLines--;
  return { lines, headerLines };
}

function numericShare(cells: readonly Segment[]): number {
  const data = isNumeric(cells[0]!.text) ? cells : cells.slice(1);
  return data.filter((cell) => isNumeric(cell.text)).length / Math.max(data.length, 1);
}

function isYears(cells: readonly Segment[]): boolean {
  const data = cells.filter((cell) => isNumeric(cell.text));
  return data.length > 0 && data.every((cell) => /^(?:19|20)\d\d\*?$/u.test(cell.text.trim()));
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
