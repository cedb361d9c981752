import { describe, expect, onTestFinished, test } from 'vitest';
import { locate } from '../../../src/core/location.ts';
import type { Document } from '../../../src/core/types.ts';
import { describePlace } from '../../../src/index.ts';
import { framesOf, sizeOf } from '../../../src/read/image/size.ts';
import type { OcrOptions } from '../../../src/read/ocr/contract.ts';
import { createReader } from '../../../src/read/reader.ts';
import { tempFolder } from '../../support/temp.ts';
import { standInTesseract, table } from '../../support/tesseract.ts';
import { codes, expectSound } from './helpers.ts';

/** Directories of pages of 40 × 30 dots, one after the other. @param kinds a 1 is a small copy of the page before */
function tiff(kinds: readonly number[], isBig = false, last = 0): Buffer {
  const size = 2 + 3 * 12 + 4;
  const file = Buffer.alloc(8 + kinds.length * size);
  const u16 = (at: number, value: number) => (isBig ? file.writeUInt16BE(value, at) : file.writeUInt16LE(value, at));
  const u32 = (at: number, value: number) => (isBig ? file.writeUInt32BE(value, at) : file.writeUInt32LE(value, at));
  file.write(isBig ? 'MM\0*' : 'II*\0', 'latin1');
  u32(4, 8);
  for (const [i, kind] of kinds.entries()) {
    const at = 8 + i * size;
    u16(at, 3);
    const tags = [
      [254, kind],
      [256, 40],
      [257, 30],
    ] as const;
    for (const [n, [tag, value]] of tags.entries()) {
      const entry = at + 2 + 12 * n;
      u16(entry, tag);
      u16(entry + 2, 4);
      u32(entry + 4, 1);
      u32(entry + 8, value);
    }
    u32(at + 2 + 36, i === kinds.length - 1 ? last : at + size);
  }
  return file;
}

describe('pages of a TIFF file', () => {
  test.each([false, true])('are counted, without small copies of others (big end first: %s)', (isBig) => {
    expect(framesOf(tiff([0, 1, 0, 2], isBig))).toEqual([1, 3, 4]);
    expect(sizeOf(tiff([0, 0], isBig))).toEqual([40, 30]);
  });

  test('in a circle or cut short are those that are there', () => {
    expect(framesOf(tiff([0, 0], false, 8))).toEqual([1, 2]);
    expect(framesOf(tiff([0, 0, 0]).subarray(0, 8 + 42 + 20))).toEqual([1]);
    expect(framesOf(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))).toEqual([1]);
  });
});

describe('a TIFF file of several pages', () => {
  const page = (text: string): string => table([[text]]);
  const read = async (answers: readonly string[], options: OcrOptions = {}): Promise<[Document, string[][]]> => {
    const standIn = standInTesseract(tempFolder(), answers);
    const reader = createReader({ ocr: { program: standIn.program, concurrency: 1, ...options } });
    onTestFinished(() => reader.close());
    const document = await reader.read({ bytes: tiff([0, 0, 0]), uri: 'fax.tif' });
    expectSound(document);
    return [document, standIn.calls().map(({ args }) => args)];
  };

  test('is read page by page, each within its own time', async () => {
    const seen: string[] = [];
    const onPage: OcrOptions['onPage'] = ({ page: at, pages }) => seen.push(`${at}/${pages}`);
    const [document, calls] = await read([page('First'), page('Second'), page('Third')], { onPage });
    expect(document.text).toBe('First\n\nSecond\n\nThird');
    expect(calls.map((args) => args.at(-1))).toEqual([0, 1, 2].map((n) => `tessedit_page_number=${n}`));
    expect(seen).toEqual(['1/3', '2/3', '3/3']);
    const whole = { ...document, span: { start: 0, end: document.text.length } };
    expect(describePlace(locate(whole, { start: 7, end: 13 }))).toMatch(/^page 2, by OCR/);
  });

  test('loses only a page that fails, or those over the limit, and says so', async () => {
    const [document] = await read([page('First'), 'fail', page('Third')]);
    expect(document.text).toBe('First\n\nThird');
    expect(document.locators.map((place) => place.page)).toEqual([1, 3]);
    expect(codes(document)).toEqual(['OCR_FAILED']);
    const [cut] = await read([page('First')], { maxPages: 2 });
    expect(codes(cut)).toEqual(['OCR_PAGES_LEFT_OUT']);
    expect(cut.warnings[0]!.message).toBe('read 2 of 3 pages, the others are left out');
  });
});
