import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, context, makePdf } from './formats-make.ts';

async function read(content: readonly string[]): Promise<string[]> {
  const { text } = await parsePdf(makePdf({ pages: [content.join('\n')] }), context('duties.pdf'));
  return text.split('\n').filter((line) => line !== '');
}

const bold = { font: 'F2' };
const titles = [
  at(72, 700, 'Duty', bold),
  at(290, 700, 'Who', bold),
  at(420, 700, 'When', bold),
  at(72, 780, 'What the crew does on each day of the week is agreed in May.'),
];
const EXPECTED = [
  'Duty | Who | When',
  'Check the oil of the crane and write it into the green book | The driver of the crane, or who stands in for him | Every Monday before noon',
  'Empty the bilge of the pilot boat | The pilot on duty | After each and every trip',
];

it.each([
  ['first', [0, 0, 0]],
  ['last', [0, 12, 12]],
])('cells that wrap below bold titles are rows, their %s lines at one height', async (_, [first, second, third]) => {
  const content = [
    ...titles,
    at(72, 676 - first!, 'Check the oil of the crane and'),
    at(72, 664 - first!, 'write it into the green'),
    at(72, 652 - first!, 'book'),
    at(290, 676 - second!, 'The driver of the crane,'),
    at(290, 664 - second!, 'or who stands in for him'),
    at(420, 676 - third!, 'Every Monday before'),
    at(420, 664 - third!, 'noon'),
    at(72, 628, 'Empty the bilge of the pilot boat'),
    at(290, 628, 'The pilot on duty'),
    at(420, 628, 'After each and every trip'),
  ];
  expect((await read(content)).slice(1)).toEqual(EXPECTED);
});

it('the last cell goes on below its row, in the first column too', async () => {
  const content = [
    ...titles,
    ...[676, 628].flatMap((y) => [
      at(72, y, 'Check the oil of the crane and'),
      at(72, y - 12, 'write it down'),
      at(290, y, 'The driver of the crane,'),
      at(290, y - 12, 'or the mate'),
      at(420, y, 'Monday'),
    ]),
    at(72, 604, 'in green ink'),
  ];
  const row = 'Check the oil of the crane and write it down';
  expect((await read(content)).slice(1)).toEqual([
    EXPECTED[0],
    `${row} | The driver of the crane, or the mate | Monday`,
    `${row} in green ink | The driver of the crane, or the mate | Monday`,
  ]);
});

it('two columns of prose below bold headings stay columns where their paragraphs begin at other heights', async () => {
  const prose = (x: number, y: number, n: number): string[] =>
    Array.from({ length: n }, (_, i) => at(x, y - 12 * i, `Words of line ${i} go on to the edge`));
  const content = [
    at(72, 700, 'Summer', bold),
    at(320, 700, 'Winter', bold),
    ...[...prose(72, 680, 4), ...prose(72, 620, 3)],
    ...[...prose(320, 680, 2), ...prose(320, 644, 6)],
  ];
  expect((await read(content)).some((line) => line.includes(' | '))).toBe(false);
});

it('a caption between two tables parts them', async () => {
  const rows = (y: number, cells: readonly (readonly string[])[]): string[] =>
    cells.flatMap((row, i) => row.map((text, j) => at([72, 200, 300][j]!, y - 12 * i, text)));
  const loads = [
    ['Bollard', 'Dry', 'Wet'],
    ['A1', '120', '98'],
    ['B7', '85', '60'],
  ];
  const content = [
    at(72, 720, 'Table 1: Masters'),
    ...rows(704, [
      ['Boat', 'Master', 'Berth'],
      ['Tern', 'Ada Winter', 'North'],
      ['Skua', 'Bo Lind', 'South'],
    ]),
    at(72, 656, 'Table 2: Loads'),
    ...rows(640, loads),
  ];
  const lines = await read(content);
  expect(lines.slice(0, 2)).toEqual(['Table 1: Masters', 'Boat | Master | Berth']);
  expect(lines.slice(-4)).toEqual(['Table 2: Loads', ...loads.map((row) => row.join(' | '))]);
});

/** Each letter is 5 points wide, the last but a few 6: no font of one pitch. */
const quill = {
  fonts: '/F3 100 0 R',
  objects: {
    100: `<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Quill /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths [${Array.from({ length: 95 }, (_, i) => (i === 90 ? 600 : 500)).join(' ')}] >>`,
  },
};

it('a cell beside numbers that end close to it is one of its own, title and all', async () => {
  // 6 points after the last digit, as between cells with a margin of 3
  const cells = [
    ['Item', 'Price', 'Note'],
    ['Shower', '2.50', 'at the kiosk'],
    ['Laundry', '14.00', 'until eight'],
    ['Sauna', '12.00', 'on Fridays'],
  ].flatMap(([item, price, note], i) => {
    const y = 700 - 16 * i;
    const place = (x: number, text: string): string => at(x, y, text, { font: 'F3' });
    return [place(72, item!), place(200 - 5 * price!.length, price!), place(207, note!)];
  });
  const bytes = makePdf({ pages: [cells.join('\n')], ...quill });
  const { text } = await parsePdf(bytes, context('prices.pdf'));
  expect(text.split('\n')).toEqual([
    'Item | Price | Note',
    'Shower | 2.50 | at the kiosk',
    'Laundry | 14.00 | until eight',
    'Sauna | 12.00 | on Fridays',
  ]);
});

it('words of a justified cell, as far apart as cells, are one; small letters go on with the row above', async () => {
  const cell = (x: number, y: number, text: string): string => at(x, y, text);
  const lines = [
    [
      [72, 'Check the oil of the crane, and'],
      [300, 'Driver,'],
      [350, 'or'],
      [390, 'mate'],
      [440, 'Each Monday'],
    ],
    [
      [72, 'write it into the large green'],
      [300, 'who must stay on board'],
      [440, 'before noon'],
    ],
    [
      [72, 'Empty the bilge of the new boat'],
      [300, 'Pilot on the next duty'],
      [440, 'Fridays'],
    ],
    [
      [72, 'Sound the horn for half a full'],
      [300, 'Keeper of the new lamp'],
      [440, 'On the first'],
    ],
    [
      [72, 'minute and listen'],
      [300, 'at the lighthouse'],
    ],
  ] as const;
  const content = lines
    .flatMap((line, i) => line.map(([x, text]) => cell(x, 700 - 12 * i, text).replace('/F1', '/F3')))
    .join('\n');
  const bytes = makePdf({ pages: [content], ...quill });
  const { text } = await parsePdf(bytes, context('crew.pdf'));
  expect(text.split('\n')).toEqual([
    'Check the oil of the crane, and write it into the large green | Driver, or mate who must stay on board | Each Monday before noon',
    'Empty the bilge of the new boat | Pilot on the next duty | Fridays',
    'Sound the horn for half a full minute and listen | Keeper of the new lamp at the lighthouse | On the first',
  ]);
});
