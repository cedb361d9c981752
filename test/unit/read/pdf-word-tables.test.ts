/** A table of words above or below two columns of prose: the gutter between the columns goes through it. */
import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, column, context, headerOf, makePdf, outline } from './formats-make.ts';

const left = [
  'The first column tells how pallets come in',
  'through the south gate, where a clerk writes',
  'down the number of pallets and the hour. No',
  'lorry is unloaded before six in the morning.',
];
const right = [
  'The second part tells how they leave. Each',
  'driver shows the order at the desk and then',
  'receives a slip with the number of the bay',
  'before the crane begins to load the pallets.',
];
const rows = [
  ['Fire', 'Marta Quill', 'ring the bell twice'],
  ['Flood', 'Owen Pryce', 'open the sluice'],
  ['Theft', 'Police of Arlen', 'lock the gate'],
];
const table = (y: number, cells: readonly (readonly string[])[] = rows): string =>
  cells
    .flatMap((row, i) => row.map((text, c) => (text === '' ? '' : at([50, 170, 330][c]!, y - 14 * i, text))))
    .join('\n');
const columns = (y: number): string => [column(50, y, left), column(300, y, right)].join('\n');
const title = (y: number, text: string): string => at(50, y, text, { size: 14, font: 'F2' });
const tableText = rows.map((row) => row.join(' | ')).join('\n');

it('rows of words above two columns stay rows, and the title below both comes after both', async () => {
  const page = [
    title(740, 'Contacts'),
    table(720),
    title(660, 'Ways'),
    columns(640),
    title(560, 'Fees'),
    at(50, 540, 'Whoever comes by boat pays twelve euros a day, or eight in winter, at the desk of the depot.'),
  ].join('\n');
  expect(outline(await parsePdf(makePdf({ pages: [page] }), context('a.pdf')))).toEqual([
    'heading1: Contacts',
    `table: ${tableText}`,
    'heading1: Ways',
    `paragraph: ${left.join(' ')}`,
    `paragraph: ${right.join(' ')}`,
    'heading1: Fees',
    'paragraph: Whoever comes by boat pays twelve euros a day, or eight in winter, at the desk of the depot.',
  ]);
});

it('rows of words below two columns keep their titles', async () => {
  const titled = [['', 'Who', 'What'], ...rows];
  const page = [columns(740), table(670, titled)].join('\n');
  const read = outline(await parsePdf(makePdf({ pages: [page] }), context('a.pdf')));
  expect(read.slice(0, 2)).toEqual([`paragraph: ${left.join(' ')}`, `paragraph: ${right.join(' ')}`]);
  expect(read.slice(2).join('\n')).toBe(`table: | Who | What\n${tableText}`);
});

it('titles in the middle of their columns belong to the rows', async () => {
  const titles = [
    at(52, 670, 'Case', { font: 'F2' }),
    at(190, 670, 'Who', { font: 'F2' }),
    at(360, 670, 'What', { font: 'F2' }),
  ];
  const page = [columns(740), ...titles, table(656)].join('\n');
  const read = outline(await parsePdf(makePdf({ pages: [page] }), context('a.pdf')));
  expect(read.slice(2)).toEqual([`table: Case | Who | What\n${tableText}`]);
  const centred = [
    at(80, 670, 'Case', { font: 'F2' }),
    at(270, 670, 'Who', { font: 'F2' }),
    at(420, 670, 'What', { font: 'F2' }),
  ];
  for (const around of [columns(740), '']) {
    const document = await parsePdf(
      makePdf({ pages: [[around, ...centred, table(656)].join('\n')] }),
      context('a.pdf'),
    );
    expect(outline(document).at(-1)).toBe(`table: Case | Who | What\n${tableText}`);
    expect(headerOf(document, document.blocks.at(-1))).toBe('Case | Who | What');
  }
});

it('three columns of prose are no table', async () => {
  const narrow = (n: number): string[] =>
    ['goods', 'boats', 'fares', 'tides'].map((word) => `all ${word} of pier ${n} are kept here`);
  const page = [50, 220, 390].map((x, i) => column(x, 700, narrow(i + 1))).join('\n');
  const { text } = await parsePdf(makePdf({ pages: [page] }), context('a.pdf'));
  expect(text.replace(/\s+/g, ' ')).toBe([1, 2, 3].flatMap(narrow).join(' '));
});
