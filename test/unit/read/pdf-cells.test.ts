/** Tables of which each cell is known: what is read is compared cell by cell. */
import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, context, makePdf } from './formats-make.ts';

type Cells = readonly (string | readonly string[])[];

const LEADING = 12;

/** Draws rows at the left edges `xs`; a cell of several lines makes its row higher, and `gap` parts the rows. */
function drawTable(xs: readonly number[], rows: readonly Cells[], { gap = 6, top = 700, font = 'F1' } = {}): string {
  let y = top;
  const parts: string[] = [];
  for (const [i, cells] of rows.entries()) {
    const lines = cells.map((cell) => (typeof cell === 'string' ? [cell] : cell));
    for (const [column, texts] of lines.entries())
      for (const [line, text] of texts.entries())
        if (text !== '') parts.push(at(xs[column]!, y - LEADING * line, text, i === 0 ? { font } : {}));
    y -= LEADING * Math.max(...lines.map(({ length }) => length)) + gap;
  }
  return parts.join('\n');
}

/** The rows as they should be read: cells joined over their lines, and none behind the last one. */
const truth = (rows: readonly Cells[]): string[] =>
  rows.map((cells) => {
    const texts = cells.map((cell) => (typeof cell === 'string' ? cell : cell.join(' ')));
    const last = texts.findLastIndex((text) => text !== '');
    return texts.slice(0, last + 1).join(' | ');
  });

const read = async (page: string): Promise<readonly { kind: string; lines: string[]; header: string }[]> => {
  const { blocks, text } = await parsePdf(makePdf({ pages: [page] }), context('a.pdf'));
  return blocks.map(({ kind, start, end, header }) => ({
    kind,
    lines: text.slice(start, end).split('\n'),
    header: header === undefined ? '' : text.slice(header.start, header.end),
  }));
};

it('an amount of a statement stands under its title, paid in or paid out', async () => {
  const rows: Cells[] = [['Date', 'Description', 'Paid out', 'Paid in', 'Balance']];
  for (let i = 1; i <= 30; i++) {
    const amount = `${10 + i}.50`;
    const isIn = i % 7 === 0 || i === 12;
    rows.push([
      `${10 + i}/01/2024`,
      `Transfer ${i} to J Smith`,
      isIn ? '' : amount,
      isIn ? amount : '',
      `${900 - i}.00`,
    ]);
  }
  const [table] = await read(drawTable([50, 130, 290, 370, 450], rows, { gap: 2 }));
  expect(table).toEqual({ kind: 'table', lines: truth(rows), header: truth(rows)[0] });
});

it('the title of a whole table, which stands over no value, is no column of it', async () => {
  const xs = [50, 170, 290, 370, 450];
  const names = ['Moor', 'Pike', 'Lee', 'Byrne', 'Hart'];
  const rows: Cells[] = [['Name', '', 'Fees', 'Stock', 'Total']];
  for (const [i, name] of names.entries()) rows.push([name, '', `${10 + i},500`, `${20 + i},317`, `${30 + 2 * i},817`]);
  const [table] = await read([at(xs[1]!, 712, 'BOARD', { font: 'F1' }), drawTable(xs, rows, { gap: 2 })].join('\n'));
  expect(table!.lines.slice(0, 3)).toEqual(['BOARD', 'Name | Fees | Stock | Total', 'Moor | 10,500 | 20,317 | 30,817']);
});

it('a timetable has its gaps where it has them', async () => {
  const stops = ['Central Station', 'Market Square', 'University', 'Hospital', 'Harbour Gate'];
  const rows: Cells[] = [['Stop', 'Bus 1', 'Bus 2', 'Bus 3', 'Bus 4']];
  for (const [s, stop] of stops.entries())
    rows.push([stop, ...[0, 1, 2, 3].map((bus) => ((bus + s) % 3 === 1 ? '' : `${6 + bus}:${10 + 7 * s}`))]);
  const [table] = await read(drawTable([50, 170, 250, 330, 410], rows, { font: 'F2' }));
  expect(table!.lines).toEqual(truth(rows));
});

it('rows of names and values stay rows, above the first number too', async () => {
  const form: Cells[] = [
    ['Surname', 'Byrne'],
    ['First name', 'Aoife'],
    ['Date of birth', '12.04.1988'],
    ['Nationality', 'Irish'],
    ['Passport', 'PA4432190'],
    ['Place', 'Galway'],
  ];
  expect((await read(drawTable([50, 200], form)))[0]!.lines).toEqual(truth(form));
  const figures: Cells[] = [
    ['Vessel', 'Kittiwake'],
    ['Port', 'Cork'],
    ['Length', '11.20'],
    ['Beam', '3.40'],
    ['Draught', '1.10'],
  ];
  expect((await read(drawTable([50, 200], figures)))[0]!.lines).toEqual(truth(figures));
});

it('years above pairs of titles are part of the name of both', async () => {
  const page = [
    at(50, 700, 'Site'),
    // In the middle of the two titles below.
    ...[178.5, 378.5].map((x, i) => at(x, 700, `${2022 + i}`)),
    drawTable(
      [50, 150, 210, 350, 410],
      [
        ['', 'Full', 'Part', 'Full', 'Part'],
        ['Cork', '12', '3', '14', '5'],
        ['Galway', '91', '10', '10', '21'],
      ],
      { gap: 0, top: 688 },
    ),
  ].join('\n');
  const [table] = await read(page);
  expect(table!.lines).toEqual([
    'Site | 2022 Full | 2022 Part | 2023 Full | 2023 Part',
    'Cork | 12 | 3 | 14 | 5',
    'Galway | 91 | 10 | 10 | 21',
  ]);
});

it('a table with two columns of texts that wrap is read by row, and its last cell is whole', async () => {
  const rows: Cells[] = [['ID', 'Level', 'Description', 'Owner', 'Mitigation', 'Due']];
  for (let i = 1; i <= 9; i++) {
    const description = [
      `the cable of buoy number ${i} may break`,
      'in the storms of the winter, and then',
      `the buoy ${i} drifts away`,
    ];
    const mitigation = [`the cable ${i} is looked at twice`, 'in each of the winter months'];
    rows.push([
      `R-${i}`,
      'High',
      description.slice(0, 1 + (i % 3)),
      'A. Byrne',
      i % 2 === 0 ? mitigation.slice(0, 1) : mitigation,
      `2024-0${i}-15`,
    ]);
  }
  rows.push([
    'R-10',
    'Low',
    ['a sensor is lost and nobody can see', 'where the other ones are'],
    'C. Doyle',
    'spare parts',
    '2024-10-01',
  ]);
  const [table, ...others] = await read(drawTable([40, 80, 130, 320, 380, 530], rows, { font: 'F2' }));
  expect(table).toEqual({ kind: 'table', lines: truth(rows), header: truth(rows)[0] });
  expect(others).toEqual([]);
});

it('a word that is broken in a cell is whole', async () => {
  const rows: Cells[] = [
    ['Name', 'What it does'],
    ['U', ['writes the letters of a value in up-', 'percase']],
    ['L', ['writes the letters of a value one by one in se-', 'quence']],
    ['K', 'counts the letters'],
    ['N', 'counts the words'],
  ];
  const lines = (await read(drawTable([50, 120], rows, { font: 'F2' }))).flatMap(({ lines }) => lines);
  expect(lines).toEqual([
    'Name | What it does',
    'U | writes the letters of a value in uppercase',
    'L | writes the letters of a value one by one in sequence',
    'K | counts the letters',
    'N | counts the words',
  ]);
});

it('a plan of words keeps the gaps of its days, though nothing stands above its labels', async () => {
  const rows: Cells[] = [
    ['', 'Monday', 'Tuesday', 'Wednesday'],
    ['Early', 'Ann', 'Bob', 'Cy'],
    ['Late', 'Cy', '', 'Ann'],
    ['Night', '', 'Cy', 'Bob'],
    ['Spare', '', '', 'Dee'],
  ];
  const [table] = await read(drawTable([50, 170, 290, 410], rows, { font: 'F2' }));
  expect(table!.lines).toEqual([truth(rows)[0]!.slice(3), ...truth(rows).slice(1)]);
});
