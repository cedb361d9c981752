import { describe, expect, it } from 'vitest';
import { DocumentBuilder } from '../../../src/read/builder.ts';
import type { ParseContext, ParsedDocument } from '../../../src/read/contract.ts';
import { parseEpub } from '../../../src/read/office/epub.ts';
import { parseOdt } from '../../../src/read/office/odt.ts';
import { parsePptx } from '../../../src/read/office/pptx.ts';
import { parseXlsx } from '../../../src/read/office/xlsx.ts';
import { kindOfFormat, showSerial } from '../../../src/read/office/xlsx-values.ts';
import { context, headerOf, makeZip, offsetFaults, outline, relationships } from './formats-make.ts';

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
      'OEBPS/book.opf': `<package xmlns:dc="d"><metadata><dc:title>The Tides</dc:title><dc:creator>A. Poole</dc:creator><dc:creator>B. Lund</dc:creator><dc:language>en</dc:language><dc:language>da</dc:language></metadata><manifest><item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/><item id="a" href="text/one%20a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="two.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="nav"/><itemref idref="b"/><itemref idref="a"/></spine></package>`,
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
    expect(document.title).toBe('The Tides');
    expect(document.metadata).toEqual({ author: 'A. Poole, B. Lund', language: 'en, da' });
  });

  it('names a chapter that the book does not list', async () => {
    const opf =
      '<package><manifest><item id="b" href="two.xhtml" media-type="application/xhtml+xml"/><item id="c" href="c.jpg" media-type="image/jpeg"/></manifest><spine><itemref idref="c"/><itemref idref="b"/><itemref idref="lost"/></spine></package>';
    const { warnings } = await parseEpub(book({ 'OEBPS/book.opf': opf }), context('a.epub', inner));
    expect(warnings.map(({ code, message }) => [code, message.includes('"lost"')])).toEqual([
      ['CHAPTER_MISSING', true],
      ['ENCODING_GUESSED', false],
    ]);
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
