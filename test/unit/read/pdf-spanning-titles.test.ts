import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, context, makePdf } from './formats-make.ts';

const ports = [
  ['Riga', '1,210', '1,250', '1,330', '1,388'],
  ['Kiel', '802', '790', '840', '861'],
  ['Malmo', '402', '410', '462', '470'],
];

/** Titles in two lines; figures end where the names of their columns do. */
async function headerOf(titles: readonly string[]): Promise<string> {
  const body = ports.flatMap((row, i) =>
    row.map((text, j) => at(j === 0 ? 72 : 160 + 60 * j - 5 * text.length, 640 - 16 * i, text)),
  );
  const document = await parsePdf(makePdf({ pages: [[...titles, ...body].join('\n')] }), context('ports.pdf'));
  const { start, end } = document.blocks.find(({ kind }) => kind === 'table')?.header ?? { start: 0, end: 0 };
  expect(document.text).toContain('Kiel | 802 | 790 | 840 | 861');
  return document.text.slice(start, end);
}

const halves = (y: number): string[] => ['H1', 'H2', 'H1', 'H2'].map((name, i) => at(208 + 60 * i, y, name));

it('a title in the middle of several columns is part of the name of each', async () => {
  const years = [at(228, 672, '2023'), at(348, 672, '2024')];
  const names = '2023 H1 | 2023 H2 | 2024 H1 | 2024 H2';
  expect(await headerOf([...years, ...halves(656)])).toBe(names);
  // as browsers print a title over both lines: between them
  expect(await headerOf([...years, at(72, 664, 'Port'), ...halves(656)])).toBe(`Port | ${names}`);
  expect(await headerOf([...years, at(72, 672, 'Port'), ...halves(656)])).toBe(`Port | ${names}`);
  expect(await headerOf([...years, at(72, 656, 'Port'), ...halves(656)])).toBe(`Port | ${names}`);
});

it('a title above one column is the first line of its name', async () => {
  const first = [at(208, 672, 'Low'), at(328, 672, 'Low')];
  expect(await headerOf([...first, at(72, 656, 'Port'), ...halves(656)])).toBe('Port | Low H1 | H2 | Low H1 | H2');
});

it('names in light letters below bold titles of groups of columns are part of the header', async () => {
  const bold = (x: number, text: string): string => at(x, 672, text, { font: 'F2' });
  const groups = [bold(228, 'Rented'), bold(348, 'Sold abroad')];
  const names = ['Port', 'H1', 'H2', 'H1', 'H2'].map((name, i) => at(i === 0 ? 72 : 148 + 60 * i, 656, name));
  expect(await headerOf([...groups, ...names])).toBe('Port | Rented H1 | Rented H2 | Sold abroad H1 | Sold abroad H2');
});
