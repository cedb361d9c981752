/** Exports of spreadsheets that are named as plain text. */
import { expect, test } from 'vitest';
import { headerOf } from './formats-make.ts';
import { outline, parse } from './helpers.ts';

test.each([
  ['tabs', '\t', '\n'],
  ['semicolons', ';', '\r\n'],
  ['bars', '|', '\n'],
])('a table with %s is rows below their names', async (_, sign, end) => {
  const rows = [
    ['Name', 'Qty', 'Price'],
    ['Rope', '2', '9.50'],
    ['Lamp', '', '20.00'],
    ['Net', '4', '3.00'],
  ];
  const document = await parse('a.txt', rows.map((row) => row.join(sign)).join(end) + end);
  expect(document.format).toBe('csv');
  expect(outline(document)).toEqual([['table', rows.map((row) => row.join(' | ')).join('\n')]]);
  expect(headerOf(document, document.blocks[0])).toBe('Name | Qty | Price');
});

test.each([
  ['words without figures', 'dog\tHund\ncat\tKatze\ncow\tKuh\n'],
  ['labels and values', 'Present:\tAnn Moor\nAge:\t30\nRooms:\t4\n'],
  ['a line of another length', 'Name\tQty\nRope\t2\nLamp\t1\nThe end\n'],
  ['lines of a log', '2025-01-01|INFO|7\n2025-01-02|INFO|8\n2025-01-03|WARN|9\n'],
  ['sentences', 'We sail; we rest\nAt 10; at 12\nOn 3; on 4\n'],
])('%s are text', async (_, source) => {
  const { format, text } = await parse('a.txt', source);
  expect(format).toBe('text');
  expect(text).toBe(source.trim());
});

test('a very long cell does not hold up the program', async () => {
  const source = `Name\tKey\n${`Rope\t${'1'.repeat(200_000)}x\n`.repeat(3)}`;
  const begin = performance.now();
  expect((await parse('a.txt', source)).format).toBe('text');
  expect(performance.now() - begin).toBeLessThan(5000);
});
