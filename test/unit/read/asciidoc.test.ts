import { expect, test } from 'vitest';
import { outline, parse } from './helpers.ts';

test('AsciiDoc: titles of two lines are headings, a line of hyphens around code is not, nor what only begins as one', async () => {
  const source = [
    'Station guide\n=============',
    'Pump house\n----------',
    'Serviced in May.',
    'Its parts\n~~~~~~~~',
    '----\nPump house\n----',
    'A line of an example\n----\nof code\n----',
    '-----BEGIN of a quoted key',
    '== After it',
    'The end.',
  ].join('\n\n');
  const { blocks, text } = await parse('a.adoc', source);
  const told = blocks.map(({ kind, level, label, start, end }) =>
    kind === 'heading' ? `${level} ${label}` : `${kind}: ${text.slice(start, end)}`,
  );
  expect(told).toEqual([
    '1 Station guide',
    '2 Pump house',
    'paragraph: Serviced in May.',
    '3 Its parts',
    'code: ----\nPump house\n----',
    'paragraph: A line of an example',
    'code: ----\nof code\n----',
    'paragraph: -----BEGIN of a quoted key',
    '2 After it',
    'paragraph: The end.',
  ]);
});

test('AsciiDoc: an item goes on without indentation, and with what `+` attaches', async () => {
  const list = '* the brake of\nthe hoist\n* the lamp\n+\nIt must be green.\n** the key';
  const source = `Check:\n\n${list}\n\nThen go.\n. Not an\nitem.\n\n. Turn it.\n----\ncode\n----\nMore.`;
  expect(outline(await parse('a.adoc', source))).toEqual([
    ['paragraph', 'Check:'],
    ['list', list],
    ['paragraph', 'Then go.\n. Not an\nitem.'],
    ['list', '. Turn it.'],
    ['code', '----\ncode\n----'],
    ['paragraph', 'More.'],
  ]);
});

test('AsciiDoc: a line above a block is no title, though the edge of the block is as long', async () => {
  const source =
    'Code\n----\nls -l\n----\n\nRope\n----\nTwelve metres.\n\nLamp\n----\nWith oil.\n\nNote\n====\nBe quiet.\n====\n';
  const document = await parse('a.adoc', source);
  expect(document.blocks.filter(({ kind }) => kind === 'heading').map(({ label }) => label)).toEqual(['Rope', 'Lamp']);
  expect(outline(document).slice(0, 2)).toEqual([
    ['paragraph', 'Code'],
    ['code', '----\nls -l\n----'],
  ]);
});

test('AsciiDoc: the target of a link is no part of a title', async () => {
  const source = '== Pump house[[pump]]\n\nServiced in May.\n\nIts parts[[parts]]\n------------------\n\nFour.\n';
  const { blocks } = await parse('a.adoc', source);
  expect(blocks.flatMap(({ label }) => label ?? [])).toEqual(['Pump house', 'Its parts']);
});
