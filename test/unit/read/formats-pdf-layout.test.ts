import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeAccents } from '../../../src/read/pdf/accents.ts';
import { cellsOf, isNumeric } from '../../../src/read/pdf/cells.ts';
import { findFurniture } from '../../../src/read/pdf/furniture.ts';
import { readingOrder, toRow } from '../../../src/read/pdf/layout.ts';
import { countWords, joinLines } from '../../../src/read/pdf/repair.ts';
import { type DrawnText, fixLigatures, pageLayers, type Segment } from '../../../src/read/pdf/runs.ts';
import { tableText } from '../../../src/read/pdf/table-text.ts';
import { findTables } from '../../../src/read/pdf/tables.ts';

function segment(x0: number, x1: number, y: number, text: string): Segment {
  return { x0, x1, y, size: 10, text, bold: false, italic: false, mono: false, rtl: false };
}

function drawn(str: string, x: number, y: number, width: number, dir = 'ltr', size = 10): DrawnText {
  return { str, transform: [size, 0, 0, size, x, y], width, height: size, fontName: 'f', dir };
}

const PAGE = [0, 0, 612, 792];
const NONE = new Map();

function lines(items: readonly DrawnText[]): string[] {
  return pageLayers(items, NONE, PAGE).flatMap((layer) => layer.segments.map((s) => s.text));
}

describe('pageLayers', () => {
  it('sets a blank where there is a gap and none where a word goes on in another font', () => {
    expect(lines([drawn('pre', 72, 700, 15), drawn('fix', 87.4, 700, 12), drawn('and', 102.5, 700, 16)])).toEqual([
      'prefix and',
    ]);
  });

  it('parts cells at a wide gap, numbers at half of it', () => {
    expect(lines([drawn('total', 72, 700, 20), drawn('cost', 110, 700, 18)])).toEqual(['total', 'cost']);
    expect(lines([drawn('180,000', 72, 700, 35), drawn('1,759', 113, 700, 25)])).toEqual(['180,000', '1,759']);
    expect(lines([drawn('hundred', 72, 700, 35), drawn('thousand', 113, 700, 40)])).toEqual(['hundred thousand']);
  });

  it('does not take the even gaps of a justified line for columns', () => {
    const words = ['wide', 'gaps', 'of', 'one', 'short', 'line'];
    expect(lines(words.map((word, i) => drawn(word, 72 + 40 * i, 700, 29)))).toEqual(['wide gaps of one short line']);
  });

  it('orders right-to-left runs from the right and keeps Latin runs inside them in order', () => {
    const line = [
      drawn('עולם', 100, 700, 30, 'rtl'),
      drawn('PDF', 135, 700, 20),
      drawn('1.7', 158, 700, 15),
      drawn('שלום', 178, 700, 30, 'rtl'),
    ];
    expect(lines(line)).toEqual(['שלום PDF 1.7 עולם']);
  });

  it('puts text of another direction into a layer of its own, after the main one', () => {
    const stamp: DrawnText = { ...drawn('arXiv', 20, 300, 40), transform: [0, 10, -10, 0, 20, 300] };
    const layers = pageLayers([stamp, drawn('the text of the page', 72, 700, 120)], NONE, PAGE);
    expect(layers.map((layer) => [layer.direction, layer.segments.map((s) => s.text)])).toEqual([
      [0, ['the text of the page']],
      [90, ['arXiv']],
    ]);
  });

  it('leaves out what lies off the page', () => {
    expect(lines([drawn('seen', 72, 700, 20), drawn('printer marks', 700, 900, 60)])).toEqual(['seen']);
  });
});

describe('readingOrder', () => {
  const word = fc.constantFrom(
    'tide',
    'of the harbour and the sea',
    '12,500',
    'a line of prose about ships',
    '$',
    'II',
  );
  const segments = fc.array(
    fc.record({
      x0: fc.integer({ min: 0, max: 500 }),
      width: fc.integer({ min: 1, max: 300 }),
      y: fc.integer({ min: 0, max: 700 }),
      text: word,
    }),
    { maxLength: 120 },
  );

  it('is a permutation: every segment once, whatever the page looks like', () => {
    fc.assert(
      fc.property(segments, (given) => {
        const all = given.map(({ x0, width, y, text }) => segment(x0, x0 + width, y, text));
        const out = readingOrder(all).flatMap((region) => region.flatMap((row) => row.segments));
        expect(out.length).toBe(all.length);
        expect(new Set(out)).toEqual(new Set(all));
      }),
      { numRuns: 300 },
    );
  });

  it('reads three columns from left to right', () => {
    const texts = ['left', 'middle', 'right'].map((name) =>
      Array.from({ length: 6 }, (_, i) => `${name} column says in line ${i} what it says`),
    );
    const all = texts.flatMap((column, c) =>
      column.map((text, i) => segment(50 + 180 * c, 210 + 180 * c, 100 + 12 * i, text)),
    );
    const order = readingOrder(all).flatMap((region) => region.map((row) => row.text));
    expect(order).toEqual(texts.flat());
  });

  it('keeps the rows of a table whose numbers sit a little off the baseline of their labels', () => {
    const labels = [
      'Software development costs, net of all',
      'Loan to related party held for sale',
      'Receivable from the related party now',
      'Other assets that are not current',
    ];
    const all = labels.flatMap((text, i) => [
      segment(50, 220, 100 + 12 * i, text),
      segment(400, 430, 101.8 + 12 * i, `${i},544`),
      segment(500, 530, 101.8 + 12 * i, `${i},690`),
    ]);
    const regions = readingOrder(all);
    expect(regions.length).toBe(1);
    expect(regions[0]!.map((row) => row.segments.map((s) => s.text))).toEqual(
      labels.map((text, i) => [text, `${i},544`, `${i},690`]),
    );
  });
});

describe('tables', () => {
  const row = (y: number, ...cells: readonly (readonly [number, string])[]): ReturnType<typeof toRow> =>
    toRow(cells.map(([x, text]) => segment(x, x + text.length * 5, y, text)));

  it('keeps each cell under its title where one between is empty, and leaves another table as it is', () => {
    const line = (y: number, ...cells: readonly (string | undefined)[]): ReturnType<typeof toRow> =>
      row(y, ...cells.flatMap((cell, i) => (cell === undefined ? [] : [[50 + 120 * i, cell] as const])));
    const rows = [
      line(0, 'Name', 'Salary', 'Bonus', 'Stock'),
      line(12, 'Amar Maletira', '500,000', '120,000', '900,000'),
      line(24, 'Paul McNab', '450,000', undefined, '800,000'),
      line(36, 'Gary Staley', '375,000', '100,000', '700,000'),
      line(48, 'Luke Scrivanich', '365,000', '90,000', '600,000'),
      line(60, '2020', undefined, undefined, '2,041'),
      line(72, '2021', undefined, undefined, '808'),
    ];
    expect(tableText(rows).lines.slice(2)).toEqual([
      'Paul McNab | 450,000 |  | 800,000',
      'Gary Staley | 375,000 | 100,000 | 700,000',
      'Luke Scrivanich | 365,000 | 90,000 | 600,000',
      '2020 | 2,041',
      '2021 | 808',
    ]);
  });

  it('joins signs to their numbers', () => {
    expect(
      cellsOf(
        row(
          0,
          [50, 'Fees'],
          [200, '$'],
          [220, '3,631'],
          [300, '$'],
          [320, '(12'],
          [340, ')'],
          [400, '4.2'],
          [420, '%'],
        ),
      ).map((c) => c.text),
    ).toEqual(['Fees', '$3,631', '$(12)', '4.2%']);
    expect(cellsOf(row(0, [50, 'Gary Staley'], [200, '$360,000 $'], [300, '375,000'])).map((c) => c.text)).toEqual([
      'Gary Staley',
      '$360,000',
      '$375,000',
    ]);
  });

  it('finds a table between two paragraphs', () => {
    const rows = [
      row(0, [50, 'The fees of both years are these and no others were ever paid.']),
      row(14, [50, 'Audit'], [200, '10'], [300, '20']),
      row(28, [50, 'Tax'], [200, '30'], [300, '40']),
      row(42, [50, 'The sum of all these fees was agreed with the board long before.']),
    ];
    expect(findTables(rows)).toEqual([[1, 3]]);
  });

  it('takes the header from values of one digit too, and section labels for body', () => {
    const rows = [
      row(0, [50, 'Port'], [200, 'Ships'], [300, 'Boats']),
      row(14, [50, 'North Sea']),
      row(28, [60, 'Husum'], [200, '1'], [300, '2']),
      row(42, [60, 'Emden'], [200, '3'], [300, '4']),
    ];
    expect(tableText(rows)).toEqual({
      lines: ['Port | Ships | Boats', 'North Sea', 'Husum | 1 | 2', 'Emden | 3 | 4'],
      headerLines: 1,
    });
  });

  it('puts a title between two columns above both, not into a column of its own', () => {
    const line = (y: number, ...cells: readonly (readonly [number, number, string])[]): ReturnType<typeof toRow> =>
      toRow(cells.map(([x0, x1, text]) => segment(x0, x1, y, text)));
    const rows = [
      line(0, [486, 547, 'For the Years Ended']),
      line(10, [496, 537, 'December 31,']),
      line(20, [476, 489, '2019'], [544, 557, '2018']),
      line(36, [24, 49, 'Net loss'], [470, 513, '(33,982)'], [537, 580, '(24,561)']),
      line(48, [24, 90, 'Translation'], [490, 513, '68'], [560, 580, '(5)']),
    ];
    expect(tableText(rows)).toEqual({
      lines: [
        'For the Years Ended December 31,',
        '2019 | 2018',
        'Net loss | (33,982) | (24,561)',
        'Translation | 68 | (5)',
      ],
      headerLines: 2,
    });
  });

  it('does not take justified lines with wide gaps for one', () => {
    const line = (y: number, gap: number): ReturnType<typeof toRow> =>
      toRow([
        segment(50, 50 + gap, y, 'Kim, Y.; Petrov, P.; and Ney, H.'),
        segment(62 + gap, 300, y, 'Pivot-based transfer learning for'),
      ]);
    expect(findTables([line(0, 100), line(12, 140), line(24, 80)])).toEqual([]);
  });

  it.each([':', ')'])('takes the line of %s beside the parties of a case for no column', (mark) => {
    const line = (y: number, ...cells: readonly (readonly [number, string])[]): ReturnType<typeof toRow> =>
      toRow(cells.map(([x0, text]) => segment(x0, x0 + 6 * text.length, y, text)));
    const rows = [
      line(0, [50, 'ANN MOOR,'], [300, mark]),
      line(12, [50, 'Petitioner'], [300, mark]),
      line(24, [80, 'v.'], [300, mark], [340, 'No. 07-1315']),
      line(36, [50, 'BO TARN.'], [300, mark]),
    ];
    expect(findTables(rows)).toEqual([]);
    const form = rows.map((_, i) => line(12 * i, [50, 'Name'], [200, ':'], [240, `Moor ${i}`]));
    expect(findTables(form)).toEqual([[0, 4]]);
  });

  it('makes one row of cells that wrap, where rows stand further apart than lines', () => {
    const rows = [
      row(0, [50, 'Location'], [200, 'Washington, D.C., United']),
      row(10, [200, 'States']),
      row(24, [50, 'Composition'], [200, 'Presidential nomination with']),
      row(34, [50, 'method'], [200, 'Senate confirmation']),
      row(48, [50, 'Website'], [200, 'none']),
      row(62, [50, 'Currently'], [200, 'John Roberts']),
    ];
    expect(tableText(rows).lines).toEqual([
      'Location | Washington, D.C., United States',
      'Composition method | Presidential nomination with Senate confirmation',
      'Website | none',
      'Currently | John Roberts',
    ]);
  });

  it.each(['3,631,575', '$4,777', '(12.5)', '4.2%', '—', '--', 'N/A', '0', '1.61', '6,579,029(1)', '* '])(
    'takes %s for a number',
    (text) => {
      expect(isNumeric(text)).toBe(true);
    },
  );

  it.each(['Fiscal 2019', 'Total', '12 months', 'MSUs', 'a'])('does not take %s for one', (text) => {
    expect(isNumeric(text)).toBe(false);
  });
});

describe('findFurniture', () => {
  const page = (...texts: readonly (readonly [number, string])[]): Parameters<typeof findFurniture>[0][number] => ({
    top: 0,
    bottom: 800,
    segments: texts.map(([y, text]) => segment(50, 300, y, text)),
  });

  it('keeps cells that repeat inside a table that fills the pages', () => {
    const pages = [1, 2, 3, 4].map((n) =>
      page(
        ...[20, 40, 60, 400, 740, 760, 780].map((y): [number, string] => [
          y,
          `Layoff Permanent, plant number ${'abcd'[n - 1]}${y}`,
        ]),
      ),
    );
    expect(findFurniture(pages).map(({ gone }) => gone.size)).toEqual([0, 0, 0, 0]);
  });

  it('marks a page number that stands under text of different length', () => {
    const pages = [600, 700, 500].map((y, i) =>
      page([100, `A page of text of its own, the ${'xyz'[i]} one`], [y, `- ${i + 1} -`]),
    );
    const marked = findFurniture(pages).map(({ gone }) => [...gone].map((s) => s.text));
    expect(marked).toEqual([['- 1 -'], ['- 2 -'], ['- 3 -']]);
  });

  it('leaves a document of one page alone', () => {
    expect(findFurniture([page([20, 'A head'], [780, '1'])])[0]!.gone.size).toBe(0);
  });
});

describe('repair', () => {
  it.each([
    [['state-of-the-', 'art systems'], 'state-of-the-art systems'],
    [['the compo-', 'nents'], 'the components'],
    [['a cost-', 'effective cost and an effective one'], 'a cost-effective cost and an effective one'],
    [['self-', 'contained'], 'self-contained'],
    [['the Anglo-', 'Saxon'], 'the Anglo-Saxon'],
    [['from 2019-', '2020'], 'from 2019-2020'],
    [['soft\u00ad', 'ened'], 'softened'],
    [['日本語の', '文章'], '日本語の文章'],
    [['two', 'words'], 'two words'],
    [['an aside –', 'so to speak'], 'an aside – so to speak'],
    [['see https://example.org/', 'path'], 'see https://example.org/path'],
    [['see https://example.org/the-compo-', 'nents.pdf'], 'see https://example.org/the-compo-nents.pdf'],
    [['see www.example.org/list?sort=', 'name'], 'see www.example.org/list?sort=name'],
    [['see https://', 'www.example.org'], 'see https://www.example.org'],
    [['see https://example.org/-', 'path'], 'see https://example.org/path'],
    [['logs in /var/', 'log/news'], 'logs in /var/log/news'],
    [['files in /var/log/', 'directories'], 'files in /var/log/ directories'],
    [['debian/', 'debian/rules'], 'debian/ debian/rules'],
    [['tugs and/', 'or pilots'], 'tugs and/or pilots'],
    [['a line of verse /', 'and another'], 'a line of verse / and another'],
  ])('joins %j', (given, expected) => {
    expect(joinLines(given, countWords([...given, 'components are cost and effective']))).toBe(expected);
  });

  it('does not count the halves of a broken word', () => {
    expect(countWords(['a re-', 'port'])).toEqual(
      new Map([
        ['a', 1],
        ['port', 1],
      ]),
    );
  });

  it.each([
    ['na¨ıve', 'naïve'],
    ['O˘guz', 'Oğuz'],
    ['Ageˆncia', 'Agência'],
    ['5 ˜ 6', '5 ˜ 6'],
    ['plain', 'plain'],
  ])('composes the accent of %s', (given, expected) => {
    expect(composeAccents(given)).toBe(expected);
  });

  it('writes out ligatures and Arabic forms, and leaves other compatibility characters', () => {
    expect(fixLigatures('eﬃcient ﬂow ﬀ')).toBe('efficient flow ff');
    expect(fixLigatures('ﻉﺮﺑ')).toBe('عرب');
    expect(fixLigatures('m² ™ ½')).toBe('m² ™ ½');
  });
});
