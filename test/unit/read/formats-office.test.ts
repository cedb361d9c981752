import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../../src/read/contract.ts';
import { parseDocx } from '../../../src/read/office/docx.ts';
import { formatNumber } from '../../../src/read/office/docx-numbering.ts';
import { parseOdt } from '../../../src/read/office/odt.ts';
import { parseXlsx } from '../../../src/read/office/xlsx.ts';
import { context, headerOf, makeZip, offsetFaults, outline, relationships, textOf } from './formats-make.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="r" xmlns:mc="mc"';

async function docx(body: string, parts: Readonly<Record<string, string>> = {}): Promise<ParsedDocument> {
  const types = {
    styles: 'styles',
    numbering: 'numbering',
    footnotes: 'footnotes',
    comments: 'comments',
    header1: 'header',
    footer1: 'footer',
  };
  const related = Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, [type, `${name}.xml`] as const]),
  );
  const bytes = makeZip({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': `<w:document ${W}><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relationships(related),
    ...Object.fromEntries(
      Object.entries(parts).map(([name, xml]) => [name.includes('/') ? name : `word/${name}.xml`, xml]),
    ),
  });
  const document = await parseDocx(bytes, context('file.docx'));
  expect(offsetFaults(document)).toEqual([]);
  return document;
}

const p = (text: string, properties = ''): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

describe('parseDocx', () => {
  it('reads headings by style, also by what a style is based on and by outline level', async () => {
    const document = await docx(
      p('Manual', '<w:pStyle w:val="Title"/>') +
        p('One', '<w:pStyle w:val="Heading1"/>') +
        p('Two', '<w:pStyle w:val="Mine"/>') +
        p('Three', '<w:outlineLvl w:val="2"/>') +
        p('Text'),
      {
        styles: `<w:styles ${W}><w:style w:styleId="Title"><w:name w:val="Title"/></w:style><w:style w:styleId="Heading1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="Heading2"><w:name w:val="heading 2"/></w:style><w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="Heading2"/></w:style></w:styles>`,
      },
    );
    expect(outline(document)).toEqual([
      'heading1: Manual',
      'heading1: One',
      'heading2: Two',
      'heading3: Three',
      'paragraph: Text',
    ]);
    expect(document.title).toBe('Manual');
  });

  it('takes accepted text: insertions in, deletions, moved and hidden text out', async () => {
    const run = (text: string, properties = ''): string =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const document = await docx(
      `<w:p>${run('The price is ')}<w:del><w:r><w:delText>ten</w:delText></w:r></w:del><w:ins>${run('twelve')}</w:ins><w:moveFrom>${run(' gone')}</w:moveFrom>${run(' euros')}${run(' secret', '<w:vanish/>')}<w:r><w:instrText>PAGE</w:instrText></w:r>${run('.')}</w:p>`,
    );
    expect(document.text).toBe('The price is twelve euros.');
  });

  it('goes on in the next paragraph where the end of one is deleted', async () => {
    const deleted = '<w:rPr><w:del w:id="1" w:author="A"/></w:rPr>';
    const cell = (content: string): string => `<w:tc>${content}</w:tc>`;
    const document = await docx(
      [
        p('The rent is ', deleted),
        p('', deleted),
        p('due monthly.'),
        p('Before a table', deleted),
        `<w:tbl><w:tr>${cell(p('a', deleted) + p('b'))}${cell(p('c', deleted))}</w:tr></w:tbl>`,
        p('The end', deleted),
      ].join(''),
    );
    expect(document.text.split('\n\n')).toEqual(['The rent is due monthly.', 'Before a table', 'ab | c', 'The end']);
  });

  it('prints the numbers of lists', async () => {
    const item = (text: string, level: number): string =>
      p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="7"/></w:numPr>`);
    const level = (n: number, format: string, text: string): string =>
      `<w:lvl w:ilvl="${n}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const document = await docx(
      item('first', 0) + item('inside', 1) + item('more', 1) + item('second', 0) + item('again', 1),
      {
        numbering: `<w:numbering ${W}><w:abstractNum w:abstractNumId="3">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}</w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>`,
      },
    );
    expect(document.text).toBe('1. first\n1.a) inside\n1.b) more\n2. second\n2.a) again');
    expect(document.blocks.every((block) => block.kind === 'list')).toBe(true);
  });

  it('moves items of an inner list to the right, unless their number says where they belong', async () => {
    const item = (text: string, level: number): string =>
      p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="7"/></w:numPr>`);
    const level = (n: number, format: string, text: string): string =>
      `<w:lvl w:ilvl="${n}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const document = await docx(item('Bakery', 0) + item('Shop', 1) + item('Till', 2) + item('Clinic', 0), {
      numbering: `<w:numbering ${W}><w:abstractNum w:abstractNumId="3">${level(0, 'bullet', '')}${level(1, 'bullet', '')}${level(2, 'lowerLetter', '(%3)')}</w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>`,
    });
    expect(document.text).toBe('- Bakery\n  - Shop\n    (a) Till\n- Clinic');
  });

  it('reads tables by row, cells of cells too, with the header row', async () => {
    const cell = (inner: string): string => `<w:tc>${inner}</w:tc>`;
    const row = (...cells: string[]): string => `<w:tr>${cells.map(cell).join('')}</w:tr>`;
    const inner = `<w:tbl>${row(p('x'), p('y'))}</w:tbl>`;
    const document = await docx(
      `<w:tbl>${row(p('Name'), p('Fee'))}${row(p('Audit') + p('fees'), p('3,631'))}${row(p('Tax') + inner, p(''))}</w:tbl>`,
    );
    expect(document.text).toBe('Name | Fee\nAudit fees | 3,631\nTax x, y');
    expect(headerOf(document, document.blocks[0])).toBe('Name | Fee');
  });

  it('repeats the label of merged cells in each of their rows, and keeps columns', async () => {
    const cell = (text: string, merged = ''): string => `<w:tc><w:tcPr>${merged}</w:tcPr>${p(text)}</w:tc>`;
    const document = await docx(
      `<w:tbl><w:tr>${cell('Area', '<w:vMerge w:val="restart"/>')}${cell('Ships', '<w:gridSpan w:val="2"/>')}${cell('Crew')}</w:tr>
      <w:tr>${cell('', '<w:vMerge/>')}${cell('2023')}${cell('2024')}${cell('all')}</w:tr>
      <w:tr>${cell('North', '<w:vMerge w:val="restart"/>')}${cell('1')}${cell('2')}${cell('9')}</w:tr>
      <w:tr>${cell('', '<w:vMerge w:val="continue"/>')}${cell('3')}${cell('4')}${cell('8')}</w:tr>
      <w:tr>${cell('', '<w:vMerge/>')}${cell('')}${cell('')}${cell('')}</w:tr>
      <w:tr>${cell('')}${cell('5')}${cell('6')}${cell('7')}</w:tr></w:tbl>`,
    );
    expect(document.text.split('\n')).toEqual([
      'Area | Ships | Ships | Crew',
      'Area | 2023 | 2024 | all',
      'North | 1 | 2 | 9',
      'North | 3 | 4 | 8',
      '| 5 | 6 | 7',
    ]);
  });

  it('puts notes and comments after the paragraph they hang on, text boxes too, and reads a drawing once', async () => {
    const document = await docx(
      `<w:p><w:r><w:t>Claim</w:t><w:footnoteReference w:id="2"/><w:commentReference w:id="0"/></w:r><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${p('In the box')}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${p('In the box')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>${p('Next')}`,
      {
        footnotes: `<w:footnotes ${W}><w:footnote w:id="0" w:type="separator">${p('---')}</w:footnote><w:footnote w:id="2">${p('Proof')}</w:footnote></w:footnotes>`,
        comments: `<w:comments ${W}><w:comment w:id="0">${p('Really?')}</w:comment></w:comments>`,
      },
    );
    expect(document.text).toBe('Claim\n\nProof\n\nReally?\n\nIn the box\n\nNext');
  });

  it('counts pages where Word left marks, and gives none where it did not', async () => {
    const marked = await docx(
      `${p('one')}<w:p><w:r><w:br w:type="page"/></w:r><w:r><w:lastRenderedPageBreak/><w:t>two</w:t></w:r></w:p><w:p><w:r><w:lastRenderedPageBreak/><w:t>three</w:t></w:r></w:p>`,
    );
    expect(marked.locators.map((l) => [textOf(marked, l), l.page])).toEqual([
      ['one', 1],
      ['two', 2],
      ['three', 3],
    ]);
    expect((await docx(p('one'))).locators).toEqual([]);
  });

  it('a paragraph and a table that go on over pages name the page of each part', async () => {
    const broken = '<w:r><w:lastRenderedPageBreak/></w:r>';
    const said = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const row = (...cells: readonly string[]): string =>
      `<w:tr>${cells.map((cell) => `<w:tc><w:p>${cell}</w:p></w:tc>`).join('')}</w:tr>`;
    const document = await docx(
      `<w:p>${said(' The first ')}${broken}${said(' page. The ')}<w:r><w:br w:type="page"/></w:r>${broken}${said('second ')}${broken}${broken}${said('one. ')}</w:p>` +
        `<w:tbl>${row(said('Pump'), said('Bar'))}${row(said('fire'), said('9'))}${row(broken + said('bilge'), said('2'))}${row('', said('7'))}</w:tbl>`,
    );
    expect(document.text).toBe('The first page. The\nsecond one.\n\nPump | Bar\nfire | 9\nbilge | 2\n| 7');
    expect(document.locators.map((l) => [textOf(document, l).trim(), l.page])).toEqual([
      ['The first', 1],
      ['page. The', 2],
      ['second', 3],
      ['one.\n\nPump | Bar\nfire | 9', 5],
      ['bilge | 2\n| 7', 6],
    ]);
  });

  it('says what cannot be read', async () => {
    const refusal = (bytes: Uint8Array): Promise<unknown> =>
      parseDocx(bytes, context('a.docx')).then(
        () => 'read',
        (error: unknown) => error,
      );
    expect(await refusal(new Uint8Array())).toMatchObject({ code: 'FILE_EMPTY' });
    expect(await refusal(makeZip({ 'other.xml': '<a/>' }))).toMatchObject({ code: 'FILE_DAMAGED' });
    await expect(docx(p(' '))).rejects.toMatchObject({ code: 'FILE_EMPTY' });
    const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    expect(await refusal(compound)).toMatchObject({ code: 'FILE_UNSUPPORTED' });
    expect(await refusal(Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]))).toMatchObject({
      code: 'FILE_ENCRYPTED',
    });
  });

  it('keeps what stands before a break in the XML and says so', async () => {
    const bytes = makeZip({ 'word/document.xml': `<w:document ${W}><w:body>${p('Still here')}<w:p><w:r><w:t>and th` });
    const document = await parseDocx(bytes, context('a.docx'));
    expect(document.text).toContain('Still here');
    expect(document.warnings.map((w) => w.code)).toEqual(['XML_BROKEN']);
  });

  it.each([
    [1, 'lowerRoman', 'i'],
    [1999, 'upperRoman', 'MCMXCIX'],
    [27, 'lowerLetter', 'aa'],
    [26, 'upperLetter', 'Z'],
    [7, 'decimalZero', '07'],
    [12, 'decimal', '12'],
  ])('writes %i as %s', (n, format, expected) => {
    expect(formatNumber(n, format)).toBe(expected);
  });
});

describe('text beside the flow', () => {
  const box = (text: string): string =>
    `<xdr:wsDr xmlns:xdr="x" xmlns:a="a"><xdr:sp><xdr:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>`;
  const chart =
    '<c:chart xmlns:c="c" xmlns:a="a"><c:title><a:p><a:t>Ships a year</a:t></a:p></c:title><c:cat><c:v>Kiel</c:v></c:cat></c:chart>';

  it('of a sheet: boxes, the charts in them, comments with their cell', async () => {
    const document = await parseXlsx(
      makeZip({
        '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
        'xl/workbook.xml':
          '<workbook xmlns:r="r"><sheets><sheet name="Ports" sheetId="1" r:id="s"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels': relationships({ s: ['worksheet', 'worksheets/sheet1.xml'] }),
        'xl/worksheets/sheet1.xml':
          '<worksheet><sheetData><row r="1"><c r="A1"><v>5</v></c></row></sheetData></worksheet>',
        'xl/worksheets/_rels/sheet1.xml.rels': relationships({
          d: ['drawing', '../drawings/drawing1.xml'],
          c: ['comments', '../comments1.xml'],
        }),
        'xl/drawings/drawing1.xml': box('All figures are in tons.'),
        'xl/drawings/_rels/drawing1.xml.rels': relationships({ c: ['chart', '../charts/chart1.xml'] }),
        'xl/charts/chart1.xml': chart,
        'xl/comments1.xml':
          '<comments><commentList><comment ref="A1"><text><r><t>Estimated </t></r><r><t>twice.</t></r></text></comment></commentList></comments>',
      }),
      context('a.xlsx'),
    );
    expect(document.text).toBe('5\n\nAll figures are in tons.\n\nShips a year\nKiel\n\nA1: Estimated twice.');
    expect(document.locators.at(-1)).toMatchObject({ sheet: 'Ports', end: document.text.length });
  });

  it('of a Word document: its charts', async () => {
    const document = await parseDocx(
      makeZip({
        '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
        'word/document.xml':
          '<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>See the chart.</w:t></w:r></w:p></w:body></w:document>',
        'word/_rels/document.xml.rels': relationships({ c: ['chart', 'charts/chart1.xml'] }),
        'word/charts/chart1.xml': chart,
      }),
      context('a.docx'),
    );
    expect(document.text).toBe('See the chart.\n\nShips a year\nKiel');
  });

  it('of an OpenDocument text: headers and footers, each once, without numbers of pages', async () => {
    const document = await parseOdt(
      makeZip({
        'content.xml':
          '<d xmlns:office="o" xmlns:text="t"><office:body><text:p>The crane is closed.</text:p></office:body></d>',
        'styles.xml': `<d xmlns:style="s" xmlns:text="t"><style:master-page><style:header><text:p>Harbour office</text:p></style:header>
          <style:header-left><text:p>Harbour office</text:p></style:header-left>
          <style:footer><text:p>Page <text:page-number>1</text:page-number></text:p><text:p>Confidential</text:p></style:footer></style:master-page></d>`,
      }),
      context('a.odt'),
    );
    expect(document.text).toBe('Harbour office\n\nThe crane is closed.\n\nConfidential');
  });
});
