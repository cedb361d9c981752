/** Numbers that count the pages, beside few letters or on several pages of one slide. */
import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, column, context, makePdf } from './formats-make.ts';

const NAMES = ['Ada', 'Ben', 'Cleo', 'Dora', 'Emil'];

async function textOfPages(pages: readonly string[]): Promise<string> {
  return (await parsePdf(makePdf({ pages }), context('a.pdf'))).text;
}

it('a short name with the number and the count of pages goes, but for the first', async () => {
  const pages = NAMES.map((name, i) =>
    [
      column(72, 700, [`${name} wrote the log of the pier.`, `${name} read it out.`]),
      at(72, 40, `iPoWr page ${i + 1} of 5`),
    ].join('\n'),
  );
  const text = await textOfPages(pages);
  expect(text.match(/iPoWr|page \d of 5/g)).toEqual(['iPoWr', 'page 1 of 5']);
});

it('a count that is not that of the pages stays', async () => {
  const pages = NAMES.map((name, i) =>
    [
      column(72, 700, [`${name} wrote the log of the pier.`, `${name} read it out.`]),
      at(72, 40, `Tide page ${i + 1} of 9`),
    ].join('\n'),
  );
  expect((await textOfPages(pages)).match(/page \d of 9/g)).toHaveLength(5);
});

const slides = (numbers: readonly string[]): string[] =>
  numbers.map((number, i) =>
    [
      column(72, 700, [`${NAMES[i % 5]} wrote ${i} logs of the pier.`, `${NAMES[i % 5]} read them out.`]),
      at(560, 20, number, { size: 7 }),
    ].join('\n'),
  );

it('the number of a slide goes from each of its pages', async () => {
  expect(await textOfPages(slides(['1/3', '2/3', '3/3', '3/3', '3/3']))).not.toContain('/3');
  const many = [
    '1 / 3',
    '1 / 3',
    '1 / 3',
    '1 / 3',
    '2 / 3',
    '2 / 3',
    '2 / 3',
    '2 / 3',
    '3 / 3',
    '3 / 3',
    '3 / 3',
    '3 / 3',
  ];
  expect(await textOfPages(slides(many))).not.toContain('/ 3');
});

it('points of several that were given stay', async () => {
  expect((await textOfPages(slides(['3/3', '1/3', '3/3', '2/3', '2/3']))).match(/\/3/g)).toHaveLength(5);
  expect((await textOfPages(slides(['2/5', '5/5', '3/5', '3/5', '5/5']))).match(/\/5/g)).toHaveLength(5);
});
