import { describe, expect, it } from 'vitest';
import { isoDate } from '../../../src/read/pdf/open.ts';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { LEFT, RIGHT, readPdf } from '../../support/read-pdf.ts';
import { at, column, context, makePdf, outline, textOf } from './formats-make.ts';

describe('reading order', () => {
  it('reads two columns one after the other, between a title and a foot of full width', async () => {
    const document = await readPdf({
      pages: [
        [
          at(72, 740, 'A Log Book Found After Forty Years', { size: 18 }),
          column(72, 700, LEFT),
          column(320, 700, RIGHT),
          at(
            72,
            600,
            'This line below runs over both columns and was set by the printer across the whole width of the page.',
          ),
        ].join('\n'),
      ],
    });
    expect(outline(document)).toEqual([
      'heading1: A Log Book Found After Forty Years',
      `paragraph: ${LEFT.join(' ')}`,
      `paragraph: ${RIGHT.join(' ')}`,
      'paragraph: This line below runs over both columns and was set by the printer across the whole width of the page.',
    ]);
    expect(document.title).toBe('A Log Book Found After Forty Years');
  });

  it('reads a table of contents in two columns one after the other', async () => {
    const contents = (x: number, titles: readonly string[], first: number): string[] =>
      titles.map((title, i) => {
        const dots = i === 0 ? '' : at(x + 110, 700 - 14 * i, '. . . . . . . .');
        return at(x, 700 - 14 * i, title) + dots + at(x + 180, 700 - 14 * i, `${first + i}`);
      });
    const left = ['1 The harbour', '1.1 Sheds', '1.2 Cranes', '1.3 Locks'];
    const right = ['2 The town', '2.1 Streets', '2.2 Wells', '2.3 Gates'];
    const page = [...contents(72, left, 3), ...contents(320, right, 9)].join('\n');
    const lines = (await readPdf({ pages: [page] })).text.split('\n').filter((line) => line !== '');
    expect(lines.map((line) => line.replace(/ (?:…|\|).*/u, ''))).toEqual([...left, ...right]);
  });

  it('reads columns drawn line by line across the page as columns', async () => {
    const across = LEFT.flatMap((line, i) => [at(72, 700 - 12 * i, line), at(320, 700 - 12 * i, RIGHT[i]!)]);
    const document = await readPdf({ pages: [across.join('\n')] });
    expect(document.text).toBe(`${LEFT.join(' ')}\n\n${RIGHT.join(' ')}`);
  });

  it('reads a page turned on its side like an upright one', async () => {
    const turned = LEFT.map((line, i) => `BT /F1 10 Tf 0 1 -1 0 ${100 + 12 * i} 72 Tm (${line}) Tj ET`);
    const document = await readPdf({ pages: [turned.join('\n')], page: '/Rotate 90' });
    expect(document.text).toBe(LEFT.join(' '));
  });

  it('goes on with a sentence on the next page and knows which part stands where', async () => {
    const document = await readPdf({
      pages: [column(72, 110, LEFT.slice(0, 3)), column(72, 740, [LEFT[3]!, ...RIGHT])],
    });
    const paragraph = document.blocks[0]!;
    expect(document.blocks.length).toBe(1);
    expect(textOf(document, paragraph)).toBe([...LEFT, ...RIGHT].join(' '));
    expect(document.locators.map((l) => [l.page, textOf(document, l)])).toEqual([
      [1, `${LEFT.slice(0, 3).join(' ')} `],
      [2, [LEFT[3], ...RIGHT].join(' ')],
    ]);
  });

  it('leaves out running heads after the first page, and page numbers everywhere', async () => {
    const pages = [1, 2, 3, 4].map((n) =>
      [
        at(72, 760, 'Harbour Record'),
        column(72, 600, [`Entry ${'ABCD'[n - 1]} of the log speaks of wind and of weather.`]),
        at(300, 40, String(n)),
      ].join('\n'),
    );
    const document = await readPdf({ pages });
    expect(document.text).toBe(
      [
        'Harbour Record',
        ...['A', 'B', 'C', 'D'].map((letter) => `Entry ${letter} of the log speaks of wind and of weather.`),
      ].join('\n\n'),
    );
  });
});

describe('words and lines', () => {
  it('joins words broken at a line end and keeps the hyphens of compounds the text uses elsewhere', async () => {
    const document = await readPdf({
      pages: [
        column(72, 700, [
          'A component is checked against a pre-defined list of parts, and every compo-',
          'nent that is not on it is sent back. A pre-',
          'defined part needs no check at all.',
        ]),
      ],
    });
    expect(document.text).toBe(
      'A component is checked against a pre-defined list of parts, and every component that is not on it is sent back. A pre-defined part needs no check at all.',
    );
  });

  it('sets no blank before a superscript and keeps it in its line', async () => {
    const document = await readPdf({
      pages: [
        [
          at(72, 700, 'The treaty was signed in secret'),
          at(210.5, 704, '12', { size: 6 }),
          at(220, 700, 'and never published.'),
        ].join('\n'),
      ],
    });
    expect(document.text).toMatch(/^The treaty was signed in secret\^12 and never published\.$/);
  });

  it('a raised number is no part of the number or the word before it', async () => {
    const document = await readPdf({
      pages: [
        [
          at(72.0, 700, 'The tank holds 10'),
          at(151.5, 704, '3', { size: 6 }),
          at(157.6, 700, 'litres on 25 m'),
          at(217.6, 704, '2', { size: 6 }),
          at(221.0, 700, ', since 1990.'),
          at(277.7, 704, '7', { size: 6 }),
          at(283.8, 700, 'Then CO'),
          at(324.3, 697, '2', { size: 6 }),
          at(330.5, 700, 'came.'),
        ].join('\n'),
      ],
    });
    expect(document.text).toBe('The tank holds 10^3 litres on 25 m2, since 1990.^7 Then CO2 came.');
  });

  it('draws bold by printing twice only once', async () => {
    const document = await readPdf({
      pages: [[at(72, 700, 'Twice printed words'), at(72.3, 700, 'Twice printed words')].join('\n')],
    });
    expect(document.text).toBe('Twice printed words');
  });
});

describe('metadata', () => {
  it('takes title, author and dates from the file, unless the title is a file name', async () => {
    const pages = [at(72, 700, 'Some text')];
    const given = await readPdf({
      pages,
      info: "/Title (The Tides) /Author (A. Poole) /CreationDate (D:20200303172156-05'00')",
    });
    expect([given.title, given.metadata.author, given.metadata.created, given.metadata.pages]).toEqual([
      'The Tides',
      'A. Poole',
      '2020-03-03T22:21:56.000Z',
      1,
    ]);
    const bad = await readPdf({ pages, info: '/Title (Microsoft Word - tides_final.doc)' });
    expect(bad.title).toBe('');
  });

  it.each([
    ['D:2020', '2020-01-01T00:00:00.000Z'],
    ["D:20130618194228+02'00'", '2013-06-18T17:42:28.000Z'],
    ['20130116', '2013-01-16T00:00:00.000Z'],
    ['yesterday', undefined],
    ['D:20209999', undefined],
  ])('reads the date %s', (text, expected) => {
    expect(isoDate(text)).toBe(expected);
  });
});

describe('character maps of fonts that carry none', () => {
  it.each([
    ['90ms-RKSJ-H', 'Japan1', '93fa967b8cea', '日本語'],
    ['EUC-H', 'Japan1', 'c6fccbdcb8ec', '日本語'],
    ['UniJIS-UCS2-H', 'Japan1', '65e5672c8a9e', '日本語'],
    ['GBK-EUC-H', 'GB1', 'bcecb2e2', '检测'],
    ['UniGB-UTF16-H', 'GB1', '68c06d4b', '检测'],
    ['ETen-B5-H', 'CNS1', 'c0cbb4fa', '檢測'],
    ['KSCms-UHC-H', 'Korea1', 'b0cbbbf6', '검색'],
    // The numbers of Adobe's own glyphs, in poppler's tables; the last one is not of the charset that is known.
    ['Identity-H', 'Japan1', '0cd40e8a07a003770aed4e20', '日本語の窓\ufffd'],
    ['Identity-V', 'Japan1', '1edb0afe1edc1ef3036f', '（像）って'],
    ['Identity-H', 'Japan1', '0098009b002300d6', '©°Bö'],
    ['Identity-H', 'GB1', '0cd808980f9905a504aa0d941e0f', '三角形的层数鼢'],
    ['Identity-H', 'CNS1', '143f1717029502d61662', '繁體中文麵'],
    ['Identity-H', 'Korea1', '0ce004b409af000104d6', '한국어 글'],
  ])('%s', async (encoding, ordering, hex, expected) => {
    const document = await readPdf({
      pages: [`BT /F3 20 Tf 72 700 Td <${hex}> Tj ET`],
      fonts: '/F3 100 0 R',
      objects: {
        100: `<< /Type /Font /Subtype /Type0 /BaseFont /Ming /Encoding /${encoding} /DescendantFonts [101 0 R] >>`,
        101: `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ming /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor 102 0 R /DW 1000 >>`,
        102: '<< /Type /FontDescriptor /FontName /Ming /Flags 4 /Ascent 880 /Descent -120 /FontBBox [0 -120 1000 880] >>',
      },
    });
    expect(document.text).toBe(expected);
  });
});

describe('what cannot be read', () => {
  const refusal = (bytes: Uint8Array): Promise<unknown> =>
    parsePdf(bytes, context('file.pdf')).then(
      () => 'read',
      (error: unknown) => error,
    );

  it('says that a PDF without text needs OCR', async () => {
    expect(await refusal(makePdf({ pages: ['0 0 100 100 re f', ''] }))).toMatchObject({
      code: 'FILE_SCANNED',
      message: 'the PDF has 2 pages and no text',
      hint: expect.stringContaining('tesseract'),
    });
  });

  it('names the pages without text in a PDF that has some', async () => {
    const document = await readPdf({ pages: ['', at(72, 700, 'Only this page has text.'), ''] });
    expect(document.warnings).toEqual([
      { code: 'PDF_PAGES_WITHOUT_TEXT', message: expect.stringContaining('pages 1, 3') },
    ]);
    expect(document.locators).toEqual([{ start: 0, end: document.text.length, page: 2 }]);
  });

  it('refuses what is empty or no PDF', async () => {
    expect(await refusal(new Uint8Array())).toMatchObject({ code: 'FILE_EMPTY' });
    expect(await refusal(new TextEncoder().encode('<html>not found</html>'))).toMatchObject({ code: 'FILE_DAMAGED' });
  });

  it('reads past junk before and after, and says when the file had to be repaired', async () => {
    const good = makePdf({ pages: [at(72, 700, 'Still here')] });
    const junk = Buffer.concat([
      Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n'),
      good,
      Buffer.alloc(3000),
    ]);
    expect((await parsePdf(junk, context('a.pdf'))).text).toBe('Still here');
    const astray = Buffer.from(
      Buffer.from(good)
        .toString('latin1')
        .replace(/startxref\n\d+/, 'startxref\n7'),
      'latin1',
    );
    const repaired = await parsePdf(astray, context('a.pdf'));
    expect(repaired.text).toBe('Still here');
    expect(repaired.warnings.map((w) => w.code)).toEqual(['PDF_DAMAGED']);
    expect((await parsePdf(good, context('a.pdf'))).warnings).toEqual([]);
  });

  it('stops at the longest text allowed', async () => {
    await expect(readPdf({ pages: [column(72, 700, LEFT)] }, { maxTextChars: 50 })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
  });

  it('leaves the caller’s bytes alone', async () => {
    const bytes = makePdf({ pages: [at(72, 700, 'Read me twice')] });
    const copy = bytes.slice();
    await parsePdf(bytes, context('a.pdf'));
    expect(bytes.length).toBe(copy.length);
    expect(Buffer.compare(bytes, copy)).toBe(0);
  });
});
