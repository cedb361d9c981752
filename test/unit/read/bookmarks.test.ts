import { expect, test } from 'vitest';
import { headings, outline, parse } from './helpers.ts';

test('bookmarks of a browser: addresses, tags and notes, each below the folder that it is in', async () => {
  const page = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks Menu</H1>
<DL><p>
    <DT><H3 ADD_DATE="1">Harbour</H3>
    <DL><p>
        <DT><A HREF="https://example.org/tides?a=1&amp;b=2" TAGS="sea,tide">Tide &amp; time</A>
        <DD>High water at the north pier
        <DT><H3>Cranes</H3>
        <DL><p>
            <DT><A HREF="https://example.org/c">Crane manual</A>
        </DL><p>
        <DT><A HREF="javascript:alert(1)">Read aloud</A>
    </DL><p>
    <HR>
    <DT><A HREF="https://example.org/loose">Loose end</A>
</DL>`;
  const document = await parse('bookmarks.html', page);
  expect(document.title).toBe('Bookmarks');
  expect(headings(document)).toEqual([
    [1, 'Bookmarks Menu'],
    [2, 'Harbour'],
    [3, 'Cranes'],
  ]);
  expect(outline(document).map(([, text]) => text)).toEqual([
    'Bookmarks Menu',
    '- Loose end: https://example.org/loose',
    'Harbour',
    '- Tide & time (sea, tide): https://example.org/tides?a=1&b=2\n  High water at the north pier',
    '- Read aloud',
    'Cranes',
    '- Crane manual: https://example.org/c',
  ]);
});

test('bookmarks that nest without end or are cut are read as far as they go', async () => {
  const begin = '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>';
  const deep = `${begin}${'<DT><H3>In</H3><DL><p>'.repeat(3000)}<DT><A HREF="https://a.b">Last</A>`;
  expect((await parse('b.html', deep)).text).toContain('- Last: https://a.b');
  expect((await parse('b.html', `${begin}<DT><A HREF="https://a.b">Cut`)).text).toBe('- Cut: https://a.b');
});
