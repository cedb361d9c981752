/** Exports that hold several tables, one behind the other. */
import { expect, it } from 'vitest';
import { headerOf, textOf } from './formats-make.ts';
import { codes, parse, placeOf } from './helpers.ts';

async function tables(source: string): Promise<(string | undefined)[]> {
  const document = await parse('a.csv', source);
  return document.blocks.flatMap((block) => [textOf(document, block), headerOf(document, block)]);
}

it.each([
  ['an empty line', ''],
  ['empty cells', ',,'],
])('behind %s, names of another number of columns begin a table', async (_, blank) => {
  const source = `Region,Q1,Q2\nNorth,10,20\nSouth,30,40\n${blank}\nEmployee,Role\nAnn,Chief\nBob,Cook\n\nOther tables\nPort,Depth,Berths,Crane\nArlen,7,12,yes\n`;
  expect(await tables(source)).toEqual([
    'Region | Q1 | Q2\nNorth | 10 | 20\nSouth | 30 | 40',
    'Region | Q1 | Q2',
    'Employee | Role\nAnn | Chief\nBob | Cook',
    'Employee | Role',
    'Other tables\nPort | Depth | Berths | Crane\nArlen | 7 | 12 | yes',
    'Port | Depth | Berths | Crane',
  ]);
  const document = await parse('a.csv', source);
  expect(codes(document)).toEqual([]);
  expect(document.metadata).toMatchObject({ columns: 4 });
  expect(placeOf(document, 'Bob | Cook')).toMatchObject({ rows: [7, 7], lines: [7, 7] });
});

it.each([
  ['as many columns', 'A,B\nx,y\n\nAnn,Chief\nBob,Cook\n'],
  ['a sum', 'Day,Text,Sum\nMo,Rent,-9\nTu,Shop,-1\n\nBalance,,1200.00\n'],
  ['one line', 'A,B,C\nx,y,z\n\nEnd of,list\n'],
])('%s behind an empty line is no other table', async (_, source) => {
  expect((await parse('a.csv', source)).blocks).toHaveLength(1);
});

it('what stands above the names of the only table is no table', async () => {
  const source = 'Bank of Arlen\nPeriod: March\n\nDate,Text,Amount\n2025-03-01,Rent,-900.00\n2025-03-02,Shop,-12.30\n';
  expect(await tables(source)).toEqual([
    'Bank of Arlen\nPeriod: March\nDate | Text | Amount\n2025-03-01 | Rent | -900.00\n2025-03-02 | Shop | -12.30',
    'Bank of Arlen\nPeriod: March\nDate | Text | Amount',
  ]);
});
