/** Tables in the boxes of an OpenDocument text, and what stands in it and is not read. */
import { expect, test } from 'vitest';
import { makeZip } from './formats-make.ts';
import { outline, parse } from './helpers.ts';

const p = (...inner: string[]): string => `<text:p>${inner.join('')}</text:p>`;
const cell = (inner: string): string =>
  `<table:table-cell>${inner.startsWith('<') ? inner : p(inner)}</table:table-cell>`;
const table = (...rows: string[][]): string =>
  `<table:table>${rows.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`).join('')}</table:table>`;
const box = (inner: string): string => `<draw:frame><draw:text-box>${inner}</draw:text-box></draw:frame>`;
const note =
  '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Wet.</text:p></text:note-body></text:note>';

const read = async (body: string): Promise<string[][]> =>
  outline(
    await parse(
      'a.odt',
      makeZip({
        'content.xml': `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d"><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
      }),
    ),
  ).map((line) => [...line]);

test('a table in a box is a table after the paragraph that holds the box', async () => {
  const inner = p('Of May') + table(['Crane', 'Lifts'], ['North', p('9', note)]) + p('End of box');
  expect(await read(p('See ', box(inner), 'the box.') + p('Next.'))).toEqual([
    ['paragraph', 'See the box.'],
    ['paragraph', 'Of May'],
    ['table', 'Crane | Lifts\nNorth | 9 Wet.'],
    ['paragraph', 'End of box'],
    ['paragraph', 'Next.'],
  ]);
});

test('a table in a box in a cell stands behind the words of the cell', async () => {
  const inner = table(['in', table(['x', 'y'])], ['c', 'd']);
  expect(await read(table(['first', p('second', box(inner)), 'third']))).toEqual([
    ['table', 'first | second in, x, y; c, d | third'],
  ]);
});

test('how a word is spoken is no part of it', async () => {
  const ruby = '<text:ruby><text:ruby-base>港</text:ruby-base><text:ruby-text>みなと</text:ruby-text></text:ruby>';
  expect(await read(p('この', ruby, 'は'))).toEqual([['paragraph', 'この港は']]);
});
