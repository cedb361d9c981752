/** Titles of narrow columns that are turned by a quarter. */
import { expect, test } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, context, makePdf } from './formats-make.ts';

const line = (x0: number, y0: number, x1: number, y1: number): string => `${x0} ${y0} m ${x1} ${y1} l S`;
const up = (x: number, y: number, text: string): string => `BT /F1 10 Tf 0 1 -1 0 ${x} ${y} Tm (${text}) Tj ET`;
const down = (x: number, y: number, text: string): string => `BT /F1 10 Tf 0 -1 1 0 ${x} ${y} Tm (${text}) Tj ET`;

const xs = [60, 200, 230, 260, 290];
const ys = [700, 600, 580, 560, 540];
const duties = ['Open the gate', 'Check the piles', 'Order bread'];
const marks = ['Xoo', 'ooX', 'oXo'];
const table = [
  ...xs.map((x) => line(x, 700, x, 540)),
  ...ys.map((y) => line(60, y, 290, y)),
  at(64, 606, 'Task'),
  ...duties.flatMap((duty, row) => [
    at(64, 586 - 20 * row, duty),
    ...[...marks[row]!].map((mark, i) => at(xs[i + 1]! + 10, 586 - 20 * row, mark)),
  ]),
];
const rows = duties.map((duty, row) => [duty, ...marks[row]!].join(' | '));

async function read(titles: readonly string[]): Promise<string[]> {
  const bytes = makePdf({ pages: [[...table, ...titles].join('\n')] });
  const { text, blocks } = await parsePdf(bytes, context('duties.pdf'));
  return blocks.map(({ start, end }) => text.slice(start, end));
}

test.each([
  ['upwards', (x: number, text: string): string => up(x + 18, 604, text)],
  ['downwards', (x: number, text: string): string => down(x + 11, 696, text)],
])('titles that are read %s stand over their columns', async (_, turned) => {
  const titles = ['Harbour master', 'Rigger', 'Diver'];
  const drawn = titles.map((title, i) => turned(xs[i + 1]!, title));
  expect(await read(drawn)).toEqual([['Task | Harbour master | Rigger | Diver', ...rows].join('\n')]);
});

test('two lines of a title are one, and turned text outside the table stays outside', async () => {
  const drawn = [up(212, 604, 'Harbour'), up(224, 604, 'master'), up(248, 604, 'Rigger'), up(278, 604, 'Diver')];
  expect(await read([...drawn, up(580, 100, 'Printed on both sides')])).toEqual([
    ['Task | Harbour master | Rigger | Diver', ...rows].join('\n'),
    'Printed on both sides',
  ]);
});

test('text that crosses the lines of a table is not of it', async () => {
  expect(await read([up(232, 590, 'Harbour master')])).toEqual([['Task', ...rows].join('\n'), 'Harbour master']);
});
