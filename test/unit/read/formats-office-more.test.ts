import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../../src/read/contract.ts';
import { parseDocx } from '../../../src/read/office/docx.ts';
import { parseOdt } from '../../../src/read/office/odt.ts';
import { parsePptx } from '../../../src/read/office/pptx.ts';
import { parseXlsx } from '../../../src/read/office/xlsx.ts';
import { parseBytes } from '../../../src/read/parse.ts';
import { context, makeZip, offsetFaults, relationships } from './formats-make.ts';

describe('a workbook of Excel', () => {
  const X = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="r"';

  /** @param sheet rows of the first sheet @param parts more parts of the package */
  async function workbook(sheet: string, formats: readonly string[] = [], parts = {}): Promise<ParsedDocument> {
    const codes = formats.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code}"/>`).join('');
    const styles = formats.map((_, i) => `<xf numFmtId="${164 + i}"/>`).join('');
    const document = await parseXlsx(
      makeZip({
        '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
        'xl/workbook.xml': `<workbook ${X}><sheets><sheet name="Hours" r:id="s1"/><sheet name="Graph" r:id="s2"/></sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': relationships({
          s1: ['worksheet', 'worksheets/sheet1.xml'],
          s2: ['chartsheet', 'chartsheets/sheet1.xml'],
          fm: ['styles', 'styles.xml'],
          st: ['sharedStrings', 'sharedStrings.xml'],
        }),
        'xl/styles.xml': `<styleSheet ${X}><numFmts>${codes}</numFmts><cellXfs><xf numFmtId="0"/>${styles}<xf numFmtId="46"/></cellXfs></styleSheet>`,
        'xl/worksheets/sheet1.xml': `<worksheet ${X}><sheetData>${sheet}</sheetData></worksheet>`,
        ...parts,
      }),
      context('a.xlsx'),
    );
    expect(offsetFaults(document)).toEqual([]);
    return document;
  }

  it('shows a sum of hours as hours, however many days they make', async () => {
    const cells = [1.604166667, 2.75, 0.375, 40.50001157].map((days, i) => `<c s="${1 + (i % 2)}"><v>${days}</v></c>`);
    const { text } = await workbook(`<row r="1">${cells.join('')}<c s="3"><v>1.5</v></c></row>`, [
      '[h]:mm',
      '[hh]:mm:ss',
    ]);
    expect(text).toContain('38:30 | 66:00 | 09:00 | 972:00:01 | 36:00');
  });

  it('reads a sheet that is a chart', async () => {
    const C = 'xmlns:c="c" xmlns:a="a"';
    const { text, metadata, warnings } = await workbook('<row r="1"><c><v>7</v></c></row>', [], {
      'xl/chartsheets/sheet1.xml': `<chartsheet ${X}><drawing r:id="d1"/></chartsheet>`,
      'xl/chartsheets/_rels/sheet1.xml.rels': relationships({ d1: ['drawing', '../drawings/drawing1.xml'] }),
      'xl/drawings/drawing1.xml': '<d/>',
      'xl/drawings/_rels/drawing1.xml.rels': relationships({ c1: ['chart', '../charts/chart1.xml'] }),
      'xl/charts/chart1.xml': `<c:chartSpace ${C}><c:title><a:p><a:r><a:t>Ships a year</a:t></a:r></a:p></c:title></c:chartSpace>`,
    });
    expect(text).toBe('Hours\n\n7\n\nShips a year');
    expect([metadata.sheets, warnings]).toEqual([2, []]);
  });

  it('reads headers and footers of printed pages, and counts formulas without a value', async () => {
    const { text, warnings } = await workbook('', [], {
      'xl/worksheets/sheet1.xml': `<worksheet ${X}><sheetData><row r="1"><c><v>7</v></c><c><f>A1*2</f></c><c><f>A1*3</f><v>21</v></c><c t="str"><f>B9</f><v></v></c><c><f>A1*4</f><v></v></c></row></sheetData>
          <headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;14Draft of May&amp;CHarbour &amp;&amp; Sons&amp;R&amp;D</oddHeader><oddFooter>&amp;CPage &amp;P of &amp;N</oddFooter></headerFooter></worksheet>`,
      'xl/chartsheets/sheet1.xml': `<chartsheet ${X}/>`,
    });
    expect(text).toBe('Hours\n\n7 | 21\n\nDraft of May\nHarbour & Sons');
    expect(warnings).toEqual([
      {
        code: 'FORMULA_VALUES_MISSING',
        message: '2 formulas have no value in the file: open it in Excel and save it again',
      },
    ]);
  });

  it('reads the characters that a cell escapes, and each comment of a thread once', async () => {
    const { text } = await workbook('<row r="1"><c t="s"><v>0</v></c><c t="str"><v>_x005F_x0041_</v></c></row>', [], {
      'xl/sharedStrings.xml': `<sst ${X}><si><t>Quay_x000D_\nNorth</t></si></sst>`,
      'xl/worksheets/_rels/sheet1.xml.rels': relationships({
        c: ['comments', '../comments1.xml'],
        t: ['threadedComment', '../threads1.xml'],
      }),
      'xl/comments1.xml': `<comments ${X}><authors><author>tc={5}</author><author>Ann</author></authors><commentList>
        <comment ref="A1" authorId="0"><text><t>[Threaded comment] Your version of Excel allows you to read this.</t></text></comment>
        <comment ref="B1" authorId="1"><text><t>A note_x000D_\nof Ann</t></text></comment></commentList></comments>`,
      'xl/threads1.xml': '<T><threadedComment ref="A1"><text>Is it open?</text></threadedComment></T>',
    });
    expect(text).toBe(
      'Hours\n\nQuay North | _x0041_\n\nB1 (Quay North, _x0041_): A note\nof Ann\n\nA1 (Quay North, _x0041_): Is it open?',
    );
  });
});

describe('a presentation of PowerPoint', () => {
  const A = 'xmlns:a="a" xmlns:p="p" xmlns:r="r"';

  it.each([
    ['old', '<p:text>Check the price.</p:text>'],
    [
      'new',
      `<replyLst><reply><txBody><a:p><a:r><a:t>Done.</a:t></a:r></a:p></txBody></reply></replyLst>
       <txBody><a:p><a:r><a:t>Check the price.</a:t></a:r></a:p><a:p><a:r><a:t>Again.</a:t></a:r></a:p></txBody>`,
    ],
  ])('reads comments on a slide, in the %s form', async (form, comment) => {
    const document = await parsePptx(
      makeZip({
        '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
        'ppt/presentation.xml': `<p:presentation ${A}><p:sldIdLst><p:sldId id="9" r:id="s1"/></p:sldIdLst></p:presentation>`,
        'ppt/_rels/presentation.xml.rels': relationships({ s1: ['slide', 'slides/slide1.xml'] }),
        'ppt/slides/slide1.xml': `<p:sld ${A}><p:sp><p:txBody><a:p><a:r><a:t>Cranes</a:t></a:r></a:p></p:txBody></p:sp></p:sld>`,
        'ppt/slides/_rels/slide1.xml.rels': relationships({ c1: ['comments', '../comments/comment1.xml'] }),
        'ppt/comments/comment1.xml': `<p:cmLst ${A}><p:cm>${comment}</p:cm></p:cmLst>`,
      }),
      context('a.pptx'),
    );
    expect(offsetFaults(document)).toEqual([]);
    expect(document.text).toBe(
      form === 'old' ? 'Cranes\n\nCheck the price.' : 'Cranes\n\nDone.\nCheck the price.\nAgain.',
    );
    expect(document.locators).toEqual([{ start: 0, end: document.text.length, page: 1 }]);
  });
});

it('an OpenDocument text in one file of XML is read as one in a package', async () => {
  const flat = `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="o" xmlns:text="t" xmlns:dc="d" xmlns:svg="s" xmlns:style="y" xmlns:draw="w">
<office:meta><dc:title>Pumps</dc:title><dc:creator>Ann</dc:creator></office:meta>
<office:master-styles><style:header><text:p>Harbour Board</text:p></style:header></office:master-styles>
<office:body><office:text><text:h text:outline-level="1">Crane</text:h><text:p>Lifts 40 t.<draw:frame><svg:title>a crane</svg:title></draw:frame></text:p></office:text></office:body></office:document>`;
  const limits = { maxTextChars: 1 << 20, maxUnpackedBytes: 1 << 20 };
  for (const bytes of [Buffer.from(flat), Buffer.from(`\ufeff${flat}`)]) {
    const { text, title, metadata, warnings } = await parseBytes('a.fodt', bytes, limits);
    expect(text).toBe('Harbour Board\n\nCrane\n\nLifts 40 t.\n\na crane');
    expect([title, metadata.author, warnings]).toEqual(['Pumps', 'Ann', []]);
  }
});

it('an OpenDocument text keeps a comment out of the sentence it is on, and the field of the title', async () => {
  const document = await parseOdt(
    makeZip({
      'content.xml': `<d xmlns:office="o" xmlns:text="t" xmlns:svg="s" xmlns:dc="c"><office:body>
        <text:p>The pump<office:annotation><dc:creator>Bob</dc:creator><dc:date>2024-01-01T10:00:00</dc:date><text:p>Which one?</text:p></office:annotation> is red.</text:p>
        <text:p><draw:frame><svg:title>photo.png</svg:title></draw:frame>See <text:title>Pumps</text:title>.</text:p></office:body></d>`,
    }),
    context('a.odt'),
  );
  expect(document.text).toBe('The pump is red.\n\nWhich one?\n\nSee Pumps.');
});

describe('a document of Word', () => {
  const W = 'xmlns:w="w" xmlns:m="m" xmlns:r="r"';

  function docx(body: string, parts: Record<string, string> = {}, related = {}): Uint8Array {
    return makeZip({
      '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
      'word/document.xml': `<w:document ${W}><w:body>${body}</w:body></w:document>`,
      'word/_rels/document.xml.rels': relationships(related),
      ...parts,
    });
  }
  async function textOf(...runs: readonly string[]): Promise<string> {
    const body = runs.map((run) => `<w:p><w:r>${run}</w:r></w:p>`).join('');
    return (await parseDocx(docx(body), context('a.docx'))).text;
  }

  it('parts the words before and after a page break', async () => {
    expect(await textOf('<w:t>The end</w:t><w:br w:type="page"/><w:t>The start</w:t>')).toBe('The end\nThe start');
  });

  it('shows the characters of symbol fonts', async () => {
    expect(
      await textOf(
        '<w:t>3 </w:t><w:sym w:font="Symbol" w:char="F06D"/><w:t>g at 5 </w:t><w:sym w:font="Symbol" w:char="00B0"/><w:t>C</w:t>',
        '<w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>D\uf061</w:t>',
        '<w:sym w:font="Wingdings" w:char="F0FE"/><w:t> crane </w:t><w:sym w:font="Wingdings" w:char="F0A8"/><w:t> quay</w:t>',
        '<w:sym w:font="Segoe UI Symbol" w:char="2610"/><w:t> ship</w:t>',
      ),
    ).toBe('3 μg at 5 °C\n\nΔα\n\n☑ crane ☐ quay\n\n☐ ship');
  });

  it('keeps the sides of a line apart, and says what old form fields show', async () => {
    const box = (state: string): string =>
      `<w:fldChar><w:ffData><w:checkBox>${state}</w:checkBox></w:ffData></w:fldChar>`;
    const list = '<w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="green"/></w:ddList>';
    expect(
      await textOf(
        '<w:t>Harbour</w:t><w:ptab w:alignment="right"/><w:t>Page</w:t>',
        `${box('<w:default w:val="0"/><w:checked/>')}<w:t> crane </w:t>${box('<w:default w:val="0"/>')}<w:t> quay</w:t>`,
        `<w:t>Colour: </w:t><w:fldChar><w:ffData>${list}</w:ffData></w:fldChar>`,
      ),
    ).toBe('Harbour Page\n\n☒ crane ☐ quay\n\nColour: green');
  });

  it('writes formulas in one line', async () => {
    const r = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
    const half = (up: string, down: string): string => `<m:f><m:num>${up}</m:num><m:den>${down}</m:den></m:f>`;
    const power = `<m:sSup><m:e>${r('10')}</m:e><m:sup>${r('3')}</m:sup></m:sSup>`;
    const root = `<m:rad><m:deg/><m:e>${r('a+b')}</m:e></m:rad>`;
    const sum = `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r('i=1')}</m:sub><m:sup>${r('n')}</m:sup><m:e>${r('i')}</m:e></m:nary>`;
    const brackets = `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${r('x')}</m:e></m:d>`;
    expect(
      await textOf(
        half(r('3'), r('4')),
        half(r('a+b'), half(r('c'), r('d'))),
        power,
        root,
        sum,
        `${r('f')}${brackets}`,
      ),
    ).toBe('3/4\n\n(a+b)/(c/d)\n\n10^3\n\n√(a+b)\n\n∑_(i=1)^n i\n\nf[x]');
  });

  it('reads a document inside the document, and says which it cannot', async () => {
    const limits = { maxTextChars: 1 << 20, maxUnpackedBytes: 1 << 20 };
    const document = await parseBytes(
      'a.docx',
      docx(
        '<w:altChunk r:id="a1"/><w:p><w:r><w:t>After it</w:t></w:r></w:p><w:altChunk r:id="a2"/>',
        { 'word/part1.htm': '<html><body><h1>Cranes</h1><p>Two of three are open.</p></body></html>' },
        { a1: ['aFChunk', 'part1.htm'], a2: ['aFChunk', 'part2.htm'] },
      ),
      limits,
    );
    expect(document.text).toBe('Cranes\n\nTwo of three are open.\n\nAfter it');
    expect(document.warnings).toEqual([{ code: 'PART_UNREAD', message: 'word/part2.htm: it is not in the file' }]);
  });

  it('reads the note of a box in a table', async () => {
    const box = '<w:txbxContent><w:p><w:r><w:t>box</w:t><w:footnoteReference w:id="1"/></w:r></w:p></w:txbxContent>';
    const bytes = docx(
      `<w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t>${box}</w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>7</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`,
      {
        'word/footnotes.xml':
          '<w:footnotes><w:footnote w:id="1"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>',
      },
      { n: ['footnotes', 'footnotes.xml'] },
    );
    expect((await parseDocx(bytes, context('a.docx'))).text).toBe('cell box | 7\n\nA note.');
  });
});

it('a book keeps its notes, mottos and sidebars, which on a page would stand around the content', async () => {
  const flow = Array.from({ length: 30 }, (_, i) => `<p>The river runs past the mill and meadow ${i} to the sea.</p>`);
  const chapter = `<html><head><title>T</title></head><body><section><header><p>A motto.</p></header>${flow.join('')}
    <blockquote><p>Said.</p><footer>By whom</footer></blockquote><aside epub:type="footnote"><p>A note.</p></aside></section></body></html>`;
  const book = makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfile full-path="p.opf"/></container>',
    'p.opf':
      '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.xhtml': chapter,
  });
  const { text } = await parseBytes('a.epub', book, { maxTextChars: 1 << 20, maxUnpackedBytes: 1 << 20 });
  expect(text.split('\n\n').filter((line) => !line.startsWith('The river'))).toEqual([
    'A motto.',
    'Said.',
    'By whom',
    'A note.',
  ]);
});
