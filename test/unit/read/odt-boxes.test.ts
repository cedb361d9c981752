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
        'content.xml': `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:form="f"><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
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

test('what is written into a form stands where its field stands', async () => {
  const fields = [
    '<form:text form:id="a" form:value="Name" form:current-value="Ann &amp; Bob"/>',
    '<form:date form:id="b" form:value="2019-03-01"/>',
    '<form:checkbox form:id="c" form:label="Paid" form:current-state="checked"/>',
    '<form:radio form:id="d" form:label="By rail" form:current-selected="false"/>',
    '<form:listbox form:id="e"><form:option form:label="North"/><form:option form:label="South" form:current-selected="true"/><form:option form:label="West" form:selected="true"/></form:listbox>',
    '<form:password form:id="f" form:current-value="secret"/>',
    '<form:button form:id="g" form:label="Send"/>',
  ].join('');
  const at = (id: string): string => `<draw:control draw:control="${id}"/>`;
  const forms = `<office:forms><form:form>${fields}</form:form></office:forms>`;
  const body = p('Ship of ', at('a'), ', on', at('b'), at('f'), at('g'), '.') + p(at('c'), at('d')) + at('e');
  expect(await read(forms + body)).toEqual([
    ['paragraph', 'Ship of Ann & Bob , on 2019-03-01 .'],
    ['paragraph', '☒ Paid ☐ By rail'],
    ['paragraph', 'South, West'],
  ]);
});
