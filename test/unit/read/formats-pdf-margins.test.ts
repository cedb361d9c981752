/** What stands at the edges of pages: running headers, footers and page numbers go, everything else stays. */
import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../../src/read/contract.ts';
import { pageNumber, romanValue } from '../../../src/read/pdf/page-numbers.ts';
import { readPdf } from '../../support/read-pdf.ts';
import { at, column, textOf } from './formats-make.ts';

const WEATHER = [
  'calm',
  'foggy',
  'stormy',
  'clear',
  'windy',
  'hazy',
  'frosty',
  'mild',
  'rainy',
  'bright',
  'grey',
  'dry',
];
const NAMES = ['Ada', 'Ben', 'Cleo', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo', 'Jule', 'Kai', 'Lea'];
const PAGES = NAMES.map((_, i) => i);

const read = (pages: readonly string[]): Promise<ParsedDocument> => readPdf({ pages });

/** The words of what `at` draws, sorted, so that each has to come back as often as it was drawn. */
function drawnWords(pages: readonly string[]): string[] {
  return pages.flatMap((page) => [...page.matchAll(/\((.*?)(?<!\\)\) Tj/g)].flatMap(([, text]) => words(text!))).sort();
}

function words(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Some lines of a page's own between its top and its bottom. */
function body(i: number): string {
  return column(72, 500, [
    `${NAMES[i]} wrote that the ${WEATHER[i]} morning was spent on the roof`,
    `and that ${NAMES[(i + 5) % 12]} came later with a ${WEATHER[(i + 7) % 12]} face.`,
  ]);
}

describe('every word stays of', () => {
  const twoDigits = (n: number): string => String(n).padStart(2, '0');
  it.each<[string, string[]]>([
    ['slides that hold one word and a number', PAGES.map((i) => at(280, 400, `Potato ${i}`))],
    [
      'slides whose word and number stand in the margin',
      PAGES.map((i) => at(280, 760, `Potato ${i}`) + at(280, 40, `Potato ${i}`)),
    ],
    [
      'an invoice book',
      PAGES.map(
        (i) =>
        [
          at(72, 750, `Invoice ${1001 + i}`),
          at(72, 735, 'Customer'), at(300, 735, String(77010 + i)),
          body(i),
          at(72, 60, `Total EUR ${19 + (i % 3)}.90`),
        ].join('\n'), // biome-ignore format: one line of the page a line
      ),
    ],
    [
      'forms that begin with the number of the customer or of the question',
      PAGES.map(
        (i) =>
        [
          at(72, 750, 'Customer reference'), at(300, 750, String(77010 + i)),
          body(i),
          at(72, 50, 'Question'), at(300, 50, String(i + 1)),
        ].join('\n'), // biome-ignore format: one line of the page a line
      ),
    ],
    [
      'an exam with its answers',
      PAGES.map((i) =>
        [at(72, 750, `Question ${i + 1}`), body(i), at(72, 50, `Answer: ${'BBCBADCBDDAC'[i]}`)].join('\n'),
      ),
    ],
    ['an exam whose answers are letters alone', PAGES.map((i) => [body(i), at(72, 50, 'CDCMICXDLVCI'[i]!)].join('\n'))],
    [
      'a telephone list, numbers below the names',
      PAGES.map((i) =>
        [...Array(15).keys()]
          .map((row) => {
            const number = 55501 + (i * 15 + row) * 37;
            return at(72, 760 - 48 * row, NAMES[(i * 7 + row) % 12]!) + at(72, 740 - 48 * row, `${number}`);
          })
          .join('\n'),
      ),
    ],
    [
      'a price list, one lot a page',
      PAGES.map((i) =>
        [at(72, 750, `Lot ${i + 1}`), body(i), at(72, 50, 'Sum'), at(300, 50, `${120 + 7 * i}.00`)].join('\n'),
      ),
    ],
    [
      'a diary',
      PAGES.map((i) =>
        [at(72, 750, `${i + 1} March 1921`), body(i), at(450, 50, `${twoDigits(i + 1)}.03.1921`)].join('\n'),
      ),
    ],
    [
      'a list of words that are made of the letters of roman numerals',
      ['civil', 'vivid', 'mill', 'dill', 'mimic', 'livid', 'mix', 'dim', 'mild', 'lid', 'ill', 'vim'].map((word, i) =>
        [at(280, 750, word), body(i)].join('\n'),
      ),
    ],
    [
      'certificates that differ in one name',
      PAGES.map((i) => [at(200, 720, 'Certificate'), at(200, 420, NAMES[i]!)].join('\n')),
    ],
    [
      'a ledger whose first line is often the same',
      PAGES.map((i) =>
        [...Array(12).keys()]
          .map((row) => {
            const kind = (i + row) % 3 === 0 ? 'Closure Permanent' : 'Layoff Permanent';
            return at(72, 760 - 64 * row, `${NAMES[(i * 5 + row) % 12]} Works`) + at(250, 760 - 64 * row, kind);
          })
          .join('\n'),
      ),
    ],
  ])('%s', async (_, pages) => {
    const document = await read(pages);
    expect(words(document.text).sort()).toEqual(drawnWords(pages));
    expect(new Set(document.locators.map(({ page }) => page)).size).toBe(pages.length);
    expect(document.warnings).toEqual([]);
  });

  it('answers that stand beside the number of the page, but for that number', async () => {
    const answers = [...'BBCBADCBDDAC'];
    const { text } = await read(
      PAGES.map((i) => [body(i), at(72, 50, `Answer: ${answers[i]}`), at(500, 50, `${i + 1}`)].join('\n')),
    );
    expect(text.match(/Answer: ./g)).toEqual(answers.map((answer) => `Answer: ${answer}`));
  });

  it('volumes whose number is no page number', async () => {
    const pages = PAGES.map((i) => [at(72, 760, `Harbour Record, volume ${i + 1}`), body(i)].join('\n'));
    expect(words((await read(pages)).text).sort()).toEqual(drawnWords(pages));
  });
});

describe('what goes from the margin', () => {
  const inMargin = async (lines: (i: number) => string): Promise<string[]> => {
    const pages = PAGES.map((i) => [lines(i), body(i)].join('\n'));
    const left = (await read(pages)).text.split(/\n+/).filter((line) => !/ wrote | came later /.test(line));
    return left;
  };

  it.each<[string, (i: number) => string, string[]]>([
    ['numbers', (i) => at(300, 40, `${i + 5}`), []],
    ['numbers between dashes', (i) => at(300, 40, `- ${i + 1} -`), []],
    ['numbers with their total', (i) => at(300, 40, `Page ${i + 1} of 12`), []],
    ['numbers of an appendix', (i) => at(300, 40, `A-${i + 1}`), []],
    [
      'roman numbers',
      (i) => at(300, 40, ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'][i]!),
      [],
    ],
    ['a header, after its first page', () => at(72, 760, 'Harbour Record'), ['Harbour Record']],
    [
      'a header with the number beside it',
      (i) => at(72, 760, 'Harbour Record') + at(500, 760, `${i + 1}`),
      ['Harbour Record'],
    ],
    ['a footer with the number in its words', (i) => at(72, 40, `Harbour Record | ${i + 1}`), ['Harbour Record | 1']],
    ['a footer that says page', (i) => at(72, 40, `Confidential, page ${i + 1} of 12`), ['Confidential, page 1 of 12']],
    [
      'headers of left and right pages',
      (i) => at(72, 760, i % 2 === 0 ? 'Harbour Record' : 'Of wind and weather'),
      ['Harbour Record', 'Of wind and weather'],
    ],
    [
      'headers of parts, beside the number',
      (i) => at(72, 760, i < 5 ? 'The log of the first year' : 'What came to light later') + at(500, 760, `${i + 1}`),
      ['The log of the first year', 'What came to light later'],
    ],
  ])('%s', async (_, lines, left) => {
    expect(await inMargin(lines)).toEqual(left);
  });

  it('a header of left pages, three of six', async () => {
    const page = (i: number): string =>
      [i % 2 === 1 ? at(72, 760, 'Harbour Record') + at(500, 760, 'Ines Quay et al.') : '', body(i)].join('\n');
    const { text } = await read(PAGES.slice(0, 6).map(page));
    expect(text.match(/Harbour Record/g)).toHaveLength(1);
    expect(text.match(/Ines Quay et al\./g)).toHaveLength(1);
  });

  it('is counted', async () => {
    const document = await read(
      PAGES.map((i) => [at(72, 760, 'Harbour Record'), body(i), at(300, 40, `${i + 1}`)].join('\n')),
    );
    expect(document.warnings).toEqual([
      {
        code: 'PDF_RUNNING_LINES',
        leftOut: 23,
        message: 'left out 23 lines on 12 pages: running headers and footers after the first, page numbers',
      },
    ]);
  });

  it('stays on a page that has no other text', async () => {
    const head = at(72, 760, 'Harbour Record of the northern coast');
    const document = await read([...PAGES.slice(0, 6).map((i) => `${head}\n${body(i)}`), head, `${head}\n${body(7)}`]);
    expect(document.locators.map(({ page }) => page)).toContain(7);
    expect(document.text.match(/Harbour Record/g)?.length).toBe(2);
  });
});

describe('a sentence', () => {
  const half = 'The tenant shall pay the rent that is due for the month to the landlord or the';
  const rest = (i: number): string => `agent of the landlord, ${NAMES[i]}, on the first day of it.`;

  it('goes on across footers, headers and page numbers, the first of them too', async () => {
    const pages = PAGES.map((i) =>
      [
        at(72, 760, 'Harbour Lease'),
        column(72, 720, i === 0 ? [half] : [rest(i), half]),
        at(72, 60, String.raw`U:\\leases\\harbour.doc`),
        at(300, 40, `- ${i + 1} -`),
      ].join('\n'),
    );
    const { text } = await read(pages);
    for (const i of PAGES.slice(1)) expect(text).toContain(`${half} ${rest(i)}`);
    expect(text.match(/harbour\.doc/g)).toHaveLength(1);
  });

  it('goes on across a header that first stands on the second page', async () => {
    const pages = PAGES.map((i) =>
      [
        i === 0 ? '' : at(72, 760, 'Harbour Lease', { size: 12 }),
        column(72, 720, i === 0 ? [half] : [rest(i), half]),
      ].join('\n'),
    );
    const document = await read(pages);
    for (const i of PAGES.slice(1)) expect(document.text).toContain(`${half} ${rest(i)}`);
    expect(document.text).toContain('Harbour Lease');
    const head = document.text.indexOf('Harbour Lease');
    expect(document.locators.find(({ start, end }) => start <= head && head < end)?.page).toBe(2);
    expect(document.blocks.map((block) => textOf(document, block)).join('\n\n')).toBe(document.text);
  });
});

describe('pageNumber', () => {
  it.each([
    ['12', 12],
    ['– 12 –', 12],
    ['[iv]', 4],
    ['Page 3 of 12', 3],
    ['Seite 3 von 12', 3],
    ['3/12', 3],
    ['F-51', 51],
    ['第 3 页', 3],
  ])('%s', (text, value) => {
    expect(pageNumber(text, 12)?.value).toBe(value);
  });

  it.each(['civil', 'vivid', 'mill', 'iiii', '12.5', 'EUR 12', '$12', '12 %', 'Lot 12', '3/4', '12 of 3', '1234567'])(
    '%s is none',
    (text) => {
      expect(pageNumber(text, 12)).toBeUndefined();
    },
  );

  it('reads each roman numeral in its one form', () => {
    expect(['i', 'iv', 'ix', 'xiv', 'xl', 'xc', 'cd', 'MCMXCIV'].map(romanValue)).toEqual([
      1, 4, 9, 14, 40, 90, 400, 1994,
    ]);
    expect(['', 'iiii', 'vx', 'iix', 'ic', 'mild', 'dill'].map(romanValue)).toEqual(Array(7).fill(undefined));
  });
});
