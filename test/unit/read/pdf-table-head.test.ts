/** The titles of a table that each page repeats, and running headers that look like them. */
import { expect, test } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, context, makePdf } from './formats-make.ts';

const x = [60, 120, 320, 400, 480];
const titles = ['Date', 'Description', 'Paid out', 'Paid in', 'Balance'];

const line = (y: number, cells: readonly string[]): string[] =>
  cells.map((cell, i) => (cell === '' ? '' : at(x[i]!, y, cell)));

/** Payments, every other one without a balance, and none with both amounts. */
function payments(page: number): string[][] {
  return Array.from({ length: 12 }, (_, i) => [
    `${i + 1} May`,
    `Payment ${page}${i} of ${['water', 'rent', 'fuel'][i % 3]!}`,
    i % 2 === 0 ? `${20 + i}.15` : '',
    i % 2 === 0 ? '' : `${40 + i}.25`,
    i % 2 === 0 ? '' : `${100 + 3 * i + page}.50`,
  ]);
}

test('titles that stand apart from rows with empty cells stay with their table', async () => {
  const pages = [1, 2, 3, 4].map((page) =>
    [
      at(60, 760, 'Statement of the harbour account'),
      ...line(720, titles),
      ...payments(page).flatMap((row, i) => line(698 - 20 * i, row)),
      at(60, 30, 'Severn Bank, registered in England'),
    ].join('\n'),
  );
  const { text, blocks } = await parsePdf(makePdf({ pages }), context('a.pdf'));
  const [table] = blocks.filter(({ kind }) => kind === 'table');
  expect(text.slice(table!.header!.start, table!.header!.end)).toBe(titles.join(' | '));
  const lines = text.split('\n');
  expect(lines.filter((one) => one === titles.join(' | '))).toHaveLength(1);
  expect(lines).toContain('1 May | Payment 10 of water | 20.15');
  expect(lines).toContain('2 May | Payment 21 of rent |  | 41.25 | 105.50');
  expect(lines).toContain('12 May | Payment 411 of fuel |  | 51.25 | 137.50');
});

test('a running header of three parts above columns of prose is left out after the first page', async () => {
  const words = 'the ferry ropes were changed in the autumn by two of the crew who had seen'.split(' ');
  const column = (left: number, page: number): string[] =>
    Array.from({ length: 14 }, (_, i) =>
      at(
        left,
        720 - 14 * i,
        words
          .map((_, at) => words[(at + i * 3 + page) % words.length]!)
          .slice(0, 5)
          .join(' '),
      ),
    );
  const header = ['Harbour news', 'Volume twelve', 'Spring issue'];
  const pages = [0, 1, 2, 3].map((page) =>
    [
      ...header.map((part, i) => at(60 + 190 * i, 745, part)),
      ...[60, 250, 440].flatMap((left) => column(left, page)),
    ].join('\n'),
  );
  const { text } = await parsePdf(makePdf({ pages }), context('a.pdf'));
  expect(text.match(/Harbour news/g)).toHaveLength(1);
});
