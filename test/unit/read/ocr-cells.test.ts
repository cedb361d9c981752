/** Tables and scripts of scans that tesseract reads in part, or as others. */
import { expect, onTestFinished, test } from 'vitest';
import { readTsv } from '../../../src/read/ocr/tsv.ts';
import { createReader } from '../../../src/read/reader.ts';
import { tempFolder } from '../../support/temp.ts';
import { standInTesseract, table } from '../../support/tesseract.ts';
import { scannedPdf } from './formats-make.ts';

type Word = readonly [text: string, x: number, y: number, width: number, height: number];

/** The table of a page as tesseract prints it: blocks of lines of words. */
function tsv(blocks: readonly (readonly (readonly Word[])[])[], confidence = 95): string {
  const rows = ['1\t1\t0\t0\t0\t0\t0\t0\t1800\t2400\t-1\t'];
  for (const [block, lines] of blocks.entries())
    for (const [line, words] of lines.entries())
      for (const [at, [text, ...box]] of words.entries())
        rows.push(`5\t1\t${block + 1}\t1\t${line + 1}\t${at + 1}\t${box.join('\t')}\t${confidence}\t${text}`);
  return rows.join('\n');
}

const textOf = (page: string): string =>
  readTsv(page)[0]!
    .paragraphs.map((lines) => lines.map(({ text }) => text).join('\n'))
    .join('\n\n');

/** One word in each line. */
const column = (x: number, texts: readonly string[], width: number): Word[][] =>
  texts.map((text, row) => (text === '' ? [] : [[text, x, 100 + 40 * row, width, 20]]));

async function read(answers: readonly string[], languages?: readonly string[]): Promise<[string, string[]]> {
  const standIn = standInTesseract(tempFolder(), answers, languages);
  const reader = createReader({ ocr: { program: standIn.program } });
  onTestFinished(() => reader.close());
  const { text } = await reader.read({ bytes: scannedPdf([undefined]), uri: 'a.pdf' });
  return [text, standIn.calls().map(({ args }) => args.slice(2, 6).join(' '))];
}

const surnames = ['Abrahamsen,', 'Grabowski,', 'Hirvonen,', 'Rasmussen,', 'Tiedemann,'];
const wards = ['Surgery', 'Estates', 'Pharmacy', 'Records', 'Catering'];

test('a column of names is no prose, and stands in rows with the words beside it', () => {
  const names = surnames.map((surname, row): Word[] => [
    [surname, 100, 100 + 40 * row, 110, 20],
    ['Ivo', 217, 100 + 40 * row, 40, 20],
  ]);
  const rows = surnames.map((surname, row) => `${surname} Ivo | ${wards[row]}`);
  expect(textOf(tsv([names, column(500, wards, 80)]))).toBe(rows.join('\n'));
});

test('commas do not tilt a page', () => {
  // The comma reaches 6 dots below the line, 3 of them move the middle of its word.
  const names = surnames.map((surname, row): Word[] => [
    [surname, 100, 100 + 40 * row, 310, 26],
    ['Gustav', 420, 100 + 40 * row, 60, 20],
  ]);
  const years = ['1985', '1996', '2007', '2018', '1991'];
  const rows = surnames.map((surname, row) => `${surname} Gustav | ${years[row]}`);
  expect(textOf(tsv([names, column(1700, years, 40)]))).toBe(rows.join('\n'));
});

test('words that a typewriter set far apart are no cells', () => {
  const line = (text: string, row: number): Word[] =>
    text.split(' ').map((word, at): Word => [word, 100 + 100 * at, 100 + 40 * row, /,$/.test(word) ? 72 : 82, 20]);
  const texts = [
    'the copy may be made by mail, and it',
    'is free of all cost, to whom the list',
    'was sent in the week, which had begun',
    'on the day of its issue, as said here',
  ];
  expect(textOf(tsv([texts.map(line)]))).toBe(texts.join('\n'));
});

const items = ['Item', 'Gasket', 'Valve', 'Pipe'];
const prices = ['Price', '14.75', '25.25', '11.40'];
const quantities = ['Quantity', '4', '3', '2'];
const inLines = (columns: readonly (readonly string[])[]): string =>
  tsv([items.map((_, row) => columns.flatMap((texts, i) => column(100 + 300 * i, texts, 80)[row]!))], 93);

test('cells that tesseract leaves out are taken from a reading line by line', async () => {
  const lacking = tsv([column(100, items, 80), column(400, ['Quantity', '', '', ''], 80), column(700, prices, 80)]);
  const whole = inLines([items, quantities, prices]);
  const full = 'Item | Quantity | Price\nGasket | 4 | 14.75\nValve | 3 | 25.25\nPipe | 2 | 11.40';
  const calls = ['-l eng --psm 1', '-l eng --psm 6'];
  expect(await read([lacking, whole])).toEqual([full, calls]);
  expect(await read([whole])).toEqual([full, calls.slice(0, 1)]);
  // What has no more cells, or lacks words, is no better.
  expect((await read([lacking, inLines([items, ['', '', '', ''], prices])]))[0]).toContain('Gasket |  | 14.75');
  expect((await read([lacking, inLines([['I', 'G', 'V', 'P'], quantities, prices])]))[0]).toContain(
    'Gasket |  | 14.75',
  );
});

test('a table of figures whose few words are read in the wrong script is read in its own', async () => {
  const figures = ['2001 53.2 70.3 87.4', '2002 84.3 97.1 62.0', '2003 15.4 32.5 49.6'];
  const lines = ['Уеаг Ап Реб Маг', ...figures];
  const mistaken = table([lines], 95).replace(/95(?=\t\p{Script=Cyrillic})/gu, '74');
  const right = table([['Year Jan Feb Mar', ...figures]], 90);
  const [text, calls] = await read(
    ['Script: Cyrillic\n', mistaken, 'Script: Cyrillic\n', right],
    ['eng', 'osd', 'rus'],
  );
  expect(text).toContain('Year Jan Feb Mar');
  expect(calls.map((call) => call.split(' ')[1])).toEqual(['0', 'rus', '0', 'eng+rus']);
});

test('a framed table that tesseract takes for a picture is taken from a reading line by line', async () => {
  const lines = (texts: readonly (readonly [y: number, text: string])[]): Word[][] =>
    texts.map(([y, text]) => text.split(' ').map((word, at): Word => [word, 100 + 120 * at, y, 90, 20]));
  const above = [100, 'The light on the rock is seen from afar'] as const;
  const below = [500, 'It was signed by the master of the port'] as const;
  const rule = `\n5\t1\t9\t1\t1\t1\t100\t300\t700\t2\t95\t `;
  const lacking = tsv([lines([above]), lines([below])]);
  const rows = [220, 260, 300].map((y, row) => [y, `[${items[row]} ${quantities[row]}`] as const);
  const whole = tsv([lines([above]), lines(rows), lines([below])]);
  const [text, calls] = await read([lacking + rule, whole]);
  expect(text).toContain(`${rows.map(([, row]) => row).join(' ')}\n\n${below[1]}`);
  expect(text.startsWith(above[1])).toBe(true);
  expect(calls).toEqual(['-l eng --psm 1', '-l eng --psm 6']);
  // Neither a wide gap alone nor unsure lines are read so.
  expect((await read([lacking, whole]))[1]).toEqual(calls.slice(0, 1));
  const grain = tsv([lines([above]), lines(rows), lines([below])], 60);
  expect((await read([lacking + rule, grain]))[0]).toBe(`${above[1]}\n\n${below[1]}`);
});

test('half a bracket at the edge of a cell is the line beside it', () => {
  const rows = ['[green', '[red]', 'blue]'].map((colour, row): Word[] => [
    [items[row]!, 100, 100 + 40 * row, 80, 20],
    [colour, 500, 100 + 40 * row, 80, 20],
  ]);
  expect(textOf(tsv([rows]))).toBe('Item | green\nGasket | [red]\nValve | blue');
});
