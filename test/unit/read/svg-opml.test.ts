/** Formats of XML that people draw and plan in: what they show, without how it is drawn. */
import { expect, test } from 'vitest';
import { outline, parse, refusal } from './helpers.ts';

const svg = (inner: string): string =>
  `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="40">${inner}</svg>`;

test('SVG: title, description and labels, without places, styles and scripts', async () => {
  const document = await parse(
    'plan.svg',
    svg(
      '<title>Site plan</title><desc>Two gates</desc><style>.a{fill:red}</style><script>alert(1)</script><metadata><x>made</x></metadata>' +
        '<g id="g"><text x="1" y="2">Gate <tspan font-weight="bold">North</tspan></text><text><tspan x="1">Opens at 6:00</tspan><tspan x="1" dy="14">Closes at 22:00</tspan></text></g>' +
        '<g><title>Lock</title><text>L <tspan dy="3">2</tspan></text></g><text>Scale</text>',
    ),
  );
  expect(document.title).toBe('Site plan');
  expect(outline(document)).toEqual([
    ['heading', 'Site plan'],
    ['paragraph', 'Two gates'],
    ['paragraph', 'Gate North\nOpens at 6:00\nCloses at 22:00'],
    ['paragraph', 'Lock\nL 2'],
    ['paragraph', 'Scale'],
  ]);
});

test('SVG: of a box in HTML and its copy as text one is read', async () => {
  const box = (text: string): string =>
    `<switch><foreignObject><div xmlns="http://www.w3.org/1999/xhtml"><p>${text}</p><p>over 12 t</p></div></foreignObject><text>${text.slice(0, 5)}...</text></switch>`;
  expect(
    outline(await parse('a.svg', svg(`<g>${box('Trucks wait here')}</g><g>${box('Cars wait there')}</g>`))),
  ).toEqual([
    ['paragraph', 'Trucks wait here\nover 12 t'],
    ['paragraph', 'Cars wait there\nover 12 t'],
  ]);
  expect(await refusal('a.svg', svg('<path d="M0 0"/>'))).toBe('FILE_EMPTY');
});

const opml = (outlines: string, head = '<title>Plans</title><ownerName>Jo</ownerName>'): string =>
  `<?xml version="1.0"?><opml version="2.0"><head>${head}</head><body>${outlines}</body></opml>`;

test('OPML: outlines are headings and nested lists, with their notes and addresses', async () => {
  const document = await parse(
    'a.opml',
    opml(
      '<outline text="Garden"><outline text="Buy 12 trees" _note="before 3 November" _status="checked"/><outline text="Dig the pond"><outline text="Depth: 80 cm"/></outline></outline>' +
        '<outline text="Feeds" title="Feeds"><outline type="rss" text="Coast" title="Coast" xmlUrl="http://x/c.xml" htmlUrl="http://x/c" category="sea"/></outline><outline text="Sleep"/>',
    ),
  );
  expect(document).toMatchObject({ title: 'Plans', metadata: { author: 'Jo' } });
  expect(outline(document)).toEqual([
    ['heading', 'Plans'],
    ['heading', 'Garden'],
    ['list', '- ☒ Buy 12 trees\n  before 3 November\n- Dig the pond\n  - Depth: 80 cm'],
    ['heading', 'Feeds'],
    ['list', '- Coast\n  http://x/c\n  category: sea'],
    ['heading', 'Sleep'],
  ]);
});

test('OPML: a long note is text below its title; outlines may nest thousands deep', async () => {
  const document = await parse(
    'a.opml',
    opml('<outline text="Ways"><outline text="By boat" _note="One line.&#10;&#10;Another."/></outline>', ''),
  );
  expect(outline(document)).toEqual([
    ['heading', 'Ways'],
    ['heading', 'By boat'],
    ['paragraph', 'One line.'],
    ['paragraph', 'Another.'],
  ]);
  const deep = 20_000;
  const { text } = await parse('a.opml', opml('<outline text="x">'.repeat(deep) + '</outline>'.repeat(deep)));
  expect(text.match(/x/g)).toHaveLength(deep);
});

test('OPML: an outline is what its HTML shows', async () => {
  const document = await parse(
    'a.opml',
    opml(
      '<outline text="Buy &lt;b&gt;12&lt;/b&gt; trees &amp;amp; soil" _note="See &lt;a href=&quot;http://x/&quot;&gt;the list&lt;/a&gt;."/>',
    ),
  );
  expect(outline(document).at(-1)).toEqual(['list', '- Buy 12 trees & soil\n  See the list.']);
});

test('feeds: rows and items of their HTML stay lines', async () => {
  const html =
    '&lt;p&gt;Closed.&lt;/p&gt;&lt;p&gt;Until &lt;b&gt;Friday&lt;/b&gt;.&lt;/p&gt;&lt;table&gt;&lt;tr&gt;&lt;th&gt;Day&lt;th&gt;Bus&lt;tr&gt;&lt;td&gt;We&lt;td&gt;12B&lt;/table&gt;&lt;p&gt;Bring:&lt;/p&gt;&lt;ul&gt;&lt;li&gt;coins&lt;li&gt;a map&lt;/ul&gt;';
  const item = `<item><title>Bridge</title><description>${html}</description></item>`;
  const document = await parse('a.rss', `<rss><channel><title>News</title>${item}${item}</channel></rss>`);
  expect(outline(document)[1]).toEqual([
    'record',
    'item\ntitle: Bridge\ndescription: Closed. Until Friday.\nDay | Bus\nWe | 12B\nBring:\n- coins\n- a map',
  ]);
});
