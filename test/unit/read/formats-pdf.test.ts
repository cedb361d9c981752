import { describe, expect, it } from 'vitest';
import { isoDate } from '../../../src/read/pdf/open.ts';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, column, context, headerOf, makePdf, offsetFaults, outline, textOf } from './formats-make.ts';

const LEFT = [
  'The keeper of the lighthouse wrote down every',
  'ship that passed the rocks before the storm and',
  'the time at which its lamp was seen from the',
  'gallery above the lantern room of the tower.',
];
const RIGHT = [
  'Years later the books were found in a chest that',
  'nobody had opened since the station was closed',
  'and the names of forty ships thought lost were',
  'read aloud in the harbour town on a Sunday.',
];

async function read(parts: Parameters<typeof makePdf>[0], limits = {}): ReturnType<typeof parsePdf> {
  const document = await parsePdf(makePdf(parts), context('file.pdf', limits));
  expect(offsetFaults(document)).toEqual([]);
  return document;
}

describe('reading order', () => {
  it('reads two columns one after the other, between a title and a foot of full width', async () => {
    const document = await read({
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

  it('reads columns drawn line by line across the page as columns', async () => {
    const across = LEFT.flatMap((line, i) => [at(72, 700 - 12 * i, line), at(320, 700 - 12 * i, RIGHT[i]!)]);
    const document = await read({ pages: [across.join('\n')] });
    expect(document.text).toBe(`${LEFT.join(' ')}\n\n${RIGHT.join(' ')}`);
  });

  it('reads a page turned on its side like an upright one', async () => {
    const turned = LEFT.map((line, i) => `BT /F1 10 Tf 0 1 -1 0 ${100 + 12 * i} 72 Tm (${line}) Tj ET`);
    const document = await read({ pages: [turned.join('\n')], page: '/Rotate 90' });
    expect(document.text).toBe(LEFT.join(' '));
  });

  it('goes on with a sentence on the next page and knows which part stands where', async () => {
    const document = await read({ pages: [column(72, 110, LEFT.slice(0, 3)), column(72, 740, [LEFT[3]!, ...RIGHT])] });
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
    const document = await read({ pages });
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
    const document = await read({
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
    const document = await read({
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
    const document = await read({
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
    const document = await read({
      pages: [[at(72, 700, 'Twice printed words'), at(72.3, 700, 'Twice printed words')].join('\n')],
    });
    expect(document.text).toBe('Twice printed words');
  });
});

describe('structure', () => {
  const FEES = [
    at(72, 700, 'Table 1: Fees billed by the auditors'),
    at(300, 684, 'Fiscal 2019'), at(400, 684, 'Fiscal 2018'),
    at(72, 670, 'Audit fees'), at(300, 670, '$'), at(330, 670, '3,631,575'), at(400, 670, '$3,784,488'),
    at(72, 656, 'Tax fees'), at(330, 656, '169,776'), at(400, 656, '61,592'),
    at(72, 642, 'Fees that were neither'), at(72, 630, 'audit nor tax fees'), at(330, 630, '4,500'), at(400, 630, '3,600'),
  ].join('\n'); // biome-ignore format: one row of the table a line

  it('reads a table row by row, with its caption and header', async () => {
    const document = await read({ pages: [FEES] });
    expect(document.blocks.map((block) => block.kind)).toEqual(['table']);
    expect(document.text.split('\n')).toEqual([
      'Table 1: Fees billed by the auditors',
      'Fiscal 2019 | Fiscal 2018',
      'Audit fees | $3,631,575 | $3,784,488',
      'Tax fees | 169,776 | 61,592',
      'Fees that were neither audit nor tax fees | 4,500 | 3,600',
    ]);
    expect(headerOf(document, document.blocks[0])).toBe(
      'Table 1: Fees billed by the auditors\nFiscal 2019 | Fiscal 2018',
    );
  });

  it('repeats a name that stands once for the rows of several years', async () => {
    const row = (y: number, ...cells: string[]): string =>
      cells.map((cell, i) => (cell === '' ? '' : at(72 + 110 * i, y, cell))).join('\n');
    const document = await read({
      pages: [
        [
          row(700, 'Name', 'Year', 'Value'),
          row(684, 'Ada Poole', '2019', '4,067'),
          row(668, '', '2018', '2,457'),
          row(652, 'Tom Reed', '2019', '591'),
        ].join('\n'),
      ],
    });
    expect(document.text.split('\n')).toEqual([
      'Name | Year | Value',
      'Ada Poole | 2019 | 4,067',
      'Ada Poole | 2018 | 2,457',
      'Tom Reed | 2019 | 591',
    ]);
  });

  it('stacks the lines of a header by column', async () => {
    const document = await read({
      pages: [
        [
          at(200, 700, 'Fees Earned'), at(300, 700, 'Stock'),
          at(72, 688, 'Name'), at(200, 688, 'in Cash ($)'), at(300, 688, 'Awards ($)'),
          at(72, 670, 'Ada Poole'), at(200, 670, '102,500'), at(300, 670, '178,317'),
          at(72, 654, 'Tom Reed'), at(200, 654, '97,500'), at(300, 654, '178,317'),
        ].join('\n'), // biome-ignore format: one row of the table a line
      ],
    });
    expect(document.text.split('\n')).toEqual([
      'Name | Fees Earned in Cash ($) | Stock Awards ($)',
      'Ada Poole | 102,500 | 178,317',
      'Tom Reed | 97,500 | 178,317',
    ]);
    expect(headerOf(document, document.blocks[0])).toBe('Name | Fees Earned in Cash ($) | Stock Awards ($)');
  });

  it('goes on with a table on the next page under its first header', async () => {
    const row = (y: number, ...cells: string[]): string => cells.map((cell, i) => at(72 + 150 * i, y, cell)).join('\n');
    const ports = ['Kiel', 'Husum', 'Emden', 'Cuxhaven', 'Wismar', 'Rostock', 'Bremen', 'Lübeck'.replace('ü', 'u')];
    const half = (from: number, top: number): string =>
      ports
        .slice(from, from + 4)
        .map((port, i) => row(top - 14 * i, port, String(100 + from + i), String(200 + from + i)))
        .join('\n');
    const document = await read({
      pages: [
        `${row(120, 'Port', 'Ships', 'Boats')}\n${half(0, 106)}`,
        `${row(740, 'Port', 'Ships', 'Boats')}\n${half(4, 726)}`,
      ],
    });
    expect(document.blocks.length).toBe(1);
    expect(document.text.split('\n')).toEqual([
      'Port | Ships | Boats',
      ...ports.map((port, i) => `${port} | ${100 + i} | ${200 + i}`),
    ]);
    expect(document.locators.map((l) => [l.page, textOf(document, l).trim().split('\n').length])).toEqual([
      [1, 5],
      [2, 4],
    ]);
  });

  it('keeps the lines and indents of code', async () => {
    const document = await read({
      pages: [
        [
          column(72, 740, LEFT),
          at(72, 680, 'if \\(dark\\) {'.replaceAll('\\', ''), { font: 'F3' }),
          at(84, 668, 'lamp.light()', { font: 'F3' }),
          at(72, 656, '}', { font: 'F3' }),
          column(72, 630, RIGHT),
        ].join('\n'),
      ],
      fonts: '/F3 100 0 R',
      objects: { 100: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>' },
    });
    expect(outline(document)[1]).toBe('code: if (dark) {\n  lamp.light()\n}');
  });

  it('takes large and bold lines for headings, with levels by size and number', async () => {
    const document = await read({
      pages: [
        [
          at(72, 740, 'The Tides', { size: 20 }),
          at(72, 700, '1 Spring', { size: 12, font: 'F2' }),
          column(72, 680, LEFT),
          at(72, 600, '1.1 Neap', { font: 'F2' }),
          column(72, 580, RIGHT),
        ].join('\n'),
      ],
    });
    expect(document.blocks.map((b) => [b.kind, b.level])).toEqual([
      ['heading', 1],
      ['heading', 2],
      ['paragraph', undefined],
      ['heading', 3],
      ['paragraph', undefined],
    ]);
  });

  it('parts a bold heading of two lines from the text straight below', async () => {
    const heading = [
      at(72, 740, 'Module Two: Planning and Step One of', { font: 'F2' }),
      at(72, 728, 'Concepts', { font: 'F2' }),
    ];
    const document = await read({ pages: [[...heading, column(72, 716, [...LEFT, ...RIGHT])].join('\n')] });
    expect(outline(document).slice(0, 1)).toEqual(['heading1: Module Two: Planning and Step One of Concepts']);
    expect(document.blocks).toHaveLength(2);
  });

  it('takes levels from the outline, even for lines that look like text', async () => {
    const document = await read({
      pages: [
        [at(72, 740, 'Of ships'), column(72, 700, LEFT), at(72, 620, 'Of lamps'), column(72, 580, RIGHT)].join('\n'),
      ],
      catalog: '/Outlines 100 0 R',
      objects: {
        100: '<< /Type /Outlines /First 101 0 R /Last 101 0 R /Count 2 >>',
        101: '<< /Title (Of ships) /Parent 100 0 R /First 102 0 R /Last 102 0 R /Count 1 /Dest [10 0 R /Fit] >>',
        102: '<< /Title (Of lamps) /Parent 101 0 R /Dest [10 0 R /Fit] >>',
      },
    });
    expect(outline(document).filter((line) => line.startsWith('heading'))).toEqual([
      'heading1: Of ships',
      'heading2: Of lamps',
    ]);
  });

  it('keeps the items of a list apart', async () => {
    const document = await read({
      pages: [
        column(72, 700, [
          '\x95 oil for the lamp, enough to last',
          'from one new moon to the next',
          '\x95 wicks',
          '\x95 a spare glass',
        ]),
      ],
    });
    expect(outline(document)).toEqual([
      'list: • oil for the lamp, enough to last from one new moon to the next',
      'list: • wicks',
      'list: • a spare glass',
    ]);
  });
});

describe('metadata', () => {
  it('takes title, author and dates from the file, unless the title is a file name', async () => {
    const pages = [at(72, 700, 'Some text')];
    const given = await read({
      pages,
      info: "/Title (The Tides) /Author (A. Poole) /CreationDate (D:20200303172156-05'00')",
    });
    expect([given.title, given.metadata.author, given.metadata.created, given.metadata.pages]).toEqual([
      'The Tides',
      'A. Poole',
      '2020-03-03T22:21:56.000Z',
      1,
    ]);
    const bad = await read({ pages, info: '/Title (Microsoft Word - tides_final.doc)' });
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
  ])('%s', async (encoding, ordering, hex, expected) => {
    const document = await read({
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
    const document = await read({ pages: ['', at(72, 700, 'Only this page has text.'), ''] });
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
    await expect(read({ pages: [column(72, 700, LEFT)] }, { maxTextChars: 50 })).rejects.toMatchObject({
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
