import { describe, expect, it } from 'vitest';
import { DocumentBuilder } from '../../../src/read/builder.ts';
import type { ParseContext, ParsedDocument } from '../../../src/read/contract.ts';
import { readXml } from '../../../src/read/markup/xml.ts';
import { parseDocx } from '../../../src/read/office/docx.ts';
import { formatNumber } from '../../../src/read/office/docx-numbering.ts';
import { parseEpub } from '../../../src/read/office/epub.ts';
import { parseOdt } from '../../../src/read/office/odt.ts';
import { resolvePart } from '../../../src/read/office/ooxml.ts';
import { parsePptx } from '../../../src/read/office/pptx.ts';
import { parseXlsx } from '../../../src/read/office/xlsx.ts';
import { kindOfFormat, showSerial } from '../../../src/read/office/xlsx-values.ts';
import { openZip } from '../../../src/read/zip.ts';
import { context, headerOf, makeZip, offsetFaults, outline, relationships, textOf } from './formats-make.ts';

const LIMITS = { maxUnpackedBytes: 1 << 29 };

describe('openZip', () => {
  it('reads what was packed', () => {
    const zip = openZip(makeZip({ 'a.txt': 'alpha', 'b/c.txt': 'gamma'.repeat(1000) }), LIMITS);
    expect(zip.entries.map((entry) => entry.name)).toEqual(['a.txt', 'b/c.txt']);
    expect(Buffer.from(zip.read('a.txt')!).toString()).toBe('alpha');
    expect(zip.read('b/c.txt')!.length).toBe(5000);
    expect(zip.read('missing')).toBeUndefined();
  });

  it('finds the archive behind bytes that do not belong to it', () => {
    const zip = openZip(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), makeZip({ 'a.txt': 'alpha' })]), LIMITS);
    expect(zip.entries.map((entry) => entry.name)).toEqual(['a.txt']);
  });

  it('stops a bomb before it is unpacked, whatever size it declares', () => {
    const bytes = Buffer.from(makeZip({ 'bomb.xml': Buffer.alloc(80 * 1024 * 1024, 32) }));
    const declared = bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1')) + 24;
    bytes.writeUInt32LE(10, declared);
    const started = process.memoryUsage().arrayBuffers;
    expect(() => openZip(bytes, LIMITS).read('bomb.xml')).toThrow(expect.objectContaining({ code: 'FILE_TOO_LARGE' }));
    expect(process.memoryUsage().arrayBuffers - started).toBeLessThan(60 * 1024 * 1024);
  });

  it('counts all that is read against the limit', () => {
    const zip = openZip(makeZip({ a: Buffer.alloc(700), b: Buffer.alloc(700) }), { maxUnpackedBytes: 1000 });
    expect(zip.read('a')?.length).toBe(700);
    expect(() => zip.read('b')).toThrow(expect.objectContaining({ code: 'FILE_TOO_LARGE' }));
  });

  it('tells encrypted, cut and foreign files apart', () => {
    const code = (bytes: Uint8Array): unknown => {
      try {
        const zip = openZip(bytes, LIMITS);
        return zip.read('a') ?? 'absent';
      } catch (error) {
        return (error as { code?: string }).code; // only IbidError is thrown here; anything else shows as undefined
      }
    };
    const good = makeZip({ a: 'text' });
    expect(code(makeZip({ a: 'text' }, 1))).toBe('FILE_ENCRYPTED');
    expect(code(good.subarray(0, good.length - 30))).toBe('FILE_DAMAGED');
    expect(code(Buffer.from('not an archive'))).toBe('FILE_DAMAGED');
    expect(code(new Uint8Array())).toBe('FILE_DAMAGED');
  });
});

describe('readXml', () => {
  const texts = (xml: string | Uint8Array): { text: string; problem: string | undefined } => {
    let text = '';
    const problem = readXml(typeof xml === 'string' ? new TextEncoder().encode(xml) : xml, {
      text: (part) => (text += part),
    });
    return { text, problem };
  };

  it('never expands entities of a document type', () => {
    const bomb = `<!DOCTYPE a [<!ENTITY x "${'ha'.repeat(50)}"><!ENTITY y "&x;&x;&x;&x;"><!ENTITY f SYSTEM "file:///etc/hostname">]><a>&y;&f;</a>`;
    const { text, problem } = texts(bomb);
    expect(text).toBe('&y;&f;');
    expect(problem).toContain('entity');
  });

  it('reads UTF-16 and names what is broken', () => {
    expect(texts(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<a>größer</a>', 'utf16le')]))).toEqual({
      text: 'größer',
      problem: undefined,
    });
    expect(texts('<a>&lt;<b>cut').problem).toContain('unclosed');
  });

  it('does not run out of stack on deep nesting', () => {
    expect(texts(`${'<a>'.repeat(200_000)}deep${'</a>'.repeat(200_000)}`).text).toBe('deep');
  });

  it('decodes characters cut by a chunk of input', () => {
    const long = `<a>${'ü'.repeat(100_000)}</a>`;
    expect(texts(long).text).toBe('ü'.repeat(100_000));
  });
});

it('resolves part names, never above the package', () => {
  expect(resolvePart('ppt/slides/slide1.xml', '../notesSlides/n1.xml')).toBe('ppt/notesSlides/n1.xml');
  expect(resolvePart('word/document.xml', '/word/styles.xml')).toBe('word/styles.xml');
  expect(resolvePart('a.xml', '../../../etc/passwd')).toBe('etc/passwd');
});

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
      'Area | Ships |  | Crew',
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

describe('parseXlsx', () => {
  const X = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="r"';
  async function xlsx(sheets: Readonly<Record<string, string>>, workbook = ''): Promise<ParsedDocument> {
    const names = Object.keys(sheets);
    const bytes = makeZip({
      '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
      'xl/workbook.xml': `<workbook ${X}>${workbook}<sheets>${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="s${i}"/>`).join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationships({
        ...Object.fromEntries(names.map((_, i) => [`s${i}`, ['worksheet', `worksheets/sheet${i}.xml`] as const])),
        st: ['sharedStrings', 'sharedStrings.xml'],
        fm: ['styles', 'styles.xml'],
      }),
      'xl/sharedStrings.xml': `<sst ${X}><si><t>Region</t></si><si><r><t>Sa</t></r><r><t>les</t></r><rPh><t>reading</t></rPh></si></sst>`,
      'xl/styles.xml': `<styleSheet ${X}><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="10"/></cellXfs></styleSheet>`,
      ...Object.fromEntries(
        names.map((name, i) => [
          `xl/worksheets/sheet${i}.xml`,
          `<worksheet ${X}><sheetData>${sheets[name]}</sheetData></worksheet>`,
        ]),
      ),
    });
    const document = await parseXlsx(bytes, context('a.xlsx'));
    expect(offsetFaults(document)).toEqual([]);
    return document;
  }

  it('shows strings, dates, percentages, truth and cached formula values, row by row with their numbers', async () => {
    const document = await xlsx({
      Data: `<row r="3"><c r="B3" t="s"><v>0</v></c><c r="C3" t="s"><v>1</v></c><c r="D3" t="inlineStr"><is><t>Day</t></is></c></row><row r="4"><c r="B4" t="str"><f>A1</f><v>North</v></c><c r="C4"><f>SUM(1)</f><v>0.30000000000000004</v></c><c r="D4" s="1"><v>43525</v></c><c r="E4" s="2"><v>0.125</v></c><c r="F4" t="b"><v>1</v></c></row>`,
    });
    expect(document.text).toBe('Region | Sales | Day\nNorth | 0.3 | 2019-03-01 | 12.5% | TRUE');
    expect(document.locators).toEqual([
      { start: 0, end: 20, sheet: 'Data', rows: [3, 3] },
      { start: 21, end: document.text.length, sheet: 'Data', rows: [4, 4] },
    ]);
  });

  it('heads each of several sheets with its name, parts tables at empty rows, repeats merged labels down', async () => {
    const document = await xlsx({
      One: `<row r="1"><c r="A1" t="inlineStr"><is><t>Team</t></is></c><c r="B1" t="inlineStr"><is><t>Cups</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>Blues</t></is></c><c r="B2"><v>1</v></c></row><row r="3"><c r="B3"><v>2</v></c></row></sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells><sheetData>`,
      Two: `<row r="1"><c r="A1"><v>5</v></c><c r="B1"><v>6</v></c></row><row r="9"><c r="A9"><v>7</v></c><c r="B9"><v>8</v></c></row>`,
    });
    expect(outline(document)).toEqual([
      'heading1: One',
      'table: Team | Cups\nBlues | 1\nBlues | 2',
      'heading1: Two',
      'table: 5 | 6',
      'table: 7 | 8',
    ]);
  });

  it('counts days from 1904 where the workbook says so', async () => {
    const document = await xlsx({ A: '<row r="1"><c r="A1" s="1"><v>0</v></c></row>' }, '<workbookPr date1904="1"/>');
    expect(document.text).toBe('1904-01-01');
  });

  it.each([
    [1, false, '1900-01-01'],
    [59, false, '1900-02-28'],
    [61, false, '1900-03-01'],
    [43525, false, '2019-03-01'],
    [0, true, '1904-01-01'],
    [1, true, '1904-01-02'],
  ])('day %i (from 1904: %s) is %s', (serial, from1904, expected) => {
    expect(showSerial(serial, from1904, true, false)).toBe(expected);
  });

  it('shows times to the minute, seconds where there are some', () => {
    expect(showSerial(43525.5, false, true, true)).toBe('2019-03-01 12:00');
    expect(showSerial(43525 + 1 / 86_400, false, true, true)).toBe('2019-03-01 00:00:01');
    expect(showSerial(0.75, false, false, true)).toBe('18:00');
  });

  it.each([
    ['yyyy\\-mm\\-dd;@', 'date'],
    ['[$-409]d\\-mmm\\-yy', 'date'],
    ['m/d/yyyy h:mm', 'dateTime'],
    ['[h]:mm:ss', 'elapsed'],
    ['mm:ss.0', 'time'],
    ['0.00%', 'percent'],
    ['[Red]#,##0.00', 'general'],
    ['"day" 0', 'general'],
    ['General', 'general'],
  ])('the format %s is a %s', (code, kind) => {
    expect(kindOfFormat(code)).toBe(kind);
  });
});

it('reads slides in the order they are shown, with titles, lists, tables and notes', async () => {
  const N = 'xmlns:p="p" xmlns:a="a" xmlns:r="r"';
  const shape = (type: string, ...lines: string[]): string =>
    `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp>`;
  const slide = (inner: string): string => `<p:sld ${N}><p:cSld><p:spTree>${inner}</p:spTree></p:cSld></p:sld>`;
  const cell = (text: string, merged = ''): string =>
    `<a:tc ${merged}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
  const bytes = makeZip({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `<p:presentation ${N}><p:sldIdLst><p:sldId id="300" r:id="b"/><p:sldId id="301" r:id="a"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships({
      a: ['slide', 'slides/slide1.xml'],
      b: ['slide', 'slides/slide2.xml'],
    }),
    'ppt/slides/slide1.xml': slide(
      `<p:graphicFrame><a:tbl><a:tr>${cell('Port')}${cell('Ships')}</a:tr><a:tr>${cell('Kiel', 'rowSpan="2"')}${cell('12')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('13')}</a:tr></a:tbl></p:graphicFrame>${shape('ftr', 'Harbour office')}${shape('sldNum', '2')}`,
    ),
    'ppt/slides/slide2.xml': slide(
      shape('body', 'first point', 'second point') + shape('title', 'Welcome') + shape('ftr', 'Harbour office'),
    ),
    'ppt/slides/_rels/slide2.xml.rels': relationships({ n: ['notesSlide', '../notesSlides/notesSlide1.xml'] }),
    'ppt/notesSlides/notesSlide1.xml': slide(shape('body', 'Speak slowly') + shape('sldNum', '1')),
  });
  const document = await parsePptx(bytes, context('a.pptx'));
  expect(offsetFaults(document)).toEqual([]);
  expect(outline(document)).toEqual([
    'heading1: Welcome',
    'list: - first point\n- second point',
    'paragraph: Harbour office',
    'paragraph: Speak slowly',
    'table: Port | Ships\nKiel | 12\nKiel | 13',
  ]);
  expect(
    document.blocks.map((block) => document.locators.find((l) => l.start <= block.start && l.end >= block.end)?.page),
  ).toEqual([1, 1, 1, 1, 2]);
  expect(document.title).toBe('Welcome');
});

it('reads OpenDocument text: levels, lists, notes, tables; what was deleted stays out', async () => {
  const bytes = makeZip({
    'content.xml': `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:body><office:text>
      <text:tracked-changes><text:changed-region><text:deletion><text:p>deleted</text:p></text:deletion></text:changed-region></text:tracked-changes>
      <text:h text:outline-level="2">Ports</text:h>
      <text:p>One<text:s/>two<text:tab/>three<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note</text:p></text:note-body></text:note></text:p>
      <text:list><text:list-item><text:p>oil</text:p></text:list-item><text:list-item><text:p>wicks</text:p></text:list-item></text:list>
      <table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Port</text:p></table:table-cell><table:table-cell><text:p>Ships</text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>Kiel</text:p></table:table-cell><table:table-cell><text:p>12</text:p></table:table-cell></table:table-row><table:table-row><table:covered-table-cell/><table:table-cell><text:p>13</text:p></table:table-cell></table:table-row></table:table>
    </office:text></office:body></office:document-content>`,
    'meta.xml': '<m xmlns:dc="d"><dc:title>Harbours</dc:title></m>',
  });
  const document = await parseOdt(bytes, context('a.odt'));
  expect(offsetFaults(document)).toEqual([]);
  expect(outline(document)).toEqual([
    'heading2: Ports',
    'paragraph: One two three',
    'paragraph: A note',
    'list: - oil',
    'list: - wicks',
    'table: Port | Ships\nKiel | 12\nKiel | 13',
  ]);
  expect(headerOf(document, document.blocks.at(-1))).toBe('Port | Ships');
  expect(document.title).toBe('Harbours');
});

describe('parseEpub', () => {
  const book = (extra: Readonly<Record<string, string>> = {}): Uint8Array =>
    makeZip({
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
      'OEBPS/book.opf': `<package xmlns:dc="d"><metadata><dc:title>The Tides</dc:title><dc:creator>A. Poole</dc:creator></metadata><manifest><item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/><item id="a" href="text/one%20a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="two.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="nav"/><itemref idref="b"/><itemref idref="a"/></spine></package>`,
      'OEBPS/nav.xhtml': 'navigation',
      'OEBPS/text/one a.xhtml': 'Chapter of ebb',
      'OEBPS/two.xhtml': 'Chapter of flood',
      ...extra,
    });
  const inner: Partial<ParseContext> = {
    parseInner: async (name, bytes) => {
      const builder = new DocumentBuilder('html', { maxTextChars: 1000 });
      builder.title = name === 'two.xhtml' ? 'Flood' : '';
      builder.block({ kind: 'heading', level: 1 }, name);
      if (name === 'two.xhtml') builder.warn('ENCODING_GUESSED', 'read as windows-1252');
      builder.block({ kind: 'paragraph' }, Buffer.from(bytes).toString());
      return builder.build();
    },
  };

  it('reads the chapters of the spine in order, each as a part', async () => {
    const document = await parseEpub(book(), context('a.epub', inner));
    expect(offsetFaults(document)).toEqual([]);
    expect(outline(document)).toEqual([
      'heading1: two.xhtml',
      'paragraph: Chapter of flood',
      'heading1: one a.xhtml',
      'paragraph: Chapter of ebb',
    ]);
    expect(document.locators.map((l) => l.part)).toEqual(['Flood', 'one a.xhtml']);
    expect(document.warnings).toEqual([{ code: 'ENCODING_GUESSED', message: 'Flood: read as windows-1252' }]);
    expect([document.title, document.metadata.author]).toEqual(['The Tides', 'A. Poole']);
  });

  it('refuses copy protection, but not obfuscated fonts', async () => {
    const protect = (uri: string): string =>
      `<encryption><EncryptedData><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`;
    await expect(
      parseEpub(book({ 'META-INF/encryption.xml': protect('OEBPS/two.xhtml') }), context('a.epub', inner)),
    ).rejects.toMatchObject({ code: 'FILE_ENCRYPTED' });
    await expect(
      parseEpub(book({ 'META-INF/encryption.xml': protect('OEBPS/font.otf') }), context('a.epub', inner)),
    ).resolves.toMatchObject({ title: 'The Tides' });
  });
});
