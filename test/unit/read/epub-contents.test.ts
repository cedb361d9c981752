import { expect, test } from 'vitest';
import { makeZip } from './formats-make.ts';
import { headings, parse } from './helpers.ts';

const NAV = 'http://www.idpf.org/2007/ops';
const page = (body: string): string => `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`;
const CHAPTERS = {
  'one.xhtml': page('<h1>Harbour</h1><p>The harbour is old.</p>'),
  'two.xhtml': page(
    '<h1>Chapter 1. Ropes</h1><p>A rope is long.</p><h1>1.1. Hemp</h1><p>Hemp is strong.</p><h3>Note</h3><p>It rots.</p>',
  ),
};
const ITEMS = Object.keys(CHAPTERS).map(
  (name) => `<item id="${name}" href="${name}" media-type="application/xhtml+xml"/>`,
);
const book = (item: string, contents: Readonly<Record<string, string>>): Uint8Array =>
  makeZip({
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    'book.opf': `<package><manifest>${item}${ITEMS.join('')}</manifest><spine>${Object.keys(CHAPTERS)
      .map((name) => `<itemref idref="${name}"/>`)
      .join('')}</spine></package>`,
    ...CHAPTERS,
    ...contents,
  });

const nav = `<html xmlns:epub="${NAV}"><body><nav epub:type="toc"><ol><li><a href="one.xhtml">Harbour</a><ol><li><a href="two.xhtml">1. <i>Ropes</i></a><ol><li><a href="two.xhtml#h">1.1. Hemp</a></li></ol></li></ol></li><li><a href="two.xhtml#i">Index</a></li></ol></nav><nav epub:type="landmarks"><ol><li><ol><li><ol><li><a href="one.xhtml">Harbour</a></li></ol></li></ol></li></ol></nav></body></html>`;
const point = (label: string, src: string, inner = ''): string =>
  `<navPoint><navLabel><text>${label}</text></navLabel><content src="${src}"/>${inner}</navPoint>`;
const ncx = `<ncx><navMap>${point('Harbour', 'one.xhtml', point('1. Ropes', 'two.xhtml', point('1.1. Hemp', 'two.xhtml#h')))}${point('Index', 'two.xhtml#i')}</navMap></ncx>`;

test.each([
  ['nav.xhtml', '<item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>', nav],
  ['toc.ncx', '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>', ncx],
])('headings of a book nest as its contents in %s do', async (name, item, contents) => {
  const document = await parse('a.epub', book(item, { [name]: contents }));
  expect(headings(document)).toEqual([
    [1, 'Harbour'],
    [2, 'Chapter 1. Ropes'],
    [3, '1.1. Hemp'],
    [5, 'Note'],
  ]);
  expect(document.warnings).toEqual([]);
});

test('a page that no list of the book names, and only links lead to, comes after the chapters', async () => {
  const item = '<item id="notes" href="notes.xhtml" media-type="application/xhtml+xml"/>';
  const document = await parse('a.epub', book(item, { 'notes.xhtml': page('<h1>Notes</h1><p>See the log.</p>') }));
  expect(headings(document).map(([, title]) => title)).toEqual([
    'Harbour',
    'Chapter 1. Ropes',
    '1.1. Hemp',
    'Note',
    'Notes',
  ]);
  expect(document.text).toMatch(/See the log\.$/);
});

test('an entry that holds all others is the book itself, and damaged contents change nothing', async () => {
  const item = '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>';
  const whole = `<ncx><navMap>${point('The book', 'one.xhtml', point('1. Ropes', 'two.xhtml', point('1.1. Hemp', 'two.xhtml#h')))}</navMap></ncx>`;
  const levels = async (contents: string): Promise<unknown[]> =>
    headings(await parse('a.epub', book(item, { 'toc.ncx': contents }))).map(([level]) => level);
  expect(await levels(whole)).toEqual([1, 1, 2, 4]);
  expect(await levels('navigation')).toEqual([1, 1, 1, 3]);
});
