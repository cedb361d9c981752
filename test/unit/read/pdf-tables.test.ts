import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { chunkDocument } from '../../../src/text/chunk/chunk.ts';
import { at, context, makePdf } from './formats-make.ts';

const fees = ['Audit Fees', 'Audit-Related Fees', 'Tax Fees', 'All Other Fees'];

/** A table of two columns of numbers; each page repeats its header and its running footer. */
function page(number: number, rows: number): string {
  const line = (y: number, cells: readonly string[]): string[] =>
    cells.map((cell, i) => (cell === '' ? '' : at([72, 330, 440][i]!, y, cell)));
  return [
    ...line(740, ['', 'Fiscal 2019', 'Fiscal 2018']),
    ...Array.from({ length: rows }, (_, i) =>
      line(725 - 14 * i, [`${fees[i % 4]!} of division ${number}${i}`, `$${3 + i},631,575`, `$${5 + i},784,488`]),
    ).flat(),
    at(72, 40, 'C:\\fees\\table.doc'),
    at(500, 40, `${number}`),
  ].join('\n');
}

it('every row of a long table is a line of its own, in a chunk that has or names the header', async () => {
  const bytes = makePdf({ pages: [1, 2, 3, 4, 5].map((number) => page(number, 40)) });
  const document = { ...(await parsePdf(bytes, context('fees.pdf'))), uri: 'fees.pdf' };
  const lines = document.text.split('\n');
  const header = 'Fiscal 2019 | Fiscal 2018';
  expect(lines.filter((line) => line === header)).toHaveLength(1);
  expect(document.warnings.find(({ code }) => code === 'PDF_REPEATED_TITLES')).toMatchObject({ leftOut: 4 });
  const rows = lines.filter((line) => line.includes('division'));
  expect(rows).toHaveLength(200);
  for (const row of rows) expect(row).toMatch(/^[\w -]+ of division \d+ \| \$\d+,631,575 \| \$\d+,784,488$/);
  const chunks = chunkDocument(document);
  expect(chunks.length).toBeGreaterThan(4);
  for (const chunk of chunks.filter(({ text }) => text.includes('division')))
    expect(chunk.text.includes(header) || chunk.context === header, chunk.text.slice(0, 80)).toBe(true);
});

/** A filled box as browsers draw a border; a line as word processors do. */
const box = (x: number, y: number, width: number, height: number): string => `${x} ${y} ${width} ${height} re f`;
const line = (x0: number, y0: number, x1: number, y1: number): string => `${x0} ${y0} m ${x1} ${y1} l S`;

/** Two lines of titles, one over two columns and two over two lines; cells closer than words are apart elsewhere. */
const prices = [
  at(74, 705, 'Parameter', { font: 'F2' }),
  at(150, 712, 'Price per sample', { font: 'F2' }),
  at(260, 705, 'Days', { font: 'F2' }),
  at(152, 692, 'Standard', { font: 'F2' }),
  at(204, 692, 'Express', { font: 'F2' }),
  ...[
    ['Lead in water', '26.00', '39.00', '5'],
    ['E. coli', '32.00', 'not offered', '2'],
  ].flatMap((row, i) => row.map((text, j) => at([74, 152, 204, 260][j]!, 672 - 20 * i, text))),
];

const lines = [
  ...[70, 148, 202, 258, 300].map((x) => line(x, 640, x, x === 202 ? 705 : 725)),
  ...[640, 664, 685, 725].map((y) => line(70, y, 300, y)),
  line(148, 705, 258, 705),
];
const PRICE_TITLES = 'Parameter | Price per sample Standard | Price per sample Express | Days';

it.each([
  [
    'filled boxes',
    [
      ...[70, 148, 202, 258, 300].map((x) => (x === 202 ? box(x, 640, 1, 65) : box(x, 640, 1, 85))),
      ...[640, 664, 685, 725].map((y) => box(70, y, 231, 1)),
      box(148, 705, 110, 1),
    ],
  ],
  ['lines', lines],
])('cells that drawn lines part are read by the lines, titles over several columns with each: %s', async (_, rules) => {
  const content = [...rules, ...prices, at(72, 600, 'Sample bottles are free.')].join('\n');
  const { text } = await parsePdf(makePdf({ pages: [content] }), context('prices.pdf'));
  expect(text.split('\n')).toEqual([
    PRICE_TITLES,
    'Lead in water | 26.00 | 39.00 | 5',
    'E. coli | 32.00 | not offered | 2',
    '',
    'Sample bottles are free.',
  ]);
});

it('lines are seen behind many pages of gaps without lines', async () => {
  const plain = Array.from({ length: 12 }, (_, page) =>
    [0, 1, 2].map(
      (i) => at(72, 700 - 14 * i, `Line ${i} of page ${page}`) + at(200 + 23 * i, 700 - 14 * i, 'a remark'),
    ),
  );
  const pages = [...plain, [...lines, ...prices]].map((page) => page.join('\n'));
  expect((await parsePdf(makePdf({ pages }), context('long.pdf'))).text).toContain(PRICE_TITLES);
});

it('two ruled tables with a heading between them stay two, and a label over rows is said in each', async () => {
  const grid = (top: number, rows: number): string[] => [
    ...[70, 160, 400].map((x) => line(x, top - 20 * rows, x, top)),
    ...Array.from({ length: rows + 1 }, (_, i) =>
      // The first cell of the lower table reaches over its two rows.
      line(rows === 2 && i === 1 ? 160 : 70, top - 20 * i, 400, top - 20 * i),
    ),
  ];
  const content = [
    ...grid(740, 3),
    ...[
      ['Policy', 'SM-9'],
      ['Holder', 'Vale'],
      ['Broker', 'Ms Ferreira, who can be asked on weekdays'],
    ].flatMap(([a, b], i) => [at(74, 726 - 20 * i, a!, { font: 'F2' }), at(164, 726 - 20 * i, b!)]),
    at(72, 664, 'Faults', { font: 'F2' }),
    ...grid(650, 2),
    at(74, 626, 'Water'),
    at(164, 636, 'W1: pressure too low'),
    at(164, 616, 'W2: flow too low'),
  ].join('\n');
  const { text } = await parsePdf(makePdf({ pages: [content] }), context('policy.pdf'));
  expect(text.split('\n').filter((one) => one !== '')).toEqual([
    'Policy | SM-9',
    'Holder | Vale',
    'Broker | Ms Ferreira, who can be asked on weekdays',
    'Faults',
    'Water | W1: pressure too low',
    'Water | W2: flow too low',
  ]);
});

it('the last row of a ruled table, alone on its page, stays a row', async () => {
  const rows = [
    ['Company', 'Place', 'Staff', 'Type'],
    ['Acme Foods', 'Hull', '23', 'Layoff'],
    ['Bright Steel', 'Leeds', '118', 'Closure'],
    ['Cold Store', 'York', '9', 'Layoff'],
  ];
  const grid = (top: number, own: readonly (readonly string[])[]): string[] => [
    ...[70, 190, 280, 340, 420].map((x) => line(x, top - 20 * own.length, x, top)),
    ...Array.from({ length: own.length + 1 }, (_, i) => line(70, top - 20 * i, 420, top - 20 * i)),
    ...own.flatMap((cells, i) => cells.map((text, j) => at([74, 194, 284, 344][j]!, top - 14 - 20 * i, text))),
  ];
  const pages = [
    [at(72, 760, 'Notices', { size: 16 }), ...grid(130, rows.slice(0, 3))],
    [...grid(740, rows.slice(3)), at(72, 700, 'End of the list.')],
  ].map((page) => page.join('\n'));
  const { text } = await parsePdf(makePdf({ pages }), context('notices.pdf'));
  expect(text.split('\n').filter((one) => one !== '')).toEqual([
    'Notices',
    ...rows.map((cells) => cells.join(' | ')),
    'End of the list.',
  ]);
  // Such a box on another page, or with other columns, is no row.
  const alone = await parsePdf(makePdf({ pages: [pages[1]!] }), context('notices.pdf'));
  expect(alone.text).not.toContain(' | ');
});

it('rules around a table of which no line parts the rows leave them rows', async () => {
  const rows = [
    ['A', '0.61', '12'],
    ['B', '0.74', '31'],
    ['C', '0.75', '47'],
  ];
  const content = [
    ...[70, 160, 240, 320].map((x) => line(x, 640, x, 700)),
    ...[640, 682, 700].map((y) => line(70, y, 320, y)),
    ...['Set', 'Kappa', 'Length'].map((text, j) => at(74 + 85 * j, 687, text, { font: 'F2' })),
    ...rows.flatMap((row, i) => row.map((text, j) => at(74 + 85 * j, 671 - 12 * i, text))),
  ].join('\n');
  const { text } = await parsePdf(makePdf({ pages: [content] }), context('kappa.pdf'));
  expect(text.split('\n')).toEqual(['Set | Kappa | Length', ...rows.map((row) => row.join(' | '))]);
});

it('words of a narrow justified paragraph, far apart in two lines, are no table', async () => {
  // each letter is 5 points wide, so that lines end where the full one ends, at 177
  const widths = Array.from({ length: 95 }, (_, i) => (i === 90 ? 600 : 500)).join(' ');
  const font =
    '/Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Quill /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126';
  const words = (y: number, placed: readonly (readonly [number, string])[]): string =>
    placed.map(([x, text]) => at(x, y, text, { font: 'F3' })).join('\n');
  const stretched = [
    words(700, [
      [72, 'We'],
      [95, 'can'],
      [122, 'simply'],
      [167, 'it'],
    ]),
    words(688, [
      [72, 'material'],
      [124, 'using'],
      [167, 'so'],
    ]),
  ];
  const full = words(676, [[72, 'and we can change the']]);
  const objects = { 100: `<< ${font} /Widths [${widths}] >>` };
  const read = async (rows: readonly string[]): Promise<string> =>
    (await parsePdf(makePdf({ pages: [rows.join('\n')], fonts: '/F3 100 0 R', objects }), context('quill.pdf'))).text;
  expect(await read([...stretched, full])).toBe('We can simply it material using so and we can change the');
  // nor are two such lines with full ones between them
  const lines = ['danger that others of', 'and we can change the', 'with it in the proper', 'and we can change the'];
  const [first, second, third, last] = lines.map((text, i) => words([688, 676, 664, 640][i]!, [[72, text]]));
  const pair = [
    [72, 'patents.'],
    [137, 'We avoid'],
    [72, 'a program.'],
    [142, 'To make'],
  ] as const;
  const mixed = [words(700, pair.slice(0, 2)), first!, second!, third!, words(652, pair.slice(2)), last!];
  expect(await read(mixed)).toBe(`patents. We avoid ${lines.slice(0, 3).join(' ')} a program. To make ${lines[3]}`);
  // without the full line it is one
  expect(await read(stretched)).toBe('We | can | simply | it\nmaterial | using | so');
});

it('dots between a title and its page are one sign, in cells too', async () => {
  const lines = ['1. The light', '2. The pier', '3. The harbour office', '4. What burns'];
  const content = lines.map((line, i) => {
    const y = 700 - 14 * i;
    return [at(72, y, line), at(200, y, '. . . . . . . . . . . . . . . . . . '), at(500, y, `${i + 3}`)].join('\n');
  });
  const { text } = await parsePdf(makePdf({ pages: [content.join('\n')] }), context('contents.pdf'));
  expect(text.split('\n')).toEqual(lines.map((line, i) => `${line} … ${i + 3}`));
});

it('a numbered title in bold letters ends a table, though the next one begins below it', async () => {
  const pairs = (y: number, words: readonly string[]): string[] =>
    words.map((word, i) => at(72, y - 12 * i, `open ${word}`) + at(280, y - 12 * i, `${i + 1}: the ${word} opens`));
  const content = [
    ...pairs(700, ['gate', 'lock', 'shed']),
    at(72, 654, '3.1.5', { font: 'F2' }) + at(104, 654, 'The northern side', { font: 'F2' }),
    ...pairs(634, ['pier', 'yard', 'mill']),
  ].join('\n');
  const document = await parsePdf(makePdf({ pages: [content] }), context('gates.pdf'));
  expect(document.blocks.map(({ kind }) => kind)).toEqual(['table', 'heading', 'table']);
  expect(document.text).toContain('\n\n3.1.5 The northern side\n\n');
});

it.each([
  ['a title with a year', ['Vessel', 'Berth', 'Fee 2023'], ['A1', 'B2'], true],
  ['years over years, which are a row', ['Tern', '1988', '2001'], ['1975', '1990'], false],
])('titles of a ruled table: %s', async (_, first, seconds, isHead) => {
  const rows = [first, ['Skua', seconds[0]!, isHead ? '400' : '2005'], ['Knot', seconds[1]!, isHead ? '410' : '1999']];
  const content = [
    ...[70, 190, 280, 340].map((x) => line(x, 640, x, 700)),
    ...[640, 660, 680, 700].map((y) => line(70, y, 340, y)),
    ...rows.flatMap((cells, i) => cells.map((text, j) => at([74, 194, 284][j]!, 686 - 20 * i, text))),
  ].join('\n');
  const { text, blocks } = await parsePdf(makePdf({ pages: [content] }), context('fees.pdf'));
  const [table] = blocks.filter(({ kind }) => kind === 'table');
  expect(text.slice(table!.header?.start ?? 0, table!.header?.end ?? 0)).toBe(isHead ? first.join(' | ') : '');
});

it.each([
  [
    'goes on',
    'runs to the cap and',
    'is 7 mm wide',
    ['B2 | runs to the cap and is 7 mm wide | weld', 'B3 | none | paint'],
  ],
  ['ends, and the next one is without a label', 'None.', 'Rust', ['B2 | None. | weld', ' | Rust', 'B3 | none | paint']],
])('the last row of a page %s', async (_, finding, rest, expected) => {
  const rows = (y: number, cells: readonly (readonly string[])[], font: string): string[] => [
    ...[70, 150, 320, 400].map((x) => line(x, y - 20 * cells.length, x, y)),
    ...Array.from({ length: cells.length + 1 }, (_, i) => line(70, y - 20 * i, 400, y - 20 * i)),
    ...cells.flatMap((row, i) =>
      row.map((text, j) => at([74, 154, 324][j]!, y - 14 - 20 * i, text, { font: i === 0 ? font : 'F1' })),
    ),
  ];
  const first = [
    ['Part', 'Finding', 'Action'],
    ['B1', 'none', 'paint'],
    ['B2', finding, 'weld'],
  ];
  const second = [
    ['', rest, ''],
    ['B3', 'none', 'paint'],
  ];
  const pages = [rows(130, first, 'F2').join('\n'), rows(740, second, 'F1').join('\n')];
  const { text } = await parsePdf(makePdf({ pages }), context('parts.pdf'));
  expect(text.split('\n').filter((one) => one !== '')).toEqual([
    'Part | Finding | Action',
    'B1 | none | paint',
    ...expected,
  ]);
});
