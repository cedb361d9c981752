import { describe, expect, onTestFinished, test } from 'vitest';
import { noise, type Picture, readPgm, skew, toPng } from '../../bench/quality/ocr/picture.ts';
import { type KnownPage, measureOcr } from '../../bench/quality/ocr.ts';
import { createReader } from '../../src/index.ts';
import { tempFolder } from '../support/temp.ts';
import { standInTesseract, table } from '../support/tesseract.ts';

const page: Picture = readPgm(
  Buffer.concat([Buffer.from('P5\n60 40\n255\n'), Buffer.alloc(2400, 255).fill(0, 1200, 1260)]),
);

describe('the measurement of OCR', () => {
  test('skew turns the dots around the centre, noise is the same for a seed', () => {
    expect(page.dots[1200]).toBe(0);
    expect([...skew(page, 0).dots]).toEqual([...page.dots]);
    const upright = skew(page, 90);
    expect([upright.dots[10 * 60 + 30], upright.dots[20 * 60 + 5]]).toEqual([0, 255]);
    expect(noise(page, 1).dots).toEqual(noise(page, 1).dots);
    expect(noise(page, 1).dots).not.toEqual(noise(page, 2).dots);
  });

  test('counts words that are right, and words that are not there', async () => {
    const words = 'the pump is serviced in may'.split(' ');
    const known: KnownPage[] = [{ file: 'a.pdf', words, render: () => page }];
    const measure = async (answer: string): Promise<[right: number, invented: number]> => {
      const { program } = standInTesseract(tempFolder(), [answer]);
      const reader = createReader({ ocr: { program } });
      onTestFinished(() => reader.close());
      const { right, invented } = await measureOcr(reader, known, 100, 'noisy', 1);
      return [right, invented];
    };
    expect(await measure(table([['The pump is', 'serviced in May']]))).toEqual([1, 0]);
    expect(await measure(table([['The pomp is serviced']]))).toEqual([0.5, 1 / 6]);
    expect(await measure(table([]))).toEqual([0, 0]);
  });

  test('the picture is a PNG that other programs accept', () => {
    const bytes = toPng(page, 150);
    expect(Buffer.from(bytes).readUInt32BE(16)).toBe(60);
    expect(Buffer.from(bytes).includes('pHYs')).toBe(true);
  });
});
