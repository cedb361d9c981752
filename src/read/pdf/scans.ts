/** Pages of a PDF that hold a picture and no text, read by OCR. */
import type { ReadScan } from '../ocr/contract.ts';
import { headerLength, lineText } from '../ocr/lines.ts';
import type { PdfBlock } from './drafts.ts';

export interface ScannedPage {
  readonly page: number;
  readonly reading: ReadScan;
}

const POINTS_PER_INCH = 72;

/** @param box [x0, y0, x1, y1] in points */
export function longerSide([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[]): number {
  return Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)) / POINTS_PER_INCH;
}

/** The blocks of pages with text and of scanned pages, in the order of the pages. */
export function withScans(blocks: readonly PdfBlock[], scanned: readonly ScannedPage[]): readonly PdfBlock[] {
  if (scanned.length === 0) return blocks;
  const merged: PdfBlock[] = [];
  let next = 0;
  for (const block of blocks) {
    while (next < scanned.length && scanned[next]!.page < block.pieces[0]!.page)
      merged.push(...blocksOf(scanned[next++]!));
    merged.push(block);
  }
  for (const page of scanned.slice(next)) merged.push(...blocksOf(page));
  return merged;
}

function blocksOf({ page, reading }: ScannedPage): PdfBlock[] {
  return reading.pages
    .flatMap(({ paragraphs }) => paragraphs)
    .map((lines) => ({
      kind: headerLength(lines) === undefined ? 'paragraph' : 'table',
      pieces: lines.map((line, at) => {
        const { region, confidence } = line;
        return { text: lineText(lines, at), page, ocr: { region, confidence } };
      }),
      headerLength: headerLength(lines) ?? 0,
    }));
}
