import { expect, test } from 'vitest';
import { codes, headings, outline, parse } from './helpers.ts';

test('DocBook: sections, entries with terms, rows of tables, code and notes, as a page has them', async () => {
  const source = `<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "docbookx.dtd" [<!ENTITY p "Pump">]>
<article id="a"><articleinfo><title>Harbour &amp; pumps</title></articleinfo>
<section xml:id="s1"><title>Fees <emphasis>now</emphasis></title>
<para>They are due on <emphasis>Mon</emphasis>day.<footnote><para>Not in May.</para></footnote> Ask &p;.</para>
<table><title>By boat</title><tgroup cols="3"><colspec colname="c1"/><colspec colname="c2"/><colspec colname="c3"/>
<thead><row><entry>Boat</entry><entry namest="c2" nameend="c3">Fee</entry></row></thead>
<tbody><row><entry morerows="1">Yacht</entry><entry>25</entry><entry>30</entry></row><row><entry>26</entry><entry>31</entry></row></tbody>
</tgroup></table>
<section><title>Start</title><variablelist><varlistentry><term>-v</term><listitem><para>Says more.</para></listitem></varlistentry></variablelist>
<programlisting>a  &lt; b
  c</programlisting><orderedlist><listitem><para>One</para></listitem><listitem><para>Two</para></listitem></orderedlist></section>
</section></article>`;
  const document = await parse('a.xml', source);
  expect([document.format, document.title]).toEqual(['xml', 'Harbour & pumps']);
  expect(headings(document)).toEqual([
    [1, 'Harbour & pumps'],
    [2, 'Fees now'],
    [3, 'Start'],
  ]);
  expect(outline(document).filter(([kind]) => kind !== 'heading')).toEqual([
    ['paragraph', 'They are due on Monday. (Not in May.) Ask &p;.'],
    ['paragraph', 'By boat'],
    ['table', 'Boat | Fee | Fee\nYacht | 25 | 30\nYacht | 26 | 31'],
    ['paragraph', '-v: Says more.'],
    ['code', 'a  < b\n  c'],
    ['list', '1. One\n2. Two'],
  ]);
});

test('articles of journals (JATS), TEI, DITA and FictionBook have their headings and paragraphs', async () => {
  const sources = [
    '<article><front><article-meta><title-group><article-title>Pumps</article-title></title-group></article-meta></front><body><sec><title>Start</title><p>Turn the <italic>red</italic> key.</p></sec></body></article>',
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Pumps</title></titleStmt></fileDesc></teiHeader><text><body><div><head>Start</head><p>Turn the <hi>red</hi> key.</p></div></body></text></TEI>',
    '<concept id="c"><title>Pumps</title><conbody><section><title>Start</title><p>Turn the <b>red</b> key.</p></section></conbody></concept>',
    '<FictionBook><description><title-info><book-title>Pumps</book-title></title-info></description><body><section><title><p>Start</p></title><p>Turn the <emphasis>red</emphasis> key.</p></section></body><binary id="x">QUJD</binary></FictionBook>',
  ];
  for (const source of sources) {
    const document = await parse('a.xml', source);
    expect(headings(document).map(([, label]) => label)).toEqual(['Pumps', 'Start']);
    expect(document.text).toBe('Pumps\n\nStart\n\nTurn the red key.');
    expect(codes(document)).toEqual([]);
  }
});

test('such a document that is cut says so; one that is nested without end keeps its words; data stay records', async () => {
  const begin = '<article xmlns="http://docbook.org/ns/docbook"><title>Pumps</title>';
  const cut = await parse('a.xml', `${begin}<para>Turn the red`);
  expect([cut.text, codes(cut)]).toEqual(['Pumps\n\nTurn the red', ['XML_BROKEN']]);
  const deep = `${begin}${'<section><para>in</para>'.repeat(20_000)}<para>last</para>${'</section>'.repeat(20_000)}</article>`;
  const document = await parse('a.xml', deep);
  expect(document.text.match(/\bin\b/g)).toHaveLength(20_000);
  expect(document.text.endsWith('last')).toBe(true);
  const data = await parse('a.xml', '<reference><item><name>Crane</name><load>4</load></item></reference>');
  expect(data.text).toContain('name: Crane');
});
