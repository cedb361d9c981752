import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, context, makePdf } from './formats-make.ts';

const row = (y: number, xs: readonly number[], cells: readonly string[]): string[] =>
  cells.map((cell, i) => (cell === '' ? '' : at(xs[i]!, y, cell)));

async function linesOf(drawn: readonly string[]): Promise<string[]> {
  return (await parsePdf(makePdf({ pages: [drawn.join('\n')] }), context('a.pdf'))).text.split('\n');
}

const goods = [72, 110, 260, 330, 400];
const items = [
  ['Pos.', 'Description', 'Quantity', 'Price', 'Amount'],
  ['1', 'Rope of hemp', '12', '8.40', '100.80'],
  ['2', 'Tar, thin', '40', '1.50', '60.00'],
  ['3', 'Freight to Riga', '1', '24.00', '24.00'],
];

it('the names and values above the items of an invoice are no titles of them, and numbered items keep their column', async () => {
  const lines = await linesOf([
    ...row(740, [72, 180], ['Invoice number', 'R-417']),
    ...row(724, [72, 180], ['Invoice date', '14 March 2025']),
    ...row(708, [72, 180], ['Due date', '13 April 2025']),
    ...row(692, [72, 180], ['Customer', 'Gull and Sons']),
    at(72, 664, 'Tern Ropes, 4 Harbour Street, Kiel'),
    ...items.flatMap((cells, i) => row(640 - 16 * i, goods, cells)),
  ]);
  expect(lines).toContain('Due date | 13 April 2025');
  for (const cells of items) expect(lines).toContain(cells.join(' | '));
});

it('a row whose first cell is empty keeps the others below their titles', async () => {
  const rows = [
    ['Date', 'Details', 'Out', 'In', 'Balance'],
    ['3 May', 'Nursery', '620.00', '', '3,690.22'],
    ['', 'Power', '184.15', '', '3,506.07'],
    ['9 May', 'Barn', '', '950.00', '4,456.07'],
    ['16 May', 'Rent', '400.00', '', '4,056.07'],
    ['23 May', 'Takings', '', '288.40', '4,344.47'],
  ];
  const lines = await linesOf(rows.flatMap((cells, i) => row(740 - 16 * i, [72, 140, 250, 330, 410], cells)));
  expect(lines.map((line) => line.trim())).toEqual(rows.map((cells) => cells.join(' | ').trim()));
});
