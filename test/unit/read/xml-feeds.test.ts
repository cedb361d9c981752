/** Files of XML whose records stand in one element below the root, as those of a feed do. */
import { expect, test } from 'vitest';
import { recordsOf } from '../../../src/read/markup/xml-records.ts';
import { outline } from './formats-make.ts';
import { parse } from './helpers.ts';

const item = (title: string, html: string): string =>
  `<item><title>${title}</title><description>${html}</description><link>http://x/${title.length}</link></item>`;

test('each item of a feed is a record, and its HTML is what it shows', async () => {
  const items =
    item(
      'Crane sold',
      '&lt;p&gt;It went to &lt;b&gt;Hull&lt;/b&gt; &amp;amp; back.&lt;/p&gt;&lt;p&gt;For 9 &amp;lt; 10.&lt;/p&gt;',
    ) + item('Berth seven', '<![CDATA[Free <i>again</i>.]]>');
  const document = await parse(
    'a.rss',
    `<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour news</title><ttl>60</ttl>${items}<docs>see x</docs></channel></rss>`,
  );
  expect(outline(document)).toEqual([
    'record: channel\n@version: 2.0\ntitle: Harbour news\nttl: 60',
    'record: item\ntitle: Crane sold\ndescription: It went to Hull & back. For 9 < 10.\nlink: http://x/10',
    'record: item\ntitle: Berth seven\ndescription: Free again.\nlink: http://x/11',
    'record: docs: see x',
  ]);
  expect(document.title).toBe('Harbour news');
  expect(document.locators.map(({ part }) => part)).toEqual(['item 1', 'item 2', 'channel 3']);
});

test('a note of Evernote is what it shows', async () => {
  const note =
    '<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "http://x/enml2.dtd"><en-note><div>The crane is <b>red</b>.</div><ul><li>one</li><li>two</li></ul></en-note>';
  const { text } = await parse(
    'crane.enex',
    `<?xml version="1.0"?><en-export><note><title>Crane check</title><content><![CDATA[${note}]]></content><tag>harbour</tag></note></en-export>`,
  );
  expect(text.split('\n\n').at(-1)).toBe(
    'note\ntitle: Crane check\ncontent: The crane is red.\n- one\n- two\ntag: harbour',
  );
});

test('other XML keeps its tags in texts', async () => {
  const source =
    '<help><entry><description>Write &lt;b&gt;this&lt;/b&gt;.</description><n>1</n></entry><entry/></help>';
  expect((await parse('a.xml', source)).text).toContain('Write <b>this</b>.');
});

test.each([
  ['several below the root', '<a><b><c/></b><b><c/></b></a>', 1, undefined],
  ['one below the root', '<a><x><b><c/></b><b><c/></b><d/></x></a>', 2, ['b']],
  ['one in one below the root', '<a><x><y><n:b><c/></n:b><n:b><c/></n:b></y></x></a>', 3, ['b']],
  ['in the only folder of one below the root', '<k><d><n>x</n><f><n>y</n><b><c/></b><b><c/></b></f></d></k>', 3, ['b']],
  ['pairs of keys and values', '<plist><dict><key>k</key><array><s>1</s></array></dict></plist>', 1, undefined],
  ['values alone', '<a><x><b>1</b><b>2</b></x></a>', 1, undefined],
  ['nothing', '<a/>', 1, undefined],
])('records: %s', (_, source, depth, names) => {
  expect(recordsOf(source)).toEqual({ depth, names: names && new Set(names) });
});

test('each place of a map is a record of its own', async () => {
  const place = (name: string, depth: number): string =>
    `<Placemark><name>${name}</name><description><![CDATA[<b>Depth:</b> ${depth} m]]></description><Point><coordinates>8,46</coordinates></Point></Placemark>`;
  const source = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Wells</name><Folder><name>North</name>${place('Well 7', 34)}${place('Well 9', 21)}</Folder></Document></kml>`;
  expect(outline(await parse('a.kml', source)).slice(1)).toEqual([
    'record: Folder\nname: Wells\nname: North',
    'record: Placemark\nname: Well 7\ndescription: Depth: 34 m\nPoint.coordinates: 8,46',
    'record: Placemark\nname: Well 9\ndescription: Depth: 21 m\nPoint.coordinates: 8,46',
  ]);
});
