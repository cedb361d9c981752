import { describe, expect, test } from 'vitest';
import { parseBytes } from '../../../src/read/parse.ts';
import { makeZip, relationships } from './formats-make.ts';
import { parse } from './helpers.ts';

const names = ['office', 'table', 'text', 'draw', 'style', 'svg', 'xlink', 'dc', 'calcext', 'presentation', 'chart']
  .map((prefix) => `xmlns:${prefix}="${prefix}"`)
  .join(' ');
const MEDIA = 'application/vnd.oasis.opendocument.spreadsheet';

function ods(tables: string, parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const styles =
    '<office:automatic-styles><style:style style:name="up"><style:text-properties style:text-position="super 58%"/></style:style></office:automatic-styles>';
  return makeZip({
    mimetype: MEDIA,
    'content.xml': `<office:document-content ${names}>${styles}<office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
    ...parts,
  });
}

const table = (name: string, ...rows: readonly string[]): string =>
  `<table:table table:name="${name}"><table:table-column table:number-columns-repeated="16384"/>${rows.join('')}</table:table>`;
const row = (...cells: readonly string[]): string => `<table:table-row>${cells.join('')}</table:table-row>`;
const cell = (text: string, said = ''): string =>
  `<table:table-cell office:value-type="string" ${said}><text:p>${text}</text:p></table:table-cell>`;
const repeated = (rows: number, ...cells: readonly string[]): string =>
  `<table:table-row table:number-rows-repeated="${rows}">${cells.join('')}</table:table-row>`;
const empty = '<table:table-cell table:number-columns-repeated="16384"/>';

describe('the value of a cell', () => {
  // What LibreOffice 7.4 writes for a value in a format, and what the reader of .xlsx says of the same cell.
  test.each([
    ['date', 'date-value="2023-12-31"', '31.12.2023', '2023-12-31'],
    ['date', 'date-value="2023-12-31T14:30:00"', 'December 31, 2023 14:30', '2023-12-31 14:30'],
    ['date', 'date-value="2023-12-31T14:30:00"', '31.12.2023', '2023-12-31'],
    ['date', 'date-value="2023-12-31T00:00:00"', '', '2023-12-31'],
    ['time', 'time-value="PT09H30M00S"', '09:30', '09:30'],
    ['time', 'time-value="PT30H15M20S"', '30:15:20', '30:15:20'],
    ['time', 'time-value="PT33H30M00S"', '09:30', '09:30'],
    ['currency', 'currency="USD" office:value="1234.5"', '$1,234.50', '$1234.5'],
    ['currency', 'currency="USD" office:value="-1234.567"', '-$1,234.57', '-$1234.567'],
    ['currency', 'currency="USD" office:value="-5"', '($5.00)', '-$5'],
    ['currency', 'currency="EUR" office:value="1234.5"', '1.234,50 €', '1234.5 €'],
    ['currency', 'currency="EUR" office:value="99.95"', '', '99.95 EUR'],
    ['percentage', 'value="0.125"', '12.5%', '12.5%'],
    ['percentage', 'value="0.07"', '7%', '7%'],
    ['float', 'value="1234567"', '1,234,567', '1234567'],
    ['float', 'value="0.1"', '0.10', '0.1'],
    ['float', 'value="0.30000000000000004"', '0.3', '0.3'],
    ['float', 'value="12.34"', '12.3 kg', '12.34 kg'],
    ['float', 'value="5"', '5 m2', '5 m2'],
    ['float', 'value="42"', '00042', '00042'],
    ['float', 'value="12345"', '12-345', '12-345'],
    ['float', 'value="1234567"', '1234.6k', '1234567'],
    ['float', 'value="123456"', '1.23E+05', '123456'],
    ['float', 'value="1.5"', '1 1/2', '1.5'],
    ['float', 'value="1"', 'yes', 'yes'],
    ['float', 'value="1e300"', '1E+300', '1e+300'],
    ['boolean', 'boolean-value="true"', 'TRUE', 'TRUE'],
    ['boolean', 'boolean-value="false"', 'FALSCH', 'FALSE'],
    ['string', 'string-value="" calcext:value-type="error"', '#DIV/0!', '#DIV/0!'],
    ['string', 'string-value="written without paragraphs"', '', 'written without paragraphs'],
    ['date', 'date-value="soon"', 'soon', 'soon'],
  ])('%s %s shown as "%s"', async (type, said, shown, expected) => {
    const paragraph = shown === '' ? '' : `<text:p>${shown}</text:p>`;
    const value = `<table:table-cell office:value-type="${type}" office:${said}>${paragraph}</table:table-cell>`;
    expect((await parse('a.ods', ods(table('S', row(cell('x'), value))))).text).toBe(`x | ${expected}`);
  });

  test('of several paragraphs, links, raised numbers and a phonetic guide', async () => {
    const said =
      '<table:table-cell office:value-type="string"><text:p>one<text:s text:c="3"/>two</text:p><text:p><text:a xlink:href="https://x.example">three</text:a> 10<text:span text:style-name="up">3</text:span></text:p><text:p><text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby></text:p></table:table-cell>';
    expect((await parse('a.ods', ods(table('S', row(said))))).text).toBe('one two three 10^3 漢');
  });
});

/** A workbook of LibreOffice: rows that repeat to the end of the sheet, a merged cell, forms, settings. */
const written = `<table:calculation-settings/>${table(
  'Ports & quays',
  row(cell('Port'), cell('Year'), cell('Ships'), '<table:table-cell table:number-columns-repeated="16381"/>'),
  row(cell('Hull', 'table:number-rows-spanned="2"'), cell('2022'), cell('7')),
  row('<table:covered-table-cell/>', cell('2023'), cell('9')),
  repeated(3, empty),
  `<table:table-row-group><table:table-row table:visibility="collapse">${cell('Total')}${cell('all')}${cell('16')}</table:table-row></table:table-row-group>`,
  repeated(2, cell('same', 'table:number-columns-repeated="3"')),
  repeated(1_048_567, empty),
)}<table:table table:name="Hidden" table:style-name="ta2">${row(cell('Key'), cell('Value'))}${row(cell('a'), cell('b'))}</table:table>`;

test('the text, the blocks and the places are those of the same workbook of Excel', async () => {
  const x = (place: string, text: string): string => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const lines = [
    `<row r="1">${x('A1', 'Port')}${x('B1', 'Year')}${x('C1', 'Ships')}</row>`,
    `<row r="2">${x('A2', 'Hull')}${x('B2', '2022')}${x('C2', '7')}</row><row r="3">${x('B3', '2023')}${x('C3', '9')}</row>`,
    `<row r="7" hidden="1">${x('A7', 'Total')}${x('B7', 'all')}${x('C7', '16')}</row>`,
    ...[8, 9].map((n) => `<row r="${n}">${['A', 'B', 'C'].map((at) => x(`${at}${n}`, 'same')).join('')}</row>`),
  ];
  const excel = await parse(
    'a.xlsx',
    makeZip({
      'xl/workbook.xml':
        '<workbook xmlns:r="r"><sheets><sheet name="Ports &amp; quays" r:id="s1"/><sheet name="Hidden" state="hidden" r:id="s2"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relationships({ s1: ['worksheet', 's1.xml'], s2: ['worksheet', 's2.xml'] }),
      'xl/s1.xml': `<worksheet><sheetData>${lines.join('')}</sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells></worksheet>`,
      'xl/s2.xml': `<worksheet><sheetData><row r="1">${x('A1', 'Key')}${x('B1', 'Value')}</row><row r="2">${x('A2', 'a')}${x('B2', 'b')}</row></sheetData></worksheet>`,
    }),
  );
  const ours = await parse('a.ods', ods(written.replace('&', '&amp;')));
  expect(ours).toEqual({ ...excel, format: 'ods' });
  expect(ours.locators.at(-1)).toMatchObject({ sheet: 'Hidden', rows: [2, 2] });
});

test('after the rows come boxes, titles of charts and comments; running lines are said once', async () => {
  const comment =
    '<office:annotation><dc:creator>Ann</dc:creator><dc:date>2024-01-02</dc:date><text:p>Checked</text:p><text:p>twice</text:p></office:annotation>';
  const box = '<draw:frame draw:name="Box"><draw:text-box><text:p>A box</text:p></draw:text-box></draw:frame>';
  const chart = '<draw:frame><draw:object xlink:href="./Object 1"/><draw:image/></draw:frame>';
  const star = '<draw:custom-shape><svg:desc>A star</svg:desc><text:p>In it</text:p></draw:custom-shape>';
  const picture = '<draw:frame draw:name="Picture 1"><draw:image/><svg:desc>Picture 1</svg:desc></draw:frame>';
  const sheet = `<table:table table:name="S"><table:shapes>${box}${chart}${picture}</table:shapes>${row(cell('a'), cell('b'))}${row(
    empty.replace('16384', '27'),
    `<table:table-cell office:value-type="string">${comment}<text:p>c</text:p>${star}</table:table-cell>`,
  )}</table:table>`;
  const copy = `<table:table table:name="'file:///b.ods'#S"><table:table-source xlink:href="b.ods"/>${row(cell('of another file'))}</table:table>`;
  const { text, metadata, locators } = await parse(
    'a.ods',
    ods(
      `<table:tracked-changes><table:table-cell><text:p>deleted</text:p></table:table-cell></table:tracked-changes>${sheet}${copy}`,
      {
        'Object 1/content.xml': `<office:document-content ${names}><office:body><chart:title><text:p>Ships a year</text:p></chart:title><table:table table:name="local-table">${row(cell('77'))}</table:table></office:body></office:document-content>`,
        'styles.xml': `<office:document-styles ${names}><style:header><text:p>Port of Hull</text:p></style:header><style:header-left style:display="false"><text:p>Not shown</text:p></style:header-left><style:footer><text:p>Page <text:page-number>1</text:page-number> of <text:page-count>9</text:page-count></text:p><text:p><text:sheet-name>Sheet</text:sheet-name></text:p></style:footer></office:document-styles>`,
        'meta.xml': `<office:document-meta ${names} xmlns:meta="m"><office:meta><dc:title>Ports</dc:title><meta:initial-creator>Ann</meta:initial-creator><meta:creation-date>2024-05-06T07:08:09Z</meta:creation-date><dc:date>2024-06-07T08:09:10Z</dc:date></office:meta></office:document-meta>`,
      },
    ),
  );
  expect(text).toBe('a | b\n|  | c\n\nA box\n\nShips a year\n\nIn it\n\nA star\n\nAB2: Checked\ntwice\n\nPort of Hull');
  expect(locators.at(-1)).toMatchObject({ sheet: 'S', end: text.length });
  expect(metadata).toEqual({
    author: 'Ann',
    created: '2024-05-06T07:08:09.000Z',
    modified: '2024-06-07T08:09:10.000Z',
    sheets: 1,
  });
});

test('a formula without a value is warned about, one whose value is empty is not', async () => {
  const missing = '<table:table-cell table:formula="of:=A1"/>';
  const none = '<table:table-cell table:formula="of:=A1" office:value-type="string" office:string-value=""/>';
  const { warnings } = await parse('a.ods', ods(table('S', row(cell('a'), missing, none, missing))));
  expect(warnings).toEqual([
    {
      code: 'FORMULA_VALUES_MISSING',
      message: '2 formulas have no value in the file: open it in LibreOffice and save it again',
    },
  ]);
});

describe('a small file that stands for a large one', () => {
  test('cells and rows that repeat a million times are written a thousand times', async () => {
    const wide = cell('x', 'table:number-columns-repeated="1000000"');
    const { text, locators } = await parse('a.ods', ods(table('S', repeated(1_000_000, wide), row(cell('end')))));
    const lines = text.split('\n');
    expect(lines[0]).toBe(Array(1000).fill('x').join(' | '));
    expect(lines.filter((line) => line.startsWith('x'))).toHaveLength(1000);
    expect(locators.at(-1)).toMatchObject({ rows: [1_000_001, 1_000_001] });
  });

  test('rows beyond the last of a sheet are left out', async () => {
    const { text } = await parse(
      'a.ods',
      ods(table('S', row(cell('first')), repeated(1_048_574, empty), repeated(9, cell('last')), row(cell('beyond')))),
    );
    expect(text).toBe('first\n\nlast');
  });

  test('more than is allowed is refused, of all sheets together', async () => {
    const limits = { maxTextChars: 100_000, maxUnpackedBytes: 1e8 };
    const sheets = (count: number): Uint8Array =>
      ods(Array.from({ length: count }, (_, i) => table(`S${i}`, repeated(1000, cell('x')))).join(''));
    expect((await parseBytes('a.ods', sheets(2), limits)).text).toHaveLength('S0\n\n\n\nS1\n\n'.length + 2 * 1999);
    await expect(parseBytes('a.ods', sheets(4), limits)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  });
});

describe('a file that cannot be read', () => {
  test('content that is cut short gives what is there, with a warning', async () => {
    const content = `<d ${names}><office:body>${table('S', row(cell('kept')))}${table('T', row(cell('cut'))).slice(0, -20)}`;
    const { text, warnings } = await parse('a.ods', makeZip({ mimetype: MEDIA, 'content.xml': content }));
    expect(text).toBe('S\n\nkept\n\nT\n\ncut');
    expect(warnings[0]).toMatchObject({ code: 'XML_BROKEN' });
  });

  test.each([
    ['encrypted', ods('', { 'META-INF/manifest.xml': '<m><encryption-data/></m>' }), 'FILE_ENCRYPTED'],
    ['without content', makeZip({ mimetype: MEDIA }), 'FILE_DAMAGED'],
    ['without values', ods(table('S', row(empty))), 'FILE_EMPTY'],
    ['half a package', ods(written.replace('&', '')).slice(0, 400), 'FILE_DAMAGED'],
    ['no package', 'Dear reader,\n', 'FILE_UNSUPPORTED'],
  ])('%s', async (_, content, code) => {
    await expect(parse('a.ods', content)).rejects.toMatchObject({ code });
  });
});

describe('what a file is', () => {
  const flat = `<?xml version="1.0"?><office:document ${names} office:mimetype="${MEDIA}"><office:body><office:spreadsheet>${table('S', row(cell('a'), cell('b')))}</office:spreadsheet></office:body></office:document>`;

  test.each([
    ['a.ods', ods(table('S', row(cell('a'), cell('b')))), undefined],
    ['a.ots', ods(table('S', row(cell('a'), cell('b')))), undefined],
    ['a.zip', ods(table('S', row(cell('a'), cell('b')))), undefined],
    ['a.odp', ods(table('S', row(cell('a'), cell('b')))), undefined],
    ['a', ods(table('S', row(cell('a'), cell('b')))), 'TYPE_MISMATCH'],
    ['a.fods', flat, undefined],
    ['a.fods', `\ufeff${flat}`, undefined],
    ['a.fods', flat.replace(/ office:mimetype="[^"]*"/, ''), undefined],
    ['a.fodt', flat, 'TYPE_MISMATCH'],
  ])('%s', async (name, content, warning) => {
    const { format, text, warnings } = await parse(name, content);
    expect([format, text, warnings[0]?.code]).toEqual(['ods', 'a | b', warning]);
  });

  test('an archive whose first file is a spreadsheet is an archive', async () => {
    const { text, format } = await parse('a.zip', makeZip({ 'b.ods': ods(table('S', row(cell('a'), cell('b')))) }));
    expect(format).toBe('archive');
    expect(text).toContain('a | b');
  });
});
