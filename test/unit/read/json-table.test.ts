/** Tables in JSON whose rows are arrays. */
import { expect, test } from 'vitest';
import { outline, parse, placeOf } from './helpers.ts';

const names = ['name', 'age', 'city'];
const rows = [
  ['Ann', 30, 'Rome'],
  ['Bob', null, 'Oslo\nNorth'],
];
const table = 'name | age | city\nAnn | 30 | Rome\nBob | null | Oslo North';

test.each([
  ['an array of rows', [names, ...rows], []],
  ['names beside rows', { columns: names, data: rows }, []],
  [
    'an answer of a service',
    { range: 'A1:C3', values: [names, ...rows], total: 2 },
    [['record', 'range: A1:C3\ntotal: 2']],
  ],
  ['names behind rows', { rows, headers: names }, []],
])('%s', async (_, value, before) => {
  const source = JSON.stringify(value, null, 1);
  const document = await parse('a.json', source);
  expect(outline(document)).toEqual([...before, ['table', table]]);
  const header = document.blocks.at(-1)?.header;
  expect(header && document.text.slice(header.start, header.end)).toBe('name | age | city');
  const line = source.slice(0, source.indexOf('"Ann"')).split('\n').length;
  expect(placeOf(document, 'Ann | 30')).toMatchObject({ lines: [line - 1, line + 3] });
});

test.each([
  [
    'points',
    [
      [8.1, 46.2],
      [8.3, 46.3],
    ],
  ],
  [
    'pairs of words',
    [
      ['Ann', 'Rome'],
      ['Bob', 'Oslo'],
    ],
  ],
  ['rows of other lengths', [['a', 'b'], [1], [2, 3]]],
  [
    'rows that hold more',
    [
      ['a', 'b'],
      [1, { c: 2 }],
    ],
  ],
  [
    'two of them',
    {
      a: [
        ['x', 'y'],
        [1, 2],
      ],
      b: [
        ['x', 'y'],
        [3, 4],
      ],
    },
  ],
  [
    'arrays in arrays',
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
    ],
  ],
  ['records', [{ a: 1, b: [[1, 2]] }]],
])('%s are no table, and all is read', async (_, value) => {
  const document = await parse('a.json', JSON.stringify(value));
  expect(document.blocks.some(({ kind }) => kind === 'table')).toBe(false);
  for (const word of JSON.stringify(value).match(/[\w.]+/g) ?? []) expect(document.text).toContain(word);
});
