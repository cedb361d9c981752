import { describe, expect, it } from 'vitest';
import { LEFT, RIGHT, readPdf } from '../../support/read-pdf.ts';
import { at, column, headerOf, outline, textOf } from './formats-make.ts';

describe('structure', () => {
  const FEES = [
    at(72, 700, 'Table 1: Fees billed by the auditors'),
    at(300, 684, 'Fiscal 2019'), at(400, 684, 'Fiscal 2018'),
    at(72, 670, 'Audit fees'), at(300, 670, '$'), at(330, 670, '3,631,575'), at(400, 670, '$3,784,488'),
    at(72, 656, 'Tax fees'), at(330, 656, '169,776'), at(400, 656, '61,592'),
    at(72, 642, 'Fees that were neither'), at(72, 630, 'audit nor tax fees'), at(330, 630, '4,500'), at(400, 630, '3,600'),
  ].join('\n'); // biome-ignore format: one row of the table a line

  it('reads a table row by row, with its caption and header', async () => {
    const document = await readPdf({ pages: [FEES] });
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
    const document = await readPdf({
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
    const document = await readPdf({
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
    const document = await readPdf({
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
    const document = await readPdf({
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
    const document = await readPdf({
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
    const document = await readPdf({ pages: [[...heading, column(72, 716, [...LEFT, ...RIGHT])].join('\n')] });
    expect(outline(document).slice(0, 1)).toEqual(['heading1: Module Two: Planning and Step One of Concepts']);
    expect(document.blocks).toHaveLength(2);
  });

  it('takes levels from the outline, even for lines that look like text', async () => {
    const document = await readPdf({
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
    const document = await readPdf({
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
