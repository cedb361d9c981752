import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ReadPage } from '../../../src/read/ocr/contract.ts';
import { readTsv } from '../../../src/read/ocr/tsv.ts';
import { createReader } from '../../../src/read/reader.ts';
import { hasTesseract } from '../../support/has-tesseract.ts';
import { tempFolder } from '../../support/temp.ts';
import { standInTesseract } from '../../support/tesseract.ts';
import { at, makePdf, scannedPdf } from './formats-make.ts';
import { expectSound } from './helpers.ts';

/** A line of words that begins at x, y; a letter is 10 dots wide, 20 high, a blank 7. */
type Line = readonly [x: number, y: number, text: string, confidence?: number];
type Box = readonly [left: number, top: number, width: number, height: number];

const [WIDTH, HEIGHT] = [1200, 1600];

/** The table of a page as tesseract prints it: each block has the lines it is given. */
function tsv(blocks: readonly (readonly Line[])[], turn: (box: Box) => Box = (box) => box): string {
  const [, , width, height] = turn([0, 0, WIDTH, HEIGHT]);
  const rows = [`1\t1\t0\t0\t0\t0\t0\t0\t${width}\t${height}\t-1\t`];
  for (const [block, lines] of blocks.entries()) {
    for (const [line, [left, y, text, confidence = 95]] of lines.entries()) {
      let x = left;
      for (const [at, word] of text.split(' ').entries()) {
        const box = turn([x, y, word.length * 10, 20]);
        rows.push(`5\t1\t${block + 1}\t1\t${line + 1}\t${at + 1}\t${box.join('\t')}\t${confidence}\t${word}`);
        x += word.length * 10 + 7;
      }
    }
  }
  return rows.join('\n');
}

function textsOf([page]: readonly ReadPage[]): string[] {
  return page!.paragraphs.map((lines) => lines.map(({ text }) => text).join('\n'));
}

const invoice: readonly (readonly Line[])[] = [
  [[100, 100, 'Invoice 8841']],
  [
    [100, 200, 'Description'],
    [100, 260, 'Site survey'],
    [100, 320, 'Drone photographs'],
    [100, 380, 'Amount due'],
  ],
  [
    [500, 200, 'Quantity'],
    [540, 320, '18'],
  ],
  [
    [800, 200, 'Amount'],
    [800, 260, '640.00'],
    [800, 320, '261.00'],
    [800, 380, '901.00'],
  ],
  [[100, 480, 'Payment is due by the ninth of July']],
];
const invoiceRows = [
  'Description | Quantity | Amount',
  'Site survey |  | 640.00',
  'Drone photographs | 18 | 261.00',
  'Amount due |  | 901.00',
].join('\n');

const turns: Record<string, (box: Box) => Box> = {
  upright: (box) => box,
  'to the right': ([x, y, w, h]) => [HEIGHT - y - h, x, h, w],
  'upside down': ([x, y, w, h]) => [WIDTH - x - w, HEIGHT - y - h, w, h],
  'to the left': ([x, y, w, h]) => [y, WIDTH - x - w, h, w],
  'by four degrees': ([x, y, w, h]) => [x, Math.round(y + 0.07 * (x + w / 2)), w, h],
};

describe('columns that tesseract reads one by one', () => {
  test.each(Object.keys(turns))('become rows, on a page that lies %s', (name) => {
    const turn: (box: Box) => Box = (box) => {
      const isPage = box[2] === WIDTH && box[3] === HEIGHT;
      const [x, y, w, h] = turns[name]!(box);
      return isPage ? [0, 0, w, h] : [x, y, w, h];
    };
    const pages = readTsv(tsv(invoice, turn));
    expect(textsOf(pages)).toEqual(['Invoice 8841', invoiceRows, 'Payment is due by the ninth of July']);
    expect(pages[0]!.paragraphs[1]!.map(({ row }) => row)).toEqual(['title', 'data', 'data', 'data']);
  });

  test('keep the region of each row', () => {
    const [page] = readTsv(tsv(invoice));
    const row = page!.paragraphs[1]!.find(({ text }) => text.startsWith('Drone'))!;
    expect(row.region).toEqual([0.083, 0.2, 0.717, 0.213]); // 100/1200, 320/1600, 860/1200, 340/1600
  });

  test('of prose stay columns, also beside a title', () => {
    const left: Line[] = [0, 1, 2, 3].map((i) => [100, 100 + 30 * i, `the left column has words ${'abcd'[i]}`]);
    const right: Line[] = [0, 1, 2, 3].map((i) => [700, 100 + 30 * i, `the right column has words ${'abcd'[i]}`]);
    const title: Line[] = [[700, 60, 'A title']];
    const beside: Line[] = [[100, 60, 'begins before it with words']];
    expect(textsOf(readTsv(tsv([[...beside, ...left], title, right])))).toEqual([
      [...beside, ...left].map(([, , text]) => text).join('\n'),
      'A title',
      right.map(([, , text]) => text).join('\n'),
    ]);
  });

  test('of narrow prose stay columns', () => {
    const words = ['narrow lines', 'of a paper', 'that flows on', 'and on here', 'to its end'];
    const [left, right] = [100, 400].map((x) => words.map((text, i): Line => [x, 100 + 30 * i, `${text} ${x}`]));
    expect(textsOf(readTsv(tsv([left!, right!])))).toHaveLength(2);
  });

  test('beside a text become rows without its lines', () => {
    const prose = [0, 1, 2, 3, 4].map(
      (i): Line => [100, 112 + 30 * i, `the court was founded by the words ${'abcde'[i]}`],
    );
    const facts: readonly (readonly Line[])[] = [
      [
        [700, 100, 'Established'],
        [700, 150, 'Location'],
        [700, 200, 'Judges'],
      ],
      [
        [900, 100, 'June 1788'],
        [900, 150, 'Washington'],
        [900, 200, 'Nine'],
      ],
    ];
    expect(textsOf(readTsv(tsv([prose, ...facts])))).toEqual([
      prose.map(([, , text]) => text).join('\n'),
      'Established | June 1788\nLocation | Washington\nJudges | Nine',
    ]);
  });

  test('end at a paragraph below them', () => {
    const rows = (y: number, names: readonly string[]): readonly (readonly Line[])[] => [
      names.map((name, i): Line => [100, y + 40 * i, name]),
      names.map((_, i): Line => [900, y + 40 * i, `${i}4.00`]),
    ];
    const between: Line[] = [[100, 220, 'what was paid before the first of May follows here']];
    const page = tsv([...rows(100, ['Bread', 'Soap', 'Milk']), between, ...rows(260, ['Oil', 'Salt', 'Rice'])]);
    expect(textsOf(readTsv(page))).toEqual([
      'Bread | 04.00\nSoap | 14.00\nMilk | 24.00',
      between[0]![2],
      'Oil | 04.00\nSalt | 14.00\nRice | 24.00',
    ]);
  });

  test('of a cell that wraps are one cell', () => {
    const statement: readonly (readonly Line[])[] = [
      [
        [100, 100, '05 Jan'],
        [100, 220, '09 Jan'],
        [100, 290, '15 Jan'],
      ],
      [
        [300, 100, 'Card payment Greenleaf Nursery two'],
        [300, 130, 'young pear trees'],
      ],
      [[300, 220, 'Standing order']],
      [[300, 290, 'Salary']],
      [[900, 100, '86.40']],
      [
        [900, 220, '750.00'],
        [900, 290, '231.00'],
      ],
    ];
    expect(textsOf(readTsv(tsv(statement)))).toEqual([
      '05 Jan | Card payment Greenleaf Nursery two young pear trees | 86.40\n09 Jan | Standing order | 750.00\n15 Jan | Salary | 231.00',
    ]);
  });

  test('of names over the boxes of a form keep each name over its value', () => {
    const form: readonly (readonly Line[])[] = [
      [
        [100, 100, 'Family name'],
        [100, 140, 'Okonkwo'],
      ],
      [
        [600, 100, 'First name'],
        [600, 140, 'Beatrice'],
      ],
    ];
    expect(textsOf(readTsv(tsv(form)))).toEqual(['Family name | First name\nOkonkwo | Beatrice']);
  });

  test('lines between cells that were read as letters part the cells', () => {
    const lines: readonly Line[] = [
      [100, 100, 'Year | Sheep'],
      [100, 140, '2024 | 5185'],
      [100, 180, '2025 | 6874'],
    ];
    expect(textsOf(readTsv(tsv([lines])))).toEqual(['Year | Sheep\n2024 | 5185\n2025 | 6874']);
  });

  test('a right-to-left row begins at the right', () => {
    const rows: readonly (readonly Line[])[] = [
      [
        [800, 100, 'الاسم'],
        [800, 140, 'العمر'],
        [800, 180, 'الثمن'],
      ],
      [
        [100, 100, '12'],
        [100, 140, '34'],
        [100, 180, '56'],
      ],
    ];
    expect(textsOf(readTsv(tsv(rows)))).toEqual(['الاسم | 12\nالعمر | 34\nالثمن | 56']);
  });
});

test('dots between a title and its page are no words', () => {
  const words = (y: number, title: string, page: string): string =>
    [
      [100, title.length * 10, 95, title],
      [230, 100, 3, 'Canal......'],
      [340, 380, 2, 'ccceeeeeee'],
      [740, 40, 0, 'ee'],
      [900, 20, 92, page],
    ]
      .map(([x, w, confidence, text], i) => `5\t1\t1\t1\t${y}\t${i + 1}\t${x}\t${y}\t${w}\t20\t${confidence}\t${text}`)
      .join('\n');
  const page = `1\t1\t0\t0\t0\t0\t0\t0\t1200\t1600\t-1\t\n${words(100, 'Trade on the', '64')}\n${words(140, 'Strike at the', '97')}`;
  expect(textsOf(readTsv(page))).toEqual(['Trade on the Canal | 64\nStrike at the Canal | 97']);
});

describe('a table whose columns were cut', () => {
  const cut = tsv([
    [
      [100, 100, 'Rye bread'],
      [100, 140, 'Soap'],
      [100, 180, 'Total'],
    ],
    [
      [800, 100, '-45', 15],
      [800, 140, '+99', 26],
      [800, 180, '-44', 40],
    ],
  ]);
  const whole = tsv([
    [
      [100, 100, 'Rye bread'],
      [100, 140, 'Soap'],
      [100, 180, 'Total'],
    ],
    [
      [790, 100, '3.45'],
      [790, 140, '5.99'],
      [790, 180, '9.44'],
    ],
  ]);
  const unsure = tsv([[[100, 100, 'Rye bread Soap', 30]]]);

  const readBy = async (answers: readonly string[]): Promise<readonly [string, unknown[]]> => {
    const standIn = standInTesseract(tempFolder(), answers);
    const reader = createReader({ ocr: { program: standIn.program } });
    onTestFinished(() => reader.close());
    const document = await reader.read({ bytes: scannedPdf([undefined]), uri: 'a.pdf' });
    expectSound(document);
    expect(document.blocks.map(({ kind }) => kind)).toEqual(['table']);
    return [document.text, standIn.calls().map(({ args }) => args[5])];
  };

  test('is read again line by line, and the surer reading counts', async () => {
    const read = 'Rye bread | 3.45\nSoap | 5.99\nTotal | 9.44';
    expect(await readBy([cut, whole])).toEqual([read, ['1', '6']]);
    expect(await readBy([whole])).toEqual([read, ['1']]);
    expect(await readBy([cut, unsure])).toEqual(['Rye bread | -45\nSoap | +99\nTotal | -44', ['1', '6']]);
  });
});

test.skipIf(!hasTesseract)(
  'tesseract itself reads a bill as a table with its titles (skipped without tesseract, its English, or pdftoppm)',
  { timeout: 60_000 },
  async () => {
    const rows = [
      ['Description', 'Quantity', 'Amount'],
      ['Site survey', '1', '640.00'],
      ['Drone photographs', '18', '261.00'],
      ['Printing of plans', '6', '192.00'],
      ['Amount due', '', '1093.00'],
    ];
    const drawn = rows.flatMap((cells, row) =>
      cells.map((cell, i) => (cell === '' ? '' : at(72 + 160 * i, 700 - 24 * row, cell, { size: 12 }))),
    );
    const folder = tempFolder({ 'page.pdf': makePdf({ pages: [drawn.join('\n')] }) });
    const picture = execFileSync('pdftoppm', ['-r', '200', '-png', join(folder, 'page.pdf')]);
    const reader = createReader();
    onTestFinished(() => reader.close());
    const document = await reader.read({ bytes: picture, uri: 'page.png' });
    expect(document.text.split('\n')[0]).toBe('Description | Quantity | Amount');
    expect(document.text).toMatch(/^Drone photographs \| 18 \| 261\.00$/m);
    expect(document.text).toMatch(/^Amount due \|.*\| 1093\.00$/m);
    const [block] = document.blocks;
    expect(block).toMatchObject({ kind: 'table', header: { start: 0, end: 31 } });
  },
);
