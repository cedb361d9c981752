import { expect, test } from 'vitest';
import { headings, outline, parse } from './helpers.ts';

const page = `<page xmlns="http://projectmallard.org/1.0/" type="topic" id="send">
<info><link type="guide" xref="bluetooth"/><revision version="3.8" status="review"/>
<credit type="author"><name>Ida Kranz</name><email>ida@example.org</email></credit><desc>Share files.</desc></info>
<title>Send files</title>
<comment><p>To do: a picture.</p></comment>
<p>You can send files with <app>Dory</app>.</p>
<steps><item><p>Press <keyseq><key>Ctrl</key>
<key>S</key></keyseq>.</p></item><item><p>Choose <guiseq><gui>File</gui><gui>Send</gui></guiseq>.</p></item></steps>
<section id="s"><title>Kinds</title>
<terms><item><title><file>a.txt</file></title><p>A text.</p></item><item><title>Picture</title><p>Any.</p></item></terms>
<table><title>Sizes</title><thead><tr><td><p>Kind</p></td><td><p>Most</p></td></tr></thead><tr><td><p>Text</p></td><td><p>4 MB</p></td></tr></table>
<list type="numbered"><item><p>One</p></item></list><code>send a</code></section></page>`;

test.each(['send.page', 'send.xml', 'send'])(
  'Mallard: the topic, without what is said of its file (%s)',
  async (name) => {
    const document = await parse(name, page);
    expect([document.format, document.title]).toEqual(['xml', 'Send files']);
    expect(headings(document)).toEqual([
      [1, 'Send files'],
      [2, 'Kinds'],
    ]);
    expect(outline(document).filter(([kind]) => kind !== 'heading')).toEqual([
      ['paragraph', 'You can send files with Dory.'],
      ['list', '1. Press Ctrl+S.\n2. Choose File → Send.'],
      ['paragraph', 'a.txt: A text.'],
      ['paragraph', 'Picture: Any.'],
      ['table', 'Sizes\nKind | Most\nText | 4 MB'],
      ['list', '1. One'],
      ['code', 'send a'],
    ]);
  },
);

test('DocBook and DITA: keys that are pressed together and the steps through a menu', async () => {
  const text =
    'Press <keycombo><keycap>Ctrl</keycap><keycap>C</keycap></keycombo> or <menuchoice><guimenu>File</guimenu>\n <guimenuitem>Open</guimenuitem></menuchoice>.';
  const book = await parse('a.xml', `<article xmlns="http://docbook.org/ns/docbook"><para>${text}</para></article>`);
  expect(book.text).toBe('Press Ctrl+C or File → Open.');
});

test('a text that begins with an element of a namespace is XML, whatever it is called', async () => {
  const source = '<!-- a view --><Grid xmlns:x="urn:view" Name="Harbour">\n<Label Text="Open at noon"/></Grid>';
  expect((await parse('view.xaml', source)).format).toBe('xml');
  expect((await parse('view.txt', source)).format).toBe('text');
  expect((await parse('view.abc', '<b class="x">xmlns="a"</b>')).format).toBe('text');
});
