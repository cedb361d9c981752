import { describe, expect, test } from 'vitest';
import { makeZip, outline, relationships } from './formats-make.ts';
import { parse } from './helpers.ts';

const names = ['office', 'table', 'text', 'draw', 'style', 'svg', 'xlink', 'dc', 'presentation', 'chart', 'meta']
  .map((prefix) => `xmlns:${prefix}="${prefix}"`)
  .join(' ');
const MEDIA = 'application/vnd.oasis.opendocument.presentation';

function odp(slides: string, parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const styles =
    '<office:automatic-styles><style:style style:name="up"><style:text-properties style:text-position="super 58%"/></style:style></office:automatic-styles>';
  return makeZip({
    mimetype: MEDIA,
    'content.xml': `<office:document-content ${names}>${styles}<office:body><office:presentation>${slides}</office:presentation></office:body></office:document-content>`,
    ...parts,
  });
}

const p = (text: string): string => `<text:p>${text}</text:p>`;
const box = (role: string, ...inner: readonly string[]): string =>
  `<draw:frame presentation:class="${role}"><draw:text-box>${inner.join('')}</draw:text-box></draw:frame>`;
const slide = (said: string, ...inner: readonly string[]): string =>
  `<draw:page draw:name="page" draw:master-page-name="M" ${said}>${inner.join('')}</draw:page>`;
const list = (...items: readonly string[]): string =>
  `<text:list>${items.map((item) => `<text:list-item>${item}</text:list-item>`).join('')}</text:list>`;
const notes = (...inner: readonly string[]): string =>
  `<presentation:notes><draw:page-thumbnail draw:page-number="1" presentation:class="page"/>${inner.join('')}</presentation:notes>`;

test('titles, lists, notes and places are those of the same presentation of PowerPoint', async () => {
  const sp = (type: string, ...paragraphs: readonly string[]): string =>
    `<p:sp><p:nvSpPr><p:nvPr>${type && `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`;
  const a = (text: string, level = 0): string => `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`;
  const sld = (inner: string): string => `<p:sld xmlns:p="p" xmlns:a="a">${inner}</p:sld>`;
  const powerpoint = await parse(
    'a.pptx',
    makeZip({
      'ppt/presentation.xml':
        '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId r:id="s1"/><p:sldId r:id="s2"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relationships({ s1: ['slide', '1.xml'], s2: ['slide', '2.xml'] }),
      'ppt/1.xml': sld(sp('ctrTitle', a('Harbours')) + sp('subTitle', a('By Ann'))),
      'ppt/2.xml': sld(
        sp('title', a('Cranes')) + sp('body', a('First'), a('Deep', 1), a('Deeper', 2)) + sp('', a('A'), a('B')),
      ),
      'ppt/_rels/2.xml.rels': relationships({ n1: ['notesSlide', 'n.xml'] }),
      'ppt/n.xml': sld(sp('sldImg') + sp('body', a('Say hello.')) + sp('sldNum', a('2'))),
    }),
  );
  const ours = await parse(
    'a.odp',
    odp(
      slide('', box('title', p('Harbours')), box('subtitle', p('By Ann')), notes(box('notes'))) +
        slide(
          '',
          box('outline', list(p('First')), list(list(p('Deep'), list(p('Deeper'))))),
          box('title', p('Cranes')),
          box('', p('A'), list(p('B'))),
          notes(box('notes', p('Say hello.')), box('page-number', p('<text:page-number>2</text:page-number>'))),
        ),
    ),
  );
  expect(ours).toEqual({ ...powerpoint, format: 'odp' });
  expect(ours.title).toBe('Harbours');
  expect(ours.locators.map(({ page }) => page)).toEqual([1, 2]);
});

test('what LibreOffice writes on a slide: tables, charts, groups, comments, running lines; no master page', async () => {
  const cell = (text: string, said = ''): string => `<table:table-cell ${said}>${p(text)}</table:table-cell>`;
  const table = `<draw:frame><table:table><table:table-column/><table:table-row>${cell('Port')}${cell('2022')}</table:table-row><table:table-row>${cell('Hull', 'table:number-rows-spanned="2"')}${cell('7')}</table:table-row><table:table-row><table:covered-table-cell/>${cell('9')}</table:table-row></table:table><draw:image xlink:href="Pictures/preview.svm"/></draw:frame>`;
  const chart = '<draw:frame><draw:object xlink:href="./Object 1"/><draw:image/></draw:frame>';
  const group = `<draw:g>${box('', p('Grouped'))}<draw:custom-shape><svg:desc>A star</svg:desc>${p('5<text:span text:style-name="up">2</text:span> m<text:line-break/>long')}</draw:custom-shape></draw:g>`;
  const comment = `<office:annotation><dc:creator>Bob</dc:creator><dc:date>2024-01-02</dc:date>${p('Check this')}</office:annotation>`;
  const declared =
    '<presentation:footer-decl presentation:name="f">Port authority</presentation:footer-decl><presentation:date-time-decl presentation:name="d" presentation:source="current-date"/>';
  const use = 'presentation:use-footer-name="f" presentation:use-date-time-name="d"';
  const document = await parse(
    'a.odp',
    odp(
      declared +
        slide(
          use,
          box('title', p('Ships<text:line-break/>a year')),
          table,
          chart,
          notes(box('header', p('Handout')), box('notes', p('Noted.'))),
        ) +
        slide(
          `draw:style-name="hidden" ${use}`,
          box('title', p('Hidden')),
          group,
          comment,
          box('', p('Slide <text:page-number>&lt;number&gt;</text:page-number> here')),
          box('page-number', p('2')),
        ),
      {
        'Object 1/content.xml': `<d ${names}><office:body><chart:title>${p('Growth')}</chart:title><table:table table:name="local-table"><table:table-row>${cell('77')}</table:table-row></table:table></office:body></d>`,
        'styles.xml': `<d ${names}><style:master-page style:name="M">${box('title', p('Click to edit'))}${box('', p('Logo'))}</style:master-page></d>`,
        'meta.xml': `<d ${names}><office:meta><dc:title>Ports</dc:title><dc:creator>Ann</dc:creator></office:meta></d>`,
      },
    ),
  );
  expect(document.text.split('\n\n')).toEqual([
    'Ships a year',
    'Port | 2022\nHull | 7\nHull | 9',
    'Growth\n77',
    'Port authority',
    'Noted.',
    'Hidden',
    'Grouped',
    '5^2 m\nlong',
    'A star',
    'Check this',
    'Slide here',
  ]);
  expect(document).toMatchObject({ title: 'Ports', metadata: { author: 'Ann', pages: 2 }, warnings: [] });
  expect(outline(document)[0]).toContain('Ships a year');
});

describe('one file of XML', () => {
  const object = `<draw:frame><draw:object><office:document office:mimetype="application/vnd.oasis.opendocument.chart"><office:body><chart:title>${p('Growth')}</chart:title></office:body></office:document></draw:object></draw:frame>`;
  const formula =
    '<draw:frame><draw:object><math:math xmlns:math="m"><math:mi>a</math:mi><math:mo>+</math:mo><math:mi>b</math:mi></math:math></draw:object></draw:frame>';
  const flat = `<?xml version="1.0"?><office:document ${names} office:mimetype="${MEDIA}"><office:master-styles><style:master-page>${box('', p('Logo'))}</style:master-page></office:master-styles><office:body><office:presentation>${slide('', box('title', p('One')), object, formula, box('', p('last')))}</office:presentation></office:body></office:document>`;

  test.each(['a.fodp', 'a.fods'])('%s, with the objects that stand in it', async (name) => {
    const { format, text } = await parse(name, flat);
    expect(format).toBe('odp');
    expect(text).toBe('One\n\nGrowth\n\na + b\n\nlast');
  });

  test('that is cut short gives what is there, with a warning', async () => {
    const { text, warnings } = await parse('a.fodp', flat.slice(0, flat.indexOf('last') + 4));
    expect(text).toBe('One\n\nGrowth\n\na + b');
    expect(warnings[0]).toMatchObject({ code: 'XML_BROKEN' });
  });
});

test.each([
  ['encrypted', odp('', { 'META-INF/manifest.xml': '<m><encryption-data/></m>' }), 'FILE_ENCRYPTED'],
  ['without content', makeZip({ mimetype: MEDIA }), 'FILE_DAMAGED'],
  ['without text', odp(slide('', '<draw:frame><draw:image/></draw:frame>')), 'FILE_EMPTY'],
  ['half a package', odp(slide('', box('', p('a')))).slice(0, 300), 'FILE_DAMAGED'],
])('a presentation %s is refused', async (_, content, code) => {
  await expect(parse('a.odp', content)).rejects.toMatchObject({ code });
});

test('the pages of a drawing are read as slides are', async () => {
  const page = `<draw:page draw:name="page1">${box('', p('North quay'))}<draw:custom-shape>${p('Crane')}</draw:custom-shape></draw:page>`;
  const body = `<office:body><office:drawing>${page}</office:drawing></office:body>`;
  const graphics = 'application/vnd.oasis.opendocument.graphics';
  const zip = makeZip({
    mimetype: graphics,
    'content.xml': `<office:document-content ${names}>${body}</office:document-content>`,
  });
  const flat = `<?xml version="1.0"?><office:document ${names} office:mimetype="${graphics}">${body}</office:document>`;
  for (const document of [await parse('plan.odg', zip), await parse('plan.fodg', flat)]) {
    expect(document.text).toBe('North quay\n\nCrane');
    expect(document.locators).toEqual([{ page: 1, start: 0, end: document.text.length }]);
    expect(document.warnings).toEqual([]);
  }
});
