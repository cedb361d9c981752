import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, column, context, makePdf } from './formats-make.ts';
import { outline } from './helpers.ts';

/** An element of the structure: its role, and its children or the operators that draw its text. */
type Element = readonly [role: string, content: readonly Element[] | string];

/** A page whose elements are tagged as browsers and word processors do it. */
function taggedPdf(elements: readonly Element[], drawn = '', mark = '<< /Marked true >>'): Uint8Array {
  const objects: Record<number, string> = {};
  const contents: string[] = [drawn];
  const parents: string[] = [];
  let next = 101;
  const add = ([role, content]: Element, parent: number): string => {
    const number = next++;
    let kids: string;
    if (typeof content === 'string') {
      kids = `${parents.length}`;
      contents.push(`/${role} << /MCID ${parents.length} >> BDC ${content} EMC`);
      parents.push(`${number} 0 R`);
    } else kids = content.map((child) => add(child, number)).join(' ');
    objects[number] = `<< /Type /StructElem /S /${role} /P ${parent} 0 R /Pg 10 0 R /K [${kids}] >>`;
    return `${number} 0 R`;
  };
  const kids = elements.map((element) => add(element, 100)).join(' ');
  objects[100] = `<< /Type /StructTreeRoot /K [${kids}] /ParentTree ${next} 0 R >>`;
  objects[next] = `<< /Nums [0 [${parents.join(' ')}]] >>`;
  return makePdf({
    pages: [contents.join('\n')],
    catalog: `/MarkInfo ${mark} /StructTreeRoot 100 0 R`,
    page: '/StructParents 0',
    objects,
  });
}

/** A row of a table, its cells at these places. */
function row(y: number, cells: readonly (readonly [x: number, text: string])[], role = 'TD'): Element {
  return ['TR', cells.map(([x, text]) => [role, at(x, y, text)] as const)];
}

const read = async (bytes: Uint8Array): Promise<[string, string][]> =>
  outline(await parsePdf(bytes, context('tagged.pdf')));

const boats: Element = [
  'Table',
  [
    row(
      700,
      [
        [72, 'Boat'],
        [118, 'Master'],
        [160, 'Crew'],
      ],
      'TH',
    ),
    row(686, [
      [72, 'Falke'],
      [118, 'Gerda'],
      [160, '4'],
    ]),
    row(672, [
      [72, 'Hummel'],
      [118, 'Ivo'],
      [160, '6'],
    ]),
  ],
]; // prettier-ignore
const pilots: Element = [
  'Table',
  [
    row(
      630,
      [
        [72, 'Pilot'],
        [118, 'Route'],
        [160, 'Since'],
      ],
      'TH',
    ),
    row(616, [
      [72, 'Jonna'],
      [118, 'North'],
      [160, '2019'],
    ]),
  ],
];

it('a heading between two tables is no row, and each table keeps its own rows and names', async () => {
  const heading: Element = ['H2', at(72, 650, 'Pilots of the port', { font: 'F2' })];
  const prose: Element = [
    'P',
    column(72, 590, Array(4).fill('Pilots are called by radio before a boat enters the port.')),
  ];
  expect((await read(taggedPdf([boats, heading, pilots, prose]))).slice(0, 3)).toEqual([
    ['table', 'Boat | Master | Crew\nFalke | Gerda | 4\nHummel | Ivo | 6'],
    ['heading', 'Pilots of the port'],
    ['table', 'Pilot | Route | Since\nJonna | North | 2019'],
  ]);
});

it('two tables straight below each other are two', async () => {
  expect((await read(taggedPdf([boats, pilots]))).map(([kind]) => kind)).toEqual(['table', 'table']);
});

it('names on two lines and over two columns; a cell of several lines; empty cells that are not told', async () => {
  const prices: Element = [
    'Table',
    [
      row(
        700,
        [
          [72, 'Region'],
          [185, 'Sales'],
          [305, 'Costs'],
        ],
        'TH',
      ),
      row(
        686,
        [
          [160, '2030'],
          [220, '2031'],
          [280, '2030'],
          [340, '2031'],
        ],
        'TH',
      ),
      [
        'TR',
        [
          ['TD', `${at(72, 672, 'North and')} ${at(72, 660, 'west')}`],
          ['TD', at(160, 672, '11')],
          ['TD', at(220, 672, '12')],
          ['TD', at(280, 672, '21')],
          ['TD', at(340, 672, '22')],
        ],
      ],
      row(646, [
        [72, 'South'],
        [220, '14'],
        [340, '24'],
      ]),
    ],
  ];
  expect(await read(taggedPdf([prices]))).toEqual([
    [
      'table',
      'Region | Sales 2030 | Sales 2031 | Costs 2030 | Costs 2031\nNorth and west | 11 | 12 | 21 | 22\nSouth |  | 14 |  | 24',
    ],
  ]);
});

it('a label in the middle of its rows is said of each, a note over all columns once', async () => {
  const films: Element = [
    'Table',
    [
      row(
        700,
        [
          [72, 'Year'],
          [140, 'Title'],
          [240, 'Role'],
        ],
        'TH',
      ),
      [
        'TR',
        [
          ['TD', at(72, 679, '1949')],
          ['TD', at(140, 686, 'Strangers')],
          ['TD', at(240, 686, 'China')],
        ],
      ],
      row(672, [
        [140, 'Bovary'],
        [240, 'Emma'],
      ]),
      row(658, [[72, 'No films in the year 1951']]),
      row(644, [
        [72, '1952'],
        [140, 'Carrie'],
        [240, 'Carrie'],
      ]),
    ],
  ];
  expect((await read(taggedPdf([films])))[0]![1].split('\n').slice(1)).toEqual([
    '1949 | Strangers | China',
    '1949 | Bovary | Emma',
    'No films in the year 1951',
    '1952 | Carrie | Carrie',
  ]);
});

it('cells that are not told from left to right say nothing: the place of the text does', async () => {
  const turned: Element = [
    'Table',
    [0, 1, 2, 3].map((i) =>
      row(700 - 14 * i, [
        [72, `Boat ${i}`],
        [320, `${i}2`],
        [200, `${i}1`],
      ]),
    ),
  ];
  expect(await read(taggedPdf([turned]))).toEqual([
    ['table', [0, 1, 2, 3].map((i) => `Boat ${i} | ${i}1 | ${i}2`).join('\n')],
  ]);
});

it('items of a list whose mark is a drawing have one', async () => {
  const item = (y: number, text: string, label: string): Element => [
    'LI',
    [
      ['Lbl', label],
      ['LBody', at(72, y, text)],
    ],
  ];
  const list: Element = [
    'L',
    [
      item(700, 'Rope of hemp', '60 700 3 3 re f'),
      item(688, 'Lamp of brass', '60 688 3 3 re f'),
      item(676, 'Flag of linen', at(58, 676, '3.')),
    ],
  ];
  expect((await read(taggedPdf([list]))).map(([, text]) => text).join('\n')).toMatch(
    /^• Rope of hemp\n• Lamp of brass\s3\. Flag of linen$/,
  );
  expect((await read(taggedPdf([list], '', '<< /Marked false >>')))[0]![1]).not.toContain('•');
});

it('drawn lines say over which columns a title reaches, which the tags do not', async () => {
  const line = (x0: number, y0: number, x1: number, y1: number): string => `${x0} ${y0} m ${x1} ${y1} l S`;
  const xs = [70, 130, 180, 240, 290, 350];
  const drawn = [
    ...xs.map((x) => line(x, 640, x, x === 180 || x === 290 ? 700 : 720)),
    ...[640, 660, 680, 720].map((y) => line(70, y, 350, y)),
    line(130, 700, 350, 700),
  ].join('\n');
  const years: Element = [
    'Table',
    [
      row(
        706,
        [
          [74, 'Port'],
          [134, '2023'],
          [244, '2024'],
        ],
        'TH',
      ),
      row(
        686,
        [
          [134, 'Cod'],
          [184, 'Herring'],
          [244, 'Cod'],
          [294, 'Herring'],
        ],
        'TH',
      ),
      row(666, [
        [74, 'Hull'],
        [134, '12'],
        [184, '40'],
        [244, '15'],
        [294, '38'],
      ]),
      row(646, [
        [74, 'Leith'],
        [134, '22'],
        [184, '4'],
        [244, '25'],
        [294, '3'],
      ]),
    ],
  ];
  expect(await read(taggedPdf([years], drawn))).toEqual([
    [
      'table',
      'Port | 2023 Cod | 2023 Herring | 2024 Cod | 2024 Herring\nHull | 12 | 40 | 15 | 38\nLeith | 22 | 4 | 25 | 3',
    ],
  ]);
});
