import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Document } from '../../../src/core/types.ts';
import { createReader } from '../../../src/read/reader.ts';
import { tempFolder } from '../../support/temp.ts';
import { standInTesseract, table } from '../../support/tesseract.ts';
import { at, makePdf } from './formats-make.ts';
import { codes, expectSound } from './helpers.ts';

const picture = `<< /Type /XObject /Subtype /Image /Width 64 /Height 32 /BitsPerComponent 8 /ColorSpace /DeviceGray /Length 2048 >>\nstream\n${'\x99'.repeat(2048)}\nendstream`;
const pdfOf = (...pages: readonly string[]): Uint8Array =>
  makePdf({ pages: [...pages], fonts: '>> /XObject << /Im1 100 0 R', objects: { 100: picture } });

/** Pages are 612 × 792 points. */
const whole = 'q 612 0 0 792 0 0 cm /Im1 Do Q';
const strips = [0, 1, 2, 3].map((i) => `q 612 0 0 198 0 ${198 * i} cm /Im1 Do Q`).join('\n');
const quarter = 'q 306 0 0 396 150 200 cm /Im1 Do Q';
const box = 'q 612 0 0 792 0 0 cm 0 0 1 1 re f Q';
const stamp = at(450, 20, 'SMITH-000417', { size: 9 });

async function read(bytes: Uint8Array, answers: readonly string[]): Promise<[Document, number]> {
  const standIn = standInTesseract(tempFolder(), answers);
  const reader = createReader({ ocr: { program: standIn.program, environment: { PATH: tempFolder() } } });
  onTestFinished(() => reader.close());
  const document = await reader.read({ bytes, uri: 'a.pdf' });
  expectSound(document);
  return [document, standIn.calls().length];
}

test.each([
  ['one picture', whole],
  ['a picture in strips', strips],
])('a page of %s with a stamp at its edge is read, and the stamp once', async (_, drawn) => {
  const seen = table([['Dear Mr Whitcombe'], ['SMITH - 000417']]);
  const [document] = await read(pdfOf(`${drawn}\n${stamp}`), [seen]);
  expect(document.text).toBe('SMITH-000417\n\nDear Mr Whitcombe');
  expect(document.locators.map(({ page, ocr }) => [page, ocr !== undefined])).toEqual([
    [1, false],
    [1, true],
  ]);
  expect(codes(document)).toEqual([]);
});

test.each([
  ['of a picture beside its text', `${quarter}\n${stamp}`],
  ['of a ground that is drawn', `${box}\n${stamp}`],
  ['with a text over a picture', `${whole}\n${at(100, 400, 'A title in the middle')}\n${stamp}`],
  ['with a text at its edge alone', stamp],
])('a page %s is not read by OCR', async (_, drawn) => {
  const [document, calls] = await read(pdfOf(drawn), [table([['Seen']])]);
  expect(calls).toBe(0);
  expect(document.text).not.toContain('Seen');
});

test('without tesseract the page waits, and the document says so', async () => {
  const reader = createReader({ ocr: { program: join(tempFolder(), 'tesseract') } });
  onTestFinished(() => reader.close());
  const document = await reader.read({ bytes: pdfOf(`${whole}\n${stamp}`), uri: 'a.pdf' });
  expect(document.text).toBe('SMITH-000417');
  expect(codes(document)).toEqual(['PDF_PAGES_WITHOUT_TEXT', 'WAITS_FOR_OCR']);
});
