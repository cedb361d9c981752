import { IbidError } from '../../core/errors.ts';
import type { DocumentBuilder } from '../builder.ts';
import type { ReadLine, ReadPage, ReadScan } from './contract.ts';

/** The text of one line in its paragraph or table: a word that is cut at the line's end is joined with the rest. */
export function lineText(lines: readonly ReadLine[], at: number): string {
  const { text } = lines[at]!;
  const next = lines[at + 1];
  if (next === undefined) return text;
  if (next.row) return `${text}\n`;
  return /\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(next.text) ? text.slice(0, -1) : `${text} `;
}

/** Length of the rows that name the columns of a table; undefined of a paragraph. */
export function headerLength(lines: readonly ReadLine[]): number | undefined {
  if (lines[0]?.row === undefined) return undefined;
  return lines
    .filter(({ row }) => row === 'title')
    .map(({ text }) => text)
    .join('\n').length;
}

/** Writes the pages of a picture, a block for each paragraph or table. Pages are counted when there are several. */
export function writePages(builder: DocumentBuilder, pages: readonly ReadPage[]): void {
  for (const [index, { paragraphs }] of pages.entries()) {
    for (const lines of paragraphs) {
      if (builder.length > 0) builder.append('\n\n');
      const start = builder.length;
      for (const [at, line] of lines.entries()) {
        const { region, confidence } = line;
        const page = pages.length > 1 ? { page: index + 1 } : {};
        builder.locate(builder.append(lineText(lines, at)), { ...page, ocr: { region, confidence } });
      }
      const span = { start, end: builder.length };
      const head = headerLength(lines);
      if (head === undefined) builder.mark(span, { kind: 'paragraph' });
      else builder.mark(span, { kind: 'table', ...(head > 0 ? { header: { start, end: start + head } } : {}) });
    }
  }
}

export function hasText({ paragraphs }: ReadPage): boolean {
  return paragraphs.length > 0;
}

/** The mean confidence goes into the metadata; what failed, into the warnings. */
export function noteOcr(builder: DocumentBuilder, readings: readonly ReadScan[]): void {
  const lines = readings.flatMap(({ pages }) => pages.flatMap(({ paragraphs }) => paragraphs.flat()));
  const letters = lines.reduce((sum, { text }) => sum + text.length, 0);
  const sure = lines.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0);
  if (letters > 0) {
    builder.metadata.ocr = true;
    builder.metadata.ocrConfidence = Math.round((sure / letters) * 100) / 100;
  }
  for (const { failure } of readings) if (failure !== undefined) builder.warn('OCR_FAILED', failure);
}

/** The error of a file whose pictures gave no text: it waits where OCR failed, and is empty where OCR found nothing. */
export function unread(readings: readonly ReadScan[]): IbidError {
  const failure = readings.find((reading) => reading.failure !== undefined)?.failure;
  if (failure !== undefined) return new IbidError('FILE_SCANNED', `OCR failed: ${failure}`, { cause: failure });
  return new IbidError('FILE_EMPTY', 'OCR finds no text');
}
