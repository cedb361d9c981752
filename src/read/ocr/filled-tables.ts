/** Cells that tesseract leaves out where it reads a table column by column, mostly single figures. */
import type { ReadLine, ReadPage } from './contract.ts';
import { sureness } from './judged.ts';

/** The second reading may be less sure by so much, and lack this share of the letters. */
const LESS_SURE = 0.05;
const FEWEST_LETTERS = 0.9;

/** Whether a row of a table has an empty cell, or fewer cells than another. */
export function lacksCells(page: ReadPage): boolean {
  return page.paragraphs.some(isLacking);
}

function isLacking(lines: readonly ReadLine[]): boolean {
  if (!isTable(lines)) return false;
  const most = Math.max(...lines.map(({ text }) => cellsOf(text).length));
  return lines.some(({ text }) => filledCells(text) < most);
}

/**
 * The page with those of its tables taken from a reading line by line that have more cells there. A table beside other
 * text stays.
 */
export function withFilledTables(page: ReadPage, byLine: ReadPage): ReadPage {
  return {
    ...page,
    paragraphs: page.paragraphs.map((lines) => (isLacking(lines) && filled(lines, page, byLine)) || lines),
  };
}

function filled(
  table: readonly ReadLine[],
  { paragraphs }: ReadPage,
  byLine: ReadPage,
): readonly ReadLine[] | undefined {
  const [top, bottom] = [middle(table[0]!), middle(table.at(-1)!)];
  const slack = (bottom - top) / (2 * (table.length - 1));
  const isWithin = (line: ReadLine): boolean => middle(line) > top - slack && middle(line) < bottom + slack;
  if (paragraphs.some((lines) => lines !== table && lines.some(isWithin))) return undefined;
  const rows = byLine.paragraphs.filter(isTable).flatMap((lines) => lines.filter(isWithin));
  const isBetter =
    cells(rows) > cells(table) &&
    letters(rows) >= FEWEST_LETTERS * letters(table) &&
    sureness([{ paragraphs: [rows] }]) >= sureness([{ paragraphs: [table] }]) - LESS_SURE;
  return isBetter ? rows : undefined;
}

function isTable(lines: readonly ReadLine[]): boolean {
  return lines.length > 1 && lines[0]!.row !== undefined;
}

function cells(lines: readonly ReadLine[]): number {
  return lines.reduce((sum, { text }) => sum + filledCells(text), 0);
}

function letters(lines: readonly ReadLine[]): number {
  return lines.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
}

function cellsOf(text: string): string[] {
  return text.split(' | ');
}

function filledCells(text: string): number {
  return cellsOf(text).filter((cell) => cell.trim() !== '').length;
}

function middle({ region: [, top, , bottom] }: ReadLine): number {
  return (top + bottom) / 2;
}
