import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { column, context, makePdf } from './formats-make.ts';

const slanted = (x: number, y: number, text: string): string =>
  `BT /F1 80 Tf 0.707 0.707 -0.707 0.707 ${x} ${y} Tm (${text}) Tj ET`;
const upward = (x: number, y: number, text: string): string => `BT /F1 8 Tf 0 1 -1 0 ${x} ${y} Tm (${text}) Tj ET`;
const body = (i: number): string =>
  column(72, 700, [`Sheet ${i} tells of the harbour and of all its sheds,`, 'and of the boats that lie there in']);

const read = async (pages: readonly string[]) => parsePdf(makePdf({ pages }), context('marked.pdf'));

it('a watermark is text of the first page alone, and is counted', async () => {
  const { text, warnings } = await read([1, 2, 3, 4].map((i) => `${slanted(150, 250, 'DRAFT')}\n${body(i)}`));
  expect(text.match(/DRAFT/g)).toHaveLength(1);
  expect(text.match(/Sheet \d/g)).toHaveLength(4);
  expect(warnings).toEqual([
    { code: 'PDF_WATERMARKS', leftOut: 3, message: 'left out 3 watermarks on 3 pages, all after the first' },
  ]);
});

it('turned text of few pages, of other places or of other words stays', async () => {
  const twice = await read([1, 2, 3, 4].map((i) => `${i < 3 ? slanted(150, 250, 'DRAFT') : ''}\n${body(i)}`));
  expect(twice.text.match(/DRAFT/g)).toHaveLength(2);
  const axes = await read([1, 2, 3, 4].map((i) => `${upward(60, 100 + 50 * i, 'Boats in a year')}\n${body(i)}`));
  expect(axes.text.match(/Boats in a year/g)).toHaveLength(4);
  const sides = await read([1, 2, 3, 4].map((i) => `${upward(40, 300, `Chapter ${i}`)}\n${body(i)}`));
  expect(sides.text.match(/Chapter \d/g)).toHaveLength(4);
});
