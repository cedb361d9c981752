import { expect, test } from 'vitest';
import { outline, parse } from './helpers.ts';

const page = (body: string): string => `<!doctype html><html><body><h2>Options</h2>${body}</body></html>`;
const blocksOf = async (body: string): Promise<[string, string][]> => outline(await parse('a.html', page(body)));

const entry = (term: string, ...texts: string[]): string =>
  `<dt>${term}</dt><dd>${texts.map((text) => `<p>${text}</p>`).join('')}</dd>`;
const long = entry('reach (metres)', 'How far it goes.', 'The default is 12.');
const brief = entry('height', 'How high it goes.');

test('terms whose definitions have several paragraphs are headings of them', async () => {
  expect(await blocksOf(`<dl>${long}${brief}</dl><h2>Notes</h2><p>None.</p>`)).toEqual([
    ['heading', 'Options'],
    ['heading', 'reach (metres)'],
    ['paragraph', 'How far it goes.'],
    ['paragraph', 'The default is 12.'],
    ['heading', 'height'],
    ['paragraph', 'How high it goes.'],
    ['heading', 'Notes'],
    ['paragraph', 'None.'],
  ]);
});

test('several terms of one definition are one heading, above a list or code too', async () => {
  const both = '<dl><dt>-r<br>--rea</dt><dt>--reach</dt><dd><ul><li>near</li></ul><pre>crane -r 5</pre></dd></dl>';
  expect(await blocksOf(both)).toEqual([
    ['heading', 'Options'],
    ['heading', '-r, --rea, --reach'],
    ['list', '- near'],
    ['code', 'crane -r 5'],
  ]);
});

test.each([
  ['text follows, which is not about the last term', `<dl>${long}</dl><p>All are optional.</p>`],
  ['text follows outside a list that it stands in', `<dl><dt>All</dt><dd><dl>${long}</dl><p>End.</p></dd></dl>`],
  ['they are notes', `<dl class="footnote brackets">${long}</dl>`],
  ['few definitions are long', `<dl>${long}${brief.repeat(3)}</dl>`],
  ['it stands in an item', `<ul><li><dl>${long}</dl></li></ul>`],
  ['it stands in a table', `<table><tr><td>a</td><td><dl>${long}</dl></td></tr><tr><td>b</td><td>c</td></tr></table>`],
])('they are none where %s', async (_, body) => {
  expect(await blocksOf(body)).not.toContainEqual(['heading', 'reach (metres)']);
});

test('a list in a definition is a level below, and lists may follow each other', async () => {
  const inner = `<dl>${entry('turn()', 'Turns.', 'Slowly.')}</dl>`;
  const body = `<dl><dt>class Crane</dt><dd><p>A crane.</p>${inner}</dd></dl><dl>${entry('class Hook', 'A hook.', 'Of steel.')}</dl>`;
  const { blocks, text } = await parse('a.html', page(body));
  const found = blocks.filter(({ kind }) => kind === 'heading');
  expect(found.map(({ level, start, end }) => `${level} ${text.slice(start, end)}`)).toEqual([
    '2 Options',
    '3 class Crane',
    '4 turn()',
    '3 class Hook',
  ]);
});

test('what is left out of the page is no text behind a list', async () => {
  const body = `<dl>${long}</dl><div class="navfooter"><table><tr><td><a href="a">Prev</a></td></tr></table></div>`;
  expect((await blocksOf(body)).at(1)).toEqual(['heading', 'reach (metres)']);
});

test('a list within a list a thousand times is read at once', async () => {
  const deep = `${'<dl><dt>a</dt><dd><div>'.repeat(1_000)}end${'</div></dd></dl>'.repeat(1_000)}`;
  expect((await parse('a.html', page(deep))).text).toMatch(/end$/);
});
