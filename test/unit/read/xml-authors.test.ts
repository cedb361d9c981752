import { expect, test } from 'vitest';
import { parse } from './helpers.ts';

const person = (type: string, family: string, given: string): string =>
  `<contrib contrib-type="${type}"><name><surname>${family}</surname><given-names>${given}</given-names></name><xref ref-type="aff" rid="a">1</xref></contrib>`;

test.each([
  [
    'JATS',
    `<article><front><article-meta><title-group><article-title>Tides</article-title></title-group><contrib-group>${person('author', 'Vogt', 'Ines &amp; A.')}${person('author', 'Lee', 'Max')}${person('editor', 'Hale', 'Bob')}<contrib contrib-type="author"><collab>Sea Group</collab></contrib></contrib-group></article-meta></front><body><sec><title>A</title><p>Text.</p></sec></body><back><ref-list><ref><element-citation><person-group><name><surname>Old</surname><given-names>Book</given-names></name></person-group></element-citation></ref></ref-list></back></article>`,
    'Ines & A. Vogt, Max Lee, Sea Group',
  ],
  [
    'DocBook',
    '<book xmlns="http://docbook.org/ns/docbook"><info><title>Guide</title><author><personname><firstname>Ines</firstname><surname>Vogt</surname></personname></author><author><personname>Max Lee</personname><email>m@e.org</email></author></info><chapter><info><author><personname>Other</personname></author></info><title>A</title><para>Text.</para></chapter></book>',
    'Ines Vogt, Max Lee',
  ],
  [
    'TEI',
    '<TEI><teiHeader><fileDesc><titleStmt><title>Log</title><author>Ines  Vogt</author><author><persName><forename>Max</forename> <surname>Lee</surname></persName></author></titleStmt><sourceDesc><bibl><author>Old</author></bibl></sourceDesc></fileDesc></teiHeader><text><body><p>Text.</p></body></text></TEI>',
    'Ines Vogt, Max Lee',
  ],
  [
    'FictionBook',
    '<FictionBook><description><title-info><author><first-name>Ines</first-name><middle-name>B.</middle-name><last-name>Vogt</last-name></author><book-title>Sea</book-title></title-info><document-info><author><nickname>maker</nickname></author></document-info></description><body><section><p>Text.</p></section></body></FictionBook>',
    'Ines B. Vogt',
  ],
])('authors of %s are metadata', async (_, source, expected) => {
  expect((await parse('a.xml', source)).metadata.author).toBe(expected);
});

test('without authors there is no such metadata', async () => {
  const { metadata } = await parse('a.xml', '<article><title>A</title><para>By nobody.</para></article>');
  expect(metadata).not.toHaveProperty('author');
});
