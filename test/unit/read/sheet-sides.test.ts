/** Tables beside each other in one sheet, and forms: what stands in one row is not always one record. */
import { expect, it } from 'vitest';
import { DocumentBuilder } from '../../../src/read/builder.ts';
import { rowText } from '../../../src/read/office/ooxml.ts';
import { writeSheet } from '../../../src/read/office/sheet.ts';
import { headerOf } from './formats-make.ts';

type Rows = readonly (readonly string[])[];

/** Each block with its header, as they are written. */
function written(rows: Rows): (readonly [text: string, header: string | undefined])[] {
  const builder = new DocumentBuilder('xlsx', { maxTextChars: 1e6 });
  const sheet = rows
    .map((cells, i) => ({ number: i + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  writeSheet(builder, 'S', sheet, false);
  const document = builder.build();
  return document.blocks.map((block) => [document.text.slice(block.start, block.end), headerOf(document, block)]);
}

it('two titled tables beside each other are two', () => {
  const rows = [
    ['Staff', '', '', 'Pumps'],
    ['Name', 'Role', '', 'Pump', 'Flow'],
    ['Ann', 'Chief', '', 'P1', '320'],
    ['Bob', 'Cook', '', 'P2', '410'],
    ['Cy', 'Clerk', '', 'P3', '420'],
  ];
  expect(written(rows)).toEqual([
    ['Staff\nName | Role\nAnn | Chief\nBob | Cook\nCy | Clerk', 'Staff\nName | Role'],
    ['Pumps\nPump | Flow\nP1 | 320\nP2 | 410\nP3 | 420', 'Pumps\nPump | Flow'],
  ]);
});

it('so are tables with the same names, and tables of another length', () => {
  const same = [
    ['Name', 'Fee', '', 'Name', 'Fee'],
    ['Ann', '3', '', 'Dee', '6'],
    ['Bob', '4', '', 'Eve', '7'],
    ['Cy', '5', '', 'Fay', '8'],
  ];
  expect(written(same).map(([text]) => text)).toEqual([
    'Name | Fee\nAnn | 3\nBob | 4\nCy | 5',
    'Name | Fee\nDee | 6\nEve | 7\nFay | 8',
  ]);
  const uneven = [
    ['City', 'Berths', '', 'Size', 'Fee'],
    ['Arlen', '12', '', 'small', '3'],
    ['Tarn', '30', '', 'large', '9'],
    ['Elrin', '7', '', 'huge', '99'],
    ['Moor', '8'],
    ['Vos', '9'],
  ];
  expect(written(uneven).map(([text]) => text.split('\n').at(-1))).toEqual(['Vos | 9', 'huge | 99']);
});

it.each([
  [
    'an empty column by itself',
    [
      ['Name', 'Fee', '', 'Paid', 'Day'],
      ['Ann', '3', '', 'yes', 'Mo'],
      ['Bob', '4', '', 'no', 'Tu'],
    ],
  ],
  [
    'figures that belong to the labels of the table before',
    [
      ['Costs', '', '', 'Income'],
      ['Year', 'Sum', '', 'Tax', 'Net'],
      ['May', '3', '', '1', '9'],
      ['June', '4', '', '2', '8'],
    ],
  ],
])('%s is one table', (_, rows) => {
  expect(written(rows)).toHaveLength(1);
});

it('labels and values of a form are no names of columns', () => {
  const form = [
    ['Vessel:', 'Elrin', '', 'Date:', '3 May'],
    ['Keeper:', 'Ann', '', 'Result:', 'passed'],
  ];
  expect(written(form)).toEqual([['Vessel: | Elrin | Date: | 3 May\nKeeper: | Ann | Result: | passed', undefined]]);
  expect(
    written([
      ['Name:', 'Age:'],
      ['Ann', 'old'],
    ])[0]![1],
  ).toBe('Name: | Age:');
});

it('a row with many empty cells between two is written at once, and those at its end are left out', () => {
  const cells = ['Name', ...Array<string>(60).fill(''), 'Total', '', ''];
  expect(rowText(cells)).toBe(`Name${' | '.repeat(61)}Total`);
});
