import { expect, test } from 'vitest';
import { withCharacters } from '../../../src/read/markup/xml-characters.ts';
import { parse } from './helpers.ts';

test.each([
  ['caf&eacute; &mdash; 5&nbsp;&euro;', 'café — 5\u00a0€'],
  ['a &lt; b &amp; c &#233; &quot;', 'a &lt; b &amp; c &#233; &quot;'],
  ['&kapp; &LT; &AMP;', '&kapp; &LT; &AMP;'],
  ['<![CDATA[&eacute;]]>&eacute;<![CDATA[&uuml;', '<![CDATA[&eacute;]]>é<![CDATA[&uuml;'],
  ['<!ENTITY prod "Pump"> &prod; &ouml;', '<!ENTITY prod "Pump"> &prod; ö'],
])('%s', (source, expected) => {
  expect(withCharacters(source)).toBe(expected);
});

test('letters by their names are letters in documents and in records', async () => {
  const book = await parse(
    'a.xml',
    '<article><title>Caf&eacute;</title><para>M&uuml;ller &ndash; 5&nbsp;m.</para></article>',
  );
  expect([book.title, book.text]).toEqual(['Café', 'Café\n\nMüller – 5 m.']);
  const data = await parse('b.xml', '<people><person><name>M&uuml;ller</name><age>5</age></person></people>');
  expect(data.text).toContain('name: Müller');
});
