import { expect, test } from 'vitest';
import type { ParsedDocument } from '../../../src/read/contract.ts';
import { outline, parse } from './helpers.ts';

function tables({ text, blocks }: ParsedDocument): (readonly [header: string | undefined, rows: string])[] {
  return blocks
    .filter(({ kind }) => kind === 'table')
    .map(({ start, end, header }) => [header && text.slice(header.start, header.end), text.slice(start, end)] as const);
}

test('a table with lines around its cells: cells of several lines, over several columns and rows, wide letters', async () => {
  const rst = `Piers
=====

+---------+-----------+--------+
| Pier    | Keeper,   | Lamp   |
|         | by day    |        |
+=========+===========+========+
| North   | Olaf Lind | red    |
|         +-----------+--------+
|         | Ines Quill         |
+---------+--------------------+
| 港口    | 王        | 緑     |
+---------+-----------+--------+

After it.
`;
  const document = await parse('piers.rst', rst);
  expect(tables(document)).toEqual([
    [
      'Pier | Keeper, by day | Lamp',
      'Pier | Keeper, by day | Lamp\n--- | --- | ---\nNorth | Olaf Lind | red\nNorth | Ines Quill\n港口 | 王 | 緑',
    ],
  ]);
  expect(outline(document).at(-1)).toEqual(['paragraph', 'After it.']);
  const lines = document.locators.filter(({ start }) => document.text.startsWith('North |', start));
  expect(lines.map((place) => place.lines)).toEqual([
    [8, 8],
    [9, 10],
  ]);
});

test('a table between lines of equals signs, with names, without, and with a line that goes on', async () => {
  const rst = `Fees
====

=====  ======  ==================
Boat   Season  Fee
=====  ======  ==================
Yacht  summer  25, and 30 for the
               longest
\\      winter  none
Raft           not allowed at all
=====  ======  ==================

=====  ======
Red    east
Green  west
=====  ======

The end.
`;
  const document = await parse('fees.rst', rst);
  expect(outline(document)).toEqual([
    ['heading', 'Fees\n===='],
    [
      'table',
      'Boat | Season | Fee\n--- | --- | ---\nYacht | summer | 25, and 30 for the longest\n | winter | none\nRaft |  | not allowed at all',
    ],
    ['list', '- Red: east\n- Green: west'],
    ['paragraph', 'The end.'],
  ]);
});

test('a drawing of a box stays as it is', async () => {
  const box = '    +------+\n    | Boot |\n    +------+';
  expect((await parse('a.rst', `Start::\n\n${box}\n\nEnd.\n`)).text).toBe(`Start::\n\n${box}\n\nEnd.`);
});

test('a table of Org has names above its first rule, a title, and no lines of widths or formulas in its rows', async () => {
  const org = `* Fees
#+CAPTION: Fees of a night
#+NAME: fees
| Boat  | Fee |
| <l>   | <5> |
|-------+-----|
| Yacht |  25 |
|-------+-----|
| Sum   |  25 |
#+TBLFM: @4$2=vsum(@2..@3)

| red lamp | east |
|----------+------|

#+begin_src sh
| not | a table |
#+end_src
`;
  const document = await parse('fees.org', org);
  expect(outline(document)).toEqual([
    ['heading', '* Fees'],
    ['paragraph', 'Fees of a night'],
    ['table', 'Boat | Fee\n--- | ---\nYacht | 25\nSum | 25'],
    ['paragraph', '#+TBLFM: @4$2=vsum(@2..@3)'],
    ['list', '- red lamp: east'],
    ['code', '#+begin_src sh\n| not | a table |\n#+end_src'],
  ]);
});
