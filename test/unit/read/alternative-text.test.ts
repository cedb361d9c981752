import { expect, test } from 'vitest';
import { makeZip, relationships } from './formats-make.ts';
import { parse } from './helpers.ts';

/** A picture of Word, in its line or beside the text. */
function picture(kind: 'inline' | 'anchor', properties: string): string {
  return `<w:r><w:drawing><wp:${kind}><wp:docPr id="1" name="Picture 1" ${properties}/><a:graphic/></wp:${kind}></w:drawing></w:r>`;
}
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

test('Word: a picture in a line is said in its place, one beside the text after its paragraph', async () => {
  const paragraphs = [
    `${run('Press')}${picture('inline', 'descr="the green key"')}${run('to start.')}`,
    `${picture('anchor', 'title="Crane K2" descr="Lifts 40 tonnes at 12 metres"')}${run('The quay has two cranes.')}`,
    `${picture('inline', 'descr="A harbour at night&#10;&#10;Description automatically generated with medium confidence"')}`,
    `${picture('inline', 'descr="C:\\Users\\ann\\photo_7.jpg"')}${run('Seven.')}`,
    `${picture('inline', 'descr="Picture 1"')}${run('Eight.')}`,
    `<w:r><w:pict><v:shape alt="An old map of 1897"/></w:pict></w:r>`,
    `<w:r><w:rPr><w:vanish/></w:rPr><w:drawing><wp:inline><wp:docPr descr="unseen"/></wp:inline></w:drawing></w:r>${run('Last.')}`,
  ];
  const document = await parse(
    'a.docx',
    makeZip({
      '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
      'word/document.xml': `<w:document xmlns:w="w" xmlns:wp="p" xmlns:a="a" xmlns:v="v"><w:body>${paragraphs.map((text) => `<w:p>${text}</w:p>`).join('')}</w:body></w:document>`,
    }),
  );
  expect(document.text.split('\n\n')).toEqual([
    'Press the green key to start.',
    'The quay has two cranes.',
    'Crane K2: Lifts 40 tonnes at 12 metres',
    'A harbour at night',
    'Seven.',
    'Eight.',
    'An old map of 1897',
    'Last.',
  ]);
});

test('OpenDocument: a picture in a line is said in its place, others after their paragraph', async () => {
  const frame = (anchor: string, inner: string): string =>
    `<draw:frame text:anchor-type="${anchor}"><draw:image/>${inner}</draw:frame>`;
  const document = await parse(
    'a.odt',
    makeZip({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': `<d xmlns:office="o" xmlns:text="t" xmlns:svg="s" xmlns:draw="d"><office:body>
        ${frame('page', '<svg:desc>The seal of the harbour</svg:desc>')}
        <text:p>Press${frame('as-char', '<svg:title>the green key</svg:title>')}to start.</text:p>
        <text:p>Two ${frame('paragraph', '<svg:title>Crane K2</svg:title><svg:desc>Lifts 40 tonnes</svg:desc>')}cranes.</text:p>
        <text:p>See<draw:custom-shape><svg:desc>An arrow to the quay</svg:desc><text:p>Quay 3</text:p></draw:custom-shape> below.</text:p>
        </office:body></d>`,
    }),
  );
  expect(document.text.split('\n\n')).toEqual([
    'The seal of the harbour',
    'Press the green key to start.',
    'Two cranes.',
    'Crane K2: Lifts 40 tonnes',
    'See below.',
    'Quay 3',
    'An arrow to the quay',
  ]);
});

test('PowerPoint and Excel: what a picture shows is read', async () => {
  const slide =
    '<p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture 3" descr="Two cranes over a red ship"/></p:nvPicPr></p:pic><p:sp><p:nvSpPr><p:cNvPr id="2" name="Box 1"/></p:nvSpPr><p:txBody><a:p><a:r><a:t>Cranes</a:t></a:r></a:p></p:txBody></p:sp>';
  const slides = await parse(
    'a.pptx',
    makeZip({
      '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
      'ppt/presentation.xml':
        '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="9" r:id="s1"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relationships({ s1: ['slide', 'slides/slide1.xml'] }),
      'ppt/slides/slide1.xml': `<p:sld xmlns:p="p" xmlns:a="a">${slide}</p:sld>`,
    }),
  );
  expect(slides.text).toBe('Two cranes over a red ship\n\nCranes');
  const book = await parse(
    'a.xlsx',
    makeZip({
      '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="Hours" r:id="s1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relationships({ s1: ['worksheet', 'worksheets/sheet1.xml'] }),
      'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row r="1"><c><v>7</v></c></row></sheetData></worksheet>',
      'xl/worksheets/_rels/sheet1.xml.rels': relationships({ d: ['drawing', '../drawings/drawing1.xml'] }),
      'xl/drawings/drawing1.xml':
        '<xdr:wsDr xmlns:xdr="x"><xdr:pic><xdr:cNvPr name="Picture 1" descr="Hours by month as bars"/></xdr:pic></xdr:wsDr>',
    }),
  );
  expect(book.text).toBe('7\n\nHours by month as bars');
});
