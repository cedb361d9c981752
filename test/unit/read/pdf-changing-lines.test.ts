/** Headers and footers that change from page to page: they stay, and the text goes on across them. */
import { describe, expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, column, context, makePdf, offsetFaults, textOf } from './formats-make.ts';

const NAMES = ['Ada', 'Ben', 'Cleo', 'Dora', 'Emil', 'Fay'];
const half = 'The keeper of the harbour shall pay what is due for the month to the owner or to the';
const rest = (i: number): string => `agent of the owner, ${NAMES[i]}, on the first day of it.`;

/** Pages whose last sentence goes on at the top of the next page. */
function across(count: number, edges: (i: number) => string): string[] {
  return NAMES.slice(0, count).map((_, i) =>
    [edges(i), column(72, 720, i === 0 ? ['What is paid', half] : [rest(i), half])].join('\n'),
  );
}

async function blocksOf(pages: readonly string[]): Promise<string[]> {
  const document = await parsePdf(makePdf({ pages }), context('a.pdf'));
  expect(offsetFaults(document)).toEqual([]);
  return document.blocks.map((block) => textOf(document, block));
}

describe('a sentence goes on across', () => {
  it.each<[string, number, (i: number) => string, (i: number) => string[]]>([
    ['a version', 6, (i) => at(72, 760, `Harbour Handbook v1.${i + 1}`), (i) => [`Harbour Handbook v1.${i + 1}`]],
    ['a version on two pages', 2, (i) => at(72, 760, `Handbook v1.${i + 1}`), (i) => [`Handbook v1.${i + 1}`]],
    [
      'a date at the foot',
      6,
      (i) => at(72, 60, `Printed on 2026-03-0${i + 1}`),
      (i) => [`Printed on 2026-03-0${i + 1}`],
    ],
    [
      'a month, beside a number of the page',
      4,
      (i) => at(72, 60, `As of ${['May', 'June', 'July', 'August'][i]} ${10 + i}`) + at(500, 60, String(i + 1)),
      (i) => [`As of ${['May', 'June', 'July', 'August'][i]} ${10 + i}`],
    ],
    [
      'a version above and a date below',
      5,
      (i) => at(72, 765, `Rules 2.${i}`) + at(72, 40, `Printed 1${i}.03.2026`),
      (i) => [`Rules 2.${i}`, `Printed 1${i}.03.2026`],
    ],
    ['bold letters', 5, (i) => at(72, 760, `Handbook v1.${i}`, { font: 'F2', size: 11 }), (i) => [`Handbook v1.${i}`]],
  ])('%s', async (_, count, edges, said) => {
    const blocks = await blocksOf(across(count, edges));
    for (let i = 0; i < count; i++) {
      for (const line of said(i)) expect(blocks.filter((block) => block.startsWith(line))).toHaveLength(1);
      if (i > 0) expect(blocks.some((block) => block.includes(`${half} ${rest(i)}`))).toBe(true);
    }
    // The sentence stays free of what stands between its halves.
    expect(blocks.filter((block) => /handbook|rules \d|printed|as of/i.test(block)).every((b) => b.length < 40)).toBe(
      true,
    );
  });
});

it('bold letters above a sentence that goes on are no heading', async () => {
  const pages = across(5, (i) => at(72, 760, `Handbook v1.${i}`, { font: 'F2', size: 11 }));
  const { blocks } = await parsePdf(makePdf({ pages }), context('a.pdf'));
  expect(blocks.filter(({ kind }) => kind === 'heading')).toEqual([]);
});

it('bold letters above the text of their own page are a heading', async () => {
  const pages = NAMES.map((name, i) =>
    [
      at(72, 760, `Question ${i + 1}`, { font: 'F2', size: 11 }),
      column(72, 720, [`What did ${name} say of the harbour, and who was there to hear it when`, 'the boats came in?']),
    ].join('\n'),
  );
  const { blocks } = await parsePdf(makePdf({ pages }), context('a.pdf'));
  expect(blocks.map(({ kind }) => kind)).toEqual(NAMES.flatMap(() => ['heading', 'paragraph']));
});

it('rows of a list that goes on over pages stay in it', async () => {
  const rows = (page: number): string =>
    Array.from({ length: 32 }, (_, i) => {
      const y = 760 - i * 22;
      return [
        at(72, y, `Berth ${page * 32 + i}`),
        at(250, y, `${(i * 37) % 90} ships`),
        at(400, y, `EUR ${i * 11}`),
      ].join('\n');
    }).join('\n');
  const blocks = await blocksOf([0, 1, 2, 3].map(rows));
  expect(blocks).toHaveLength(4);
});

it('a sentence goes on across lines that two pages have in common, and both lines stay', async () => {
  const edges = (i: number): string =>
    at(72, 760, '11/29/26, 11:17 AM') +
    at(300, 760, 'Annual report') +
    at(72, 40, 'https://example.org/report') +
    at(520, 40, `${i + 1}/2`);
  const blocks = await blocksOf(across(2, edges));
  expect(blocks.some((block) => block.includes(`${half} ${rest(1)}`))).toBe(true);
  expect(blocks.filter((block) => block.includes('11:17 AM'))).toHaveLength(2);
  expect(blocks.filter((block) => block.includes('example.org'))).toHaveLength(2);
});

describe('tables with the same names of columns', () => {
  const sheet = (head: (i: number) => string) => (_: string, i: number) =>
    [
      at(72, 770, head(i)),
      ...[
        ['Item', 'Quantity', 'Price'],
        ['Rope', String(i + 2), `${3 * i + 5}.00`],
        ['Chain', String(i + 3), `${4 * i + 7}.00`],
      ].map((cells, row) => cells.map((cell, j) => at(72 + 150 * j, 720 - 16 * row, cell)).join('\n')),
      at(72, 60, `Total EUR ${100 + 7 * i}.00`),
    ].join('\n');

  it('stay with the invoice above them', async () => {
    const blocks = await blocksOf(NAMES.map(sheet((i) => `Invoice no. ${2000 + 3 * i}`)));
    expect(blocks).toEqual(
      NAMES.flatMap((_, i) => [
        `Invoice no. ${2000 + 3 * i}`,
        `Item | Quantity | Price\nRope | ${i + 2} | ${3 * i + 5}.00\nChain | ${i + 3} | ${4 * i + 7}.00`,
        `Total EUR ${100 + 7 * i}.00`,
      ]),
    );
  });

  it('are one below a header that says the same', async () => {
    const blocks = await blocksOf(NAMES.map(sheet(() => 'Account of the harbour')));
    expect(blocks.filter((block) => block.startsWith('Item'))).toHaveLength(1);
    expect(blocks.join('\n').match(/^Rope/gm)).toHaveLength(NAMES.length);
  });
});

it.each([
  ['a footer', 40],
  ['a header that the first page lacks', 765],
])('%s in larger letters is no heading of what follows', async (_, y) => {
  const pages = NAMES.map((name, i) =>
    [
      ...(i > 0 || y < 100 ? [at(72, y, 'Lease of the harbour', { font: 'F2', size: 14 })] : []),
      column(72, 720, [`What ${name} said of the harbour, and who was there to hear it when`, 'the boats came in.']),
    ].join('\n'),
  );
  const { blocks, text } = await parsePdf(makePdf({ pages }), context('a.pdf'));
  expect(text.match(/Lease of the harbour/g)).toHaveLength(1);
  expect(blocks.filter(({ kind }) => kind === 'heading')).toEqual([]);
});

describe('a title beside the number of the page that no other page has', () => {
  const titles = [
    'Ropes and cables',
    'Lamps of the quay',
    'Hooks and chains',
    'Boats for the pilots',
    'Nets and floats',
  ];
  const bold = { font: 'F2', size: 10 };
  /** Left pages have the chapter, right pages the section that ends on them. */
  const page = (i: number): string => {
    const number = String(i + 3);
    const foot =
      i % 2 === 0
        ? at(72, 50, number, bold) + at(380, 50, 'Chapter 2. Harbour gear', bold)
        : at(72, 50, `2.${i}. ${titles[(i - 1) / 2]}`, bold) + at(530, 50, number, bold);
    return [column(72, 720, i === 0 ? ['What is paid', half] : [rest(i % 6), half]), foot].join('\n');
  };
  const pages = Array.from({ length: 9 }, (_, i) => page(i));

  it('stays without the number, heads nothing, and the text goes on across it', async () => {
    const { blocks, text } = await parsePdf(makePdf({ pages }), context('a.pdf'));
    expect(blocks.filter(({ kind }) => kind === 'heading')).toEqual([]);
    for (const i of [1, 3, 5, 7]) expect(text).toMatch(new RegExp(`^2\\.${i}\\. ${titles[(i - 1) / 2]}$`, 'm'));
    for (let i = 1; i < 9; i++) expect(text).toContain(`${half} ${rest(i % 6)}`);
    expect(text).not.toMatch(/^\d+$|(?:gear|cables|quay|chains|pilots) \d+$/m);
  });

  it('keeps a number that does not count the pages', async () => {
    const other = pages.map((text, i) => (i === 3 ? text.replace('(6)', '(60)') : text));
    const { text } = await parsePdf(makePdf({ pages: other }), context('a.pdf'));
    expect(text).toContain('60');
  });
});

it('running lines of a page that has no other text head nothing', async () => {
  const lines = at(72, 760, 'Rules of the harbour', { font: 'F2', size: 14 }) + at(300, 40, 'Edition of the master');
  const pages = NAMES.map((name, i) =>
    i === 3 ? lines : [lines, column(72, 720, [`What ${name} said of the harbour, and who was there.`])].join('\n'),
  );
  const { blocks, text } = await parsePdf(makePdf({ pages }), context('a.pdf'));
  expect(text.match(/Rules of the harbour/g)).toHaveLength(2);
  expect(blocks.filter(({ kind }) => kind === 'heading').length).toBeLessThan(2);
});

describe('pages of one form, as letters to several people are', () => {
  const opening = [
    'The harbour office writes to all who keep a boat in the inner basin.',
    'We remind you that fees are due in May.',
  ];
  const notice = ['This letter may hold what is meant for you alone, and for nobody', 'else: please destroy it.'];
  const letter = (name: string, i: number): string =>
    [
      column(72, 780, opening),
      column(72, 756, [`The berth of ${name} costs ${90 + i} euros.`]),
      column(
        72,
        500,
        Array.from({ length: 6 }, (_, j) => `Of rope number ${i * 7 + j} there are ${j + 3} fathoms left in the shed.`),
      ),
      column(72, 50, notice, 12, 8),
    ].join('\n');

  it('keep the sentences that all of them begin with, and a notice at the foot once', async () => {
    const { text } = await parsePdf(makePdf({ pages: NAMES.map(letter) }), context('a.pdf'));
    const count = (line: string): number => text.split(line).length - 1;
    expect(opening.map(count)).toEqual([6, 6]);
    expect(notice.map(count)).toEqual([1, 1]);
  });

  it('keep their lines in order where one changes with the page', async () => {
    const page = (name: string, i: number): string =>
      [
        column(72, 700, [`A letter to ${name}`]),
        column(72, 108, [
          `The boat must leave before day ${i + 10} of the`,
          'month, or else the office',
          'calls for it.',
        ]),
        column(72, 40, [`Printed 2024-03-0${i + 1}`]),
      ].join('\n');
    const { text } = await parsePdf(makePdf({ pages: NAMES.map(page) }), context('a.pdf'));
    for (const i of NAMES.keys())
      expect(text).toContain(`The boat must leave before day ${i + 10} of the month, or else the office calls for it.`);
  });
});
