import { expect, it } from 'vitest';
import { emptiedLines, skippedLines } from '../../src/cli/skipped.ts';

it('a scan that waits for a program names the program; one that the program could not read does not', () => {
  const waits = { uri: 'scan.pdf', code: 'FILE_SCANNED', message: 'the PDF has 2 pages and no text' } as const;
  const failed = { uri: 'torn.pdf', code: 'FILE_SCANNED', message: 'OCR failed: pdftoppm: no page' } as const;
  expect(skippedLines([waits, failed])).toEqual([
    'waits   scan.pdf: the PDF has 2 pages and no text [FILE_SCANNED]',
    'waits   torn.pdf: OCR failed: pdftoppm: no page [FILE_SCANNED]',
    expect.stringMatching(/^1 file waits for OCR: install tesseract/),
  ]);
  expect(skippedLines([failed])).toHaveLength(1);
  expect(skippedLines([waits], { ocr: false }).at(-1)).toBe('1 file waits for OCR: ingest again without --no-ocr');
});

it('where languages of scans were named, they are named among what to install', () => {
  const waits = { uri: 'scan.pdf', code: 'FILE_SCANNED', message: 'the PDF has 2 pages and no text' } as const;
  expect(skippedLines([waits], { ocrLanguages: 'deu+chi_sim' }).at(-1)).toBe(
    '1 file waits for OCR: install tesseract with deu, chi_sim (apt-get install tesseract-ocr tesseract-ocr-deu tesseract-ocr-chi-sim poppler-utils, brew install tesseract tesseract-lang poppler) and ingest again',
  );
});

it('names files that were emptied, twenty at most', () => {
  expect(emptiedLines({})).toEqual([]);
  const emptied = Array.from({ length: 22 }, (_, i) => `docs/${i}.md`);
  const lines = emptiedLines({ emptied });
  expect(lines).toHaveLength(21);
  expect(lines[0]).toBe('emptied docs/0.md: it holds no text now, and is no longer in the index');
  expect(lines.at(-1)!.trim()).toBe('… and 2 more');
});
