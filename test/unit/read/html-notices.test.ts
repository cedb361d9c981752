import { expect, test } from 'vitest';
import { outline, parse } from './helpers.ts';

const page = (body: string): string =>
  `<!doctype html><html><body><h1>Logs</h1><h3>When to log</h3><p>Set a bound.</p>${body}<p>More about bounds.</p></body></html>`;
const blocksOf = async (body: string): Promise<[string, string][]> => outline(await parse('a.html', page(body)));

const before = [
  ['heading', 'Logs'],
  ['heading', 'When to log'],
  ['paragraph', 'Set a bound.'],
];
const after = ['paragraph', 'More about bounds.'];

test.each([
  ['a heading', '<div class="note"><h3 class="title">Note</h3><p>Keep a copy.</p></div>', 'Note: Keep a copy.'],
  ['a heading in German', '<div class="tip"><h3>Hinweis:</h3><p>Keep a copy.</p></div>', 'Hinweis: Keep a copy.'],
  [
    'a paragraph',
    '<div class="admonition warning"><p class="admonition-title">Warning</p><p>Keep a copy.</p></div>',
    'Warning: Keep a copy.',
  ],
  [
    'a cell beside the text',
    '<div class="admonitionblock"><table><tr><td class="icon"><div class="title">Note</div></td><td>Keep a copy.</td></tr></table></div>',
    'Note: Keep a copy.',
  ],
  [
    'a cell above the text',
    '<div class="note"><table border="0"><tr><td rowspan="2"><img src="note.png"></td><th>Note</th></tr><tr><td colspan="2"><p>Keep a copy.</p></td></tr></table></div>',
    'Note: Keep a copy.',
  ],
])('the word for a box that is %s stands before its text and heads nothing', async (_, box, text) => {
  expect(await blocksOf(box)).toEqual([...before, ['paragraph', text], after]);
});

test('every paragraph of a box stays, and one with a list begins with the word', async () => {
  const box = '<div class="caution"><h3>Caution</h3><ul><li>Stop the crane.</li></ul><p>Then wait.</p></div>';
  expect(await blocksOf(box)).toEqual([
    ...before,
    ['paragraph', 'Caution:'],
    ['list', '- Stop the crane.'],
    ['paragraph', 'Then wait.'],
    after,
  ]);
});

test('a box in a definition leaves the level of the terms that follow', async () => {
  const box = '<div class="note"><h3 class="title">Note</h3><p>Keep a copy.</p></div>';
  const list = `<dl><dt>reach</dt><dd><p>How far.</p>${box}</dd><dt>height</dt><dd><p>How high.</p><p>In metres.</p></dd></dl><h3>Other</h3>`;
  const { blocks, text } = await parse('a.html', page(list));
  const found = blocks.filter(({ kind }) => kind === 'heading');
  expect(found.map(({ level, start, end }) => `${level} ${text.slice(start, end)}`)).toEqual([
    '1 Logs',
    '3 When to log',
    '4 reach',
    '4 height',
    '3 Other',
  ]);
});

test('a box with a title of its own, and a section about notes, have headings', async () => {
  const body = '<div class="note"><h2>Shopping</h2><p>Milk.</p></div><section><h2>Notes</h2><p>None.</p></section>';
  expect((await blocksOf(body)).filter(([kind]) => kind === 'heading').map(([, text]) => text)).toEqual([
    'Logs',
    'When to log',
    'Shopping',
    'Notes',
  ]);
});

test('a box in a cell of a table is said in the cell', async () => {
  const box = '<div class="note"><p class="title">Note</p><p>Keep it.</p></div>';
  const table = `<table><tr><th>Name</th><th>Use</th></tr><tr><td>reach</td><td>How far.${box}</td></tr></table>`;
  expect(await blocksOf(table)).toContainEqual(['table', 'Name | Use\nreach | How far. Note: Keep it.']);
});

test('boxes in each other are looked at once', async () => {
  const { text } = await parse('a.html', page(`${'<div class="note"><b></b>'.repeat(20_000)}Deep.`));
  expect(text).toContain('Deep.');
});
