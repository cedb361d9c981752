import { expect, test } from 'vitest';
import { outline, parse } from './helpers.ts';

test('plain text: a line of capitals above indented lines is a heading', async () => {
  const source =
    'LS(1)          User Commands          LS(1)\n\nNAME\n       ls - list files\n\nEXIT STATUS:\n\t0\tif OK\n\nNOTE\nThis line begins at the margin.\n\nDr. A\n   is no heading\n';
  expect(outline(await parse('ls.txt', source))).toEqual([
    ['heading', 'LS(1)          User Commands          LS(1)'],
    ['heading', 'NAME'],
    ['paragraph', '       ls - list files'],
    ['heading', 'EXIT STATUS:'],
    ['paragraph', '\t0\tif OK'],
    ['paragraph', 'NOTE\nThis line begins at the margin.'],
    ['paragraph', 'Dr. A\n   is no heading'],
  ]);
});
