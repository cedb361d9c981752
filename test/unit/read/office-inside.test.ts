/** What stands inside a part of an office file: files, fields in fields, formulas; and what the file names and lacks. */
import { describe, expect, it, test } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import type { ParseContext, ParsedDocument } from '../../../src/read/contract.ts';
import { parseDocx } from '../../../src/read/office/docx.ts';
import { parsePptx } from '../../../src/read/office/pptx.ts';
import { parseXlsx } from '../../../src/read/office/xlsx.ts';
import { context, makeZip, offsetFaults, outline, relationships } from './formats-make.ts';

type Related = Record<string, [string, string]>;

/** Reads what stands inside as a sheet, and anything else not at all. */
const around: Partial<ParseContext> = {
  parseInner: (name, bytes) =>
    name.endsWith('.xlsx')
      ? parseXlsx(bytes, context(name))
      : Promise.reject(new IbidError('FILE_UNSUPPORTED', 'binary data')),
};

async function docx(body: string, related: Related = {}, parts: Record<string, string | Uint8Array> = {}) {
  const document = await parseDocx(
    makeZip({
      '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
      'word/document.xml': `<w:document xmlns:w="w" xmlns:m="m"><w:body>${body}</w:body></w:document>`,
      'word/_rels/document.xml.rels': relationships(related),
      ...parts,
    }),
    context('a.docx', around),
  );
  expect(offsetFaults(document)).toEqual([]);
  return document;
}

const paragraph = (...inner: string[]): string => `<w:p>${inner.join('')}</w:p>`;
const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
const codes = ({ warnings }: ParsedDocument): string[] => warnings.map(({ code, message }) => `${code}: ${message}`);

const workbook = (sheets: string, related: Related, parts: Record<string, string>): Uint8Array =>
  makeZip({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(related),
    ...parts,
  });
const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const loads = workbook(
  '<sheet name="Loads" r:id="a"/>',
  { a: ['worksheet', 'worksheets/sheet1.xml'] },
  {
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row>${cell('Crane')}${cell('9 t')}</row></sheetData></worksheet>`,
  },
);

describe('files inside', () => {
  it('a workbook in a Word document is read after its text, and what cannot be read is named', async () => {
    const document = await docx(
      paragraph(run('See below.')),
      { a: ['package', 'embeddings/b.xlsx'], b: ['oleObject', 'embeddings/c.bin'] },
      { 'word/embeddings/b.xlsx': loads, 'word/embeddings/c.bin': 'x' },
    );
    expect(outline(document)).toEqual(['paragraph: See below.', 'table: Crane | 9 t']);
    expect(codes(document)).toEqual(['PART_UNREAD: word/embeddings/c.bin: binary data']);
    expect(document.locators.at(-1)).toMatchObject({ part: 'b.xlsx', sheet: 'Loads', rows: [1, 1] });
  });

  it('a workbook on a slide is read after the slide', async () => {
    const slide = (text: string): string =>
      `<p:sld xmlns:p="p" xmlns:a="a"><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:sld>`;
    const document = await parsePptx(
      makeZip({
        '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
        'ppt/presentation.xml':
          '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldId id="1" r:id="a"/><p:sldId id="2" r:id="gone"/><p:sldId id="3" r:id="b"/></p:presentation>',
        'ppt/_rels/presentation.xml.rels': relationships({
          a: ['slide', 'slides/slide1.xml'],
          b: ['slide', 'slides/slide2.xml'],
        }),
        'ppt/slides/slide1.xml': slide('One'),
        'ppt/slides/slide2.xml': slide('Three'),
        'ppt/slides/_rels/slide1.xml.rels': relationships({ a: ['package', '../embeddings/b.xlsx'] }),
        'ppt/embeddings/b.xlsx': loads,
      }),
      context('a.pptx', around),
    );
    expect(outline(document)).toEqual(['paragraph: One', 'table: Crane | 9 t', 'paragraph: Three']);
    // The second slide has no address; the third keeps its number.
    expect(codes(document)).toEqual(['SLIDE_MISSING: slide 2 is not in the file']);
    expect(document.locators.at(-1)).toMatchObject({ page: 3 });
    expect(document.locators.find(({ sheet }) => sheet !== undefined)).toMatchObject({ part: 'slide 1 › b.xlsx' });
  });
});

describe('what a file names and lacks', () => {
  test('a sheet without an address', async () => {
    const bytes = workbook(
      '<sheet name="Here" r:id="a"/><sheet name="Away" r:id="gone"/>',
      { a: ['worksheet', 'worksheets/sheet1.xml'] },
      { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>' },
    );
    expect(codes(await parseXlsx(bytes, context('a.xlsx')))).toEqual([
      'SHEET_MISSING: sheet "Away" is not in the file',
    ]);
  });

  test('a note, but not one that is named twice', async () => {
    const reference = (kind: string, id: number): string => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
    const document = await docx(
      paragraph(run('Text'), reference('footnote', 1), reference('footnote', 1), reference('comment', 7)),
      { n: ['footnotes', 'footnotes.xml'] },
      {
        'word/footnotes.xml': `<w:footnotes xmlns:w="w"><w:footnote w:id="1">${paragraph(run('Wet.'))}</w:footnote></w:footnotes>`,
      },
    );
    expect(outline(document)).toEqual(['paragraph: Text', 'paragraph: Wet.']);
    expect(codes(document)).toEqual(['NOTE_MISSING: not in the file: comment 7']);
  });
});

describe('fields of Word', () => {
  const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const instruction = (text: string): string => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
  const field = (inside: string, shown: string): string =>
    `${mark('begin')}${inside}${mark('separate')}${shown}${mark('end')}`;

  test('the result of a field in the instruction of another one is not shown', async () => {
    const inner = field(instruction('MERGEFIELD town'), run('York'));
    const outer = field(`${instruction('IF ')}${inner}${instruction(' = "York" "by rail"')}`, run('by rail'));
    const both = field(instruction('REF a'), `${run('part ')}${field(instruction('PAGE'), run('4'))}`);
    expect(outline(await docx(paragraph(run('Sent '), outer, run(', see '), both)))).toEqual([
      'paragraph: Sent by rail, see part 4',
    ]);
  });

  test('a field without an end hides nothing after its paragraph', async () => {
    const inner = field(instruction('REF a'), run('Kept.'));
    const body = paragraph(mark('begin'), instruction('IF ')) + paragraph(inner) + paragraph(run('End.'));
    expect(outline(await docx(body))).toEqual(['paragraph: Kept.', 'paragraph: End.']);
  });
});

const r = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
const e = (...inner: string[]): string => `<m:e>${inner.join('')}</m:e>`;

test.each([
  ['(p|q)', `<m:d>${e(r('p'))}${e(r('q'))}</m:d>`],
  [
    '{p,q}',
    `<m:d><m:dPr><m:begChr m:val="{"/><m:sepChr m:val=","/><m:endChr m:val="}"/></m:dPr>${e(r('p'))}${e(r('q'))}</m:d>`,
  ],
  [
    '(a, b; c, 1/2)',
    `<m:d>${e(`<m:m><m:mr>${e(r('a'))}${e(r('b'))}</m:mr><m:mr>${e(r('c'))}${e(`<m:f><m:num>${r('1')}</m:num><m:den>${r('2')}</m:den></m:f>`)}</m:mr></m:m>`)}</m:d>`,
  ],
  ['x=1; y=2', `<m:eqArr>${e(r('x=1'))}${e(r('y=2'))}</m:eqArr>`],
  ['sin x', `<m:func><m:fName>${r('sin')}</m:fName>${e(r('x'))}</m:func>`],
  [
    'lim_n y',
    `<m:func><m:fName><m:limLow>${e(r('lim'))}<m:lim>${r('n')}</m:lim></m:limLow></m:fName>${e(r('y'))}</m:func>`,
  ],
  ['x^k', `<m:limUpp>${e(r('x'))}<m:lim>${r('k')}</m:lim></m:limUpp>`],
])('a formula is %s', async (shown, formula) => {
  expect(outline(await docx(paragraph(run('Then '), `<m:oMath>${formula}</m:oMath>`, run('.'))))).toEqual([
    `paragraph: Then ${shown}.`,
  ]);
});
