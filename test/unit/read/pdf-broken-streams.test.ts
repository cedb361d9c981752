import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { column, context, makePdf } from './formats-make.ts';

/** A page of two parts, the second one compressed; `harm` gets what was compressed. */
function compressed(harm: (bytes: Buffer) => void, dictionary = ''): Uint8Array {
  const first = column(72, 740, ['The first part is whole.']);
  const lines = Array.from({ length: 40 }, (_, i) => `Line ${i} tells of mooring ${(i * 7919) % 1000}.`);
  const bytes = deflateSync(Buffer.from(column(72, 700, lines)));
  harm(bytes);
  const stream = `<< /Length ${bytes.length} /Filter /FlateDecode ${dictionary} >>\nstream\n${bytes.toString('latin1')}\nendstream`;
  return makePdf({
    pages: [''],
    page: '/Contents [101 0 R 100 0 R]',
    objects: { 100: stream, 101: `<< /Length ${first.length} >>\nstream\n${first}\nendstream` },
  });
}

it('text that is lost with a damaged stream is told', async () => {
  const { text, warnings } = await parsePdf(
    compressed((bytes) => bytes.fill(0xff, bytes.length >> 1)),
    context('damaged.pdf'),
  );
  expect(text).toContain('The first part is whole.');
  expect(text).not.toContain('Line 39');
  expect(warnings).toEqual([
    { code: 'PDF_DAMAGED', message: 'one of its compressed parts is damaged; text may be missing there' },
  ]);
});

it('nothing is told of a whole one, nor of a picture', async () => {
  const whole = await parsePdf(
    compressed(() => {}),
    context('whole.pdf'),
  );
  expect(whole.text).toContain('Line 39 tells of mooring 841.');
  expect(whole.warnings).toEqual([]);
  const picture = compressed((bytes) => bytes.fill(0xff, bytes.length >> 1), '/Subtype /Image');
  expect((await parsePdf(picture, context('picture.pdf'))).warnings).toEqual([]);
});
