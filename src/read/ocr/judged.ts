/** How good a reading is, by its confidences and places. */
import type { ReadLine, ReadPage } from './contract.ts';

/** Rows of tables below this confidence are read again. */
const SURE_ROW = 0.8;

/** Mean confidence of the letters; 0 without any. */
export function sureness(pages: readonly ReadPage[]): number {
  const lines = pages.flatMap(linesOf);
  const letters = lines.reduce((sum, { text }) => sum + text.length, 0);
  return lines.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / Math.max(1, letters);
}

/** The same of the lines of words, where there are any: figures look alike in all scripts. */
export function wordSureness(pages: readonly ReadPage[]): number {
  const words = pages.map(({ paragraphs }) => ({
    paragraphs: [paragraphs.flat().filter(({ text }) => !isMostlyFigures(text))],
  }));
  return words.some(({ paragraphs }) => paragraphs.flat().length > 0) ? sureness(words) : sureness(pages);
}

function isMostlyFigures(text: string): boolean {
  return (text.match(/\p{L}/gu)?.length ?? 0) < (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) / 2;
}

export function hasUnsureRow(page: ReadPage): boolean {
  return linesOf(page).some(({ row, confidence }) => row !== undefined && confidence < SURE_ROW);
}

/** Whether no two lines but rows of tables stand beside each other. */
export function isOneColumn(page: ReadPage): boolean {
  const lines = linesOf(page)
    .filter(({ row }) => row === undefined)
    .sort((a, b) => a.region[1] - b.region[1]);
  return lines.every((line, at) => {
    const next = lines[at + 1];
    return next === undefined || !areBeside(line, next);
  });
}

function areBeside({ region: a }: ReadLine, { region: b }: ReadLine): boolean {
  const shared = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  const isLevel = shared > 0.5 * Math.min(a[3] - a[1], b[3] - b[1]);
  return isLevel && (a[2] < b[0] || b[2] < a[0]);
}

function linesOf({ paragraphs }: ReadPage): ReadLine[] {
  return paragraphs.flat();
}
