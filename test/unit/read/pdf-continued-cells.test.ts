/** Tables whose rows stand as close as lines, or whose first rows look like titles. */
import { expect, test } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, context, makePdf } from './formats-make.ts';

async function read(columns: readonly number[], rows: readonly (readonly string[])[], pitch: number): Promise<string> {
  const drawn = rows.flatMap((cells, row) =>
    cells.map((cell, i) => (cell === '' ? '' : at(columns[i]!, 720 - pitch * row, cell))),
  );
  return (await parsePdf(makePdf({ pages: [drawn.join('\n')] }), context('a.pdf'))).text;
}

const written = (rows: readonly (readonly string[])[]): string => rows.map((row) => row.join(' | ')).join('\n');

test('a text that wraps in a table whose rows stand as close as lines is one cell', async () => {
  const rows = [
    ['E10', 'The disk named in the settings', 'replace disk'],
    ['', 'was not found within a minute'],
    ['E11', 'The fan does not turn', 'clean fan'],
    ['E12', 'The battery holds less than half', 'pull the plug,'],
    ['', 'of its charge, which is too little', 'charge again'],
    ['', 'for a safe update'],
    ['E13', 'Door open', 'close door'],
  ];
  expect(await read([72, 110, 300], rows, 12)).toBe(
    written([
      ['E10', 'The disk named in the settings was not found within a minute', 'replace disk'],
      ['E11', 'The fan does not turn', 'clean fan'],
      [
        'E12',
        'The battery holds less than half of its charge, which is too little for a safe update',
        'pull the plug, charge again',
      ],
      ['E13', 'Door open', 'close door'],
    ]),
  );
});

test('lines that had room in the cell above, or are single words, are rows', async () => {
  const room = [
    ['Mon', 'Choir practice in the hall', 'Ann'],
    ['', 'Tea'],
    ['Tue', 'Council', 'Ben'],
    ['Wed', 'Market on the green all the day long', 'Cem'],
  ];
  expect(await read([72, 110, 300], room, 12)).toContain('in the hall | Ann\nTea\n');
  const words = [
    ['page 9', 'alphabet', 'ninth'],
    ['', 'alphabeta', 'tenth'],
    ['page 10', 'gamma', 'fifth'],
    ['page 11', 'delta', 'sixth'],
  ];
  expect(await read([72, 150, 300], words, 12)).toContain('alphabet | ninth\n');
});

test('rows above the first number are rows where they stand apart, not one title', async () => {
  const rows = [
    ['Vessel name', 'Sea Thrift'],
    ['Home port', 'Arbroath'],
    ['Length (m)', '9.40'],
    ['Width (m)', '3.15'],
    ['Sails', 'two', 'white', 'one', 'red'],
    ['Masts', 'one'],
  ];
  expect(await read([72, 200, 280, 360, 440], rows, 30)).toBe(written(rows));
});

test('years below each other are values, not titles', async () => {
  const rows = [
    ['Anna Ibsen', 'Radiology', '1985'],
    ['Nils Ekholm', 'Surgery', '1996'],
    ['Rosa Moreau', 'Estates', '2007'],
    ['Ivo Czerny', 'Records', '2018', '12.50'],
    ['Hana Szabo', 'Catering', '1991', '14.75'],
  ];
  expect(await read([72, 200, 300, 400], rows, 12)).toBe(written(rows));
});
