import { expect, test } from 'vitest';
import { outline, parse } from './helpers.ts';

const page = (body: string): string => `<!doctype html><html><body><main><p>Ports.</p>${body}</main></body></html>`;
const row = (...cells: string[]): string =>
  `<div role="row">${cells.map((cell) => `<span role="${cell.startsWith('!') ? 'columnheader' : 'cell'}">${cell.replace('!', '')}</span>`).join('')}</div>`;

test('HTML: a table that is drawn with roles is rows and names of columns', async () => {
  const rows = `<div role="rowgroup">${row('!City', '!Berths')}</div>${row('Arlen', '12')}${row('Tarn', '30')}`;
  const document = await parse('a.html', page(`<div role="table">${rows}</div>`));
  expect(outline(document)).toEqual([
    ['paragraph', 'Ports.'],
    ['table', 'City | Berths\nArlen | 12\nTarn | 30'],
  ]);
  const header = document.blocks[1]?.header;
  expect(header && document.text.slice(header.start, header.end)).toBe('City | Berths');
});

test('HTML: lists and headings by their roles; an element with a meaning keeps it', async () => {
  const body =
    '<div role="heading" aria-level="3">Rules</div><p>Bring:</p><div role="list"><div role="listitem">a rope</div>' +
    '<x-item role="listitem">a lamp</x-item></div><div role="heading">Fees</div><table role="grid"><tr role="row"><th>A<th>B<tr><td>1<td>2</table>';
  const document = await parse('a.html', page(body));
  expect(outline(document)).toEqual([
    ['paragraph', 'Ports.'],
    ['heading', 'Rules'],
    ['paragraph', 'Bring:'],
    ['list', '- a rope\n- a lamp'],
    ['heading', 'Fees'],
    ['table', 'A | B\n1 | 2'],
  ]);
  expect(document.blocks.filter(({ kind }) => kind === 'heading').map(({ level }) => level)).toEqual([3, 2]);
});

test('HTML: an old price and the new one beside it are two words', async () => {
  const { text } = await parse('a.html', page('<p>Rope <del>€120</del><ins>€99</ins>, 1<del>st</del> class</p>'));
  expect(text).toContain('Rope €120 €99, 1st class');
});
