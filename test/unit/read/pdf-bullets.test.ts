import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, context, makePdf } from './formats-make.ts';

const left = ['Ropes of hemp', 'Lamps of brass', 'Sails, new', 'Tar', 'Nets for herring', 'Oars of ash'];
const right = ['Pilots for the sound', 'Customs papers', 'Cranes', 'Sheds', 'Water at the quay', 'Coal by the ton'];
const BULLET = '\x95';

const column = (x: number, indent: number, items: readonly string[]): string =>
  items.map((item, i) => at(x, 700 - 18 * i, BULLET) + at(x + indent, 700 - 18 * i, item)).join('\n');
const read = async (page: string): Promise<string[]> =>
  (await parsePdf(makePdf({ pages: [page] }), context('lists.pdf'))).text.split('\n').filter((line) => line !== '');

it.each([12, 18, 24])(
  'two lists beside each other are read one after the other, items %s points from bullets',
  async (indent) => {
    const page = `${column(72, indent, left)}\n${column(320, indent, right)}`;
    expect(await read(page)).toEqual([...left, ...right].map((item) => `• ${item}`));
  },
);

it('a title in the middle of the page comes before both lists', async () => {
  const [goods, services] = [
    ['Ropes', 'Lamps', 'Sails', 'Tar'],
    ['Pilots', 'Cranes', 'Sheds', 'Coal'],
  ];
  const page = [at(250, 760, 'What the harbour sells'), column(72, 18, goods!), column(320, 18, services!)].join('\n');
  const lines = ['What the harbour sells', ...[...goods!, ...services!].map((item) => `• ${item}`)];
  expect(await read(page)).toEqual(lines);
});

it('bullets that are the values of a table stay in their columns', async () => {
  const rows = [
    ['Rope', BULLET, BULLET],
    ['Lamp', BULLET, ''],
    ['Sail', '', BULLET],
  ];
  const titles = [at(72, 700, 'Goods'), at(200, 700, 'Hemp'), at(300, 700, 'Brass')];
  const cells = rows.flatMap((row, i) => row.map((text, j) => at([72, 205, 305][j]!, 682 - 18 * i, text)));
  expect((await read([...titles, ...cells].join('\n'))).slice(0, 2)).toEqual(['Goods | Hemp | Brass', 'Rope | • | •']);
});
