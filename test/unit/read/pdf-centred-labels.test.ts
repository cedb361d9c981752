import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, column, context, makePdf } from './formats-make.ts';

const LEADING = 12;

interface TableRow {
  readonly label: readonly string[];
  readonly text: readonly string[];
}

const rows: readonly TableRow[] = [
  { label: ['Batch size'], text: ['How much wort is wanted in the primary fermenter'] },
  {
    label: ['Evaporation'],
    text: ['Water lost during the boil, for each hour of it. Some 3 litres', 'are usual, or a tenth.'],
  },
  {
    label: ['Absorption'],
    text: [
      'How many litres of water are lost to each kilogram of grain',
      'during mashing. The default value is 1.09. It depends on how',
      'fine the grain is ground.',
    ],
  },
  { label: ['Boiling point of', 'water'], text: ['The temperature at which water boils, 100 degrees at the sea'] },
  {
    label: ['Kettle'],
    text: [
      'Water that is added to the kettle before boiling; for recipes',
      'of extract it is as much as the volume of the boil.',
    ],
  },
];

/** As browsers set cells: what has fewer lines stands in the middle of what has more. @param share of the lines that it lacks above it */
function tableAt(top: number, share: number, gap: number, last?: readonly string[]): string {
  let y = top;
  return rows
    .map(({ label, text }, i) => {
      const most = Math.max(label.length, text.length);
      const from = (lines: readonly string[]): number => y - share * (most - lines.length) * LEADING;
      const written = [column(72, from(label), label, LEADING), column(200, from(text), text, LEADING)];
      if (last) written.push(at(530, from(['']), last[i]!));
      y -= most * LEADING + gap;
      return written.join('\n');
    })
    .join('\n');
}

const linesOf = async (page: string): Promise<string[]> =>
  (await parsePdf(makePdf({ pages: [page] }), context('a.pdf'))).text.split('\n').filter((line) => line !== '');

it.each([
  ['in the middle', 0.5, 9],
  ['in the middle, rows close together', 0.5, 2],
  ['beside the first line', 0, 9],
  ['beside the last line', 1, 9],
  ['beside the last line, rows close together', 1, 2],
])('a label %s is the first cell of its row', async (_, share, gap) => {
  expect(await linesOf(tableAt(700, share, gap))).toEqual(
    rows.map(({ label, text }) => `${label.join(' ')} | ${text.join(' ')}`),
  );
});

it.each([0.5, 1])('a cell behind the text is the last one (%d)', async (share) => {
  const prices = ['12 EUR', '9 EUR', '40 EUR', '31 EUR', '7 EUR'];
  expect(await linesOf(tableAt(700, share, 4, prices))).toEqual(
    rows.map(({ label, text }, i) => `${label.join(' ')} | ${text.join(' ')} | ${prices[i]!}`),
  );
});

it('short lines between the items of a list, and numbers beside it, are no labels', async () => {
  const items = [1, 2, 3, 4, 5, 6].flatMap((number, i) => [
    at(110, 700 - 24 * i, `(${'abcdef'[i]!}) to select the persons to whom award ${number} may be granted from`),
    at(72, 688 - 24 * i, 'time to time below;'),
  ]);
  const text = (await linesOf(items.join('\n'))).join(' ').replaceAll(' | ', ' ');
  for (const number of [1, 2, 3, 4, 5, 6])
    expect(text).toContain(`to select the persons to whom award ${number} may be granted from time to time below;`);
});
