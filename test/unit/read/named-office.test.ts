/** What programs write as text and name as a file of old Office. */
import { describe, expect, test } from 'vitest';
import { detectFormat } from '../../../src/read/detect.ts';
import { outline } from './formats-make.ts';
import { parse } from './helpers.ts';

test.each([
  [
    'a.xls',
    '<html><body><table><tr><th>Crane<th>Lifts<tr><td>North<td>9</table></body></html>',
    'Crane | Lifts\nNorth | 9',
  ],
  ['a.xls', '<table border=1><tr><th>Crane<th>Lifts<tr><td>North<td>9</table>', 'Crane | Lifts\nNorth | 9'],
  ['a.xls', 'Crane\tLifts\r\nNorth\t9\r\n', 'Crane | Lifts\nNorth | 9'],
  ['a.doc', '<html><body><p>The crane is sold.</p></body></html>', 'The crane is sold.'],
  ['a.doc', 'The crane is sold.\n', 'The crane is sold.'],
  ['a.doc', 'MIME-Version: 1.0\nContent-Type: text/html\n\n<p>The crane is sold.</p>\n', 'The crane is sold.'],
])('%s: %j', async (name, content, text) => {
  const document = await parse(name, content);
  expect(document.text).toBe(text);
  expect(document.warnings.map(({ code }) => code)).toEqual(['TYPE_MISMATCH']);
});

test.each(['a.xls', 'a.doc', 'a.ppt', 'a.msg'])('%s of noise is still no file of that kind', (name) => {
  expect(detectFormat(name, Buffer.from('\x01\x02\x03\x04\0\0\x05\x06\x07\x08'.repeat(9)))).toMatchObject({
    format: undefined,
  });
});

describe('workbooks of Excel 2003 in XML', () => {
  const cell = (type: string, value: string, attributes = '', more = ''): string =>
    `<Cell ${attributes}><Data ss:Type="${type}">${value}</Data>${more}</Cell>`;
  const workbook = (sheets: string): string =>
    `<?xml version="1.0" encoding="windows-1252"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Styles><Style ss:ID="s1"><NumberFormat ss:Format="Percent"/></Style><Style ss:ID="s2"><NumberFormat ss:Format="0.0&quot; t&quot;"/></Style></Styles>${sheets}</Workbook>`;
  const sheet = (name: string, ...rows: string[]): string =>
    `<Worksheet ss:Name="${name}"><Table>${rows.join('')}</Table></Worksheet>`;

  test('are read cell by cell', async () => {
    const note = '<Comment ss:Author="Ann"><ss:Data xmlns="h"><B>Ann:</B> weighed wet</ss:Data></Comment>';
    const source = workbook(
      sheet(
        'Loads',
        `<Row>${cell('String', 'Quay')}${cell('String', 'Load')}${cell('String', 'Share')}${cell('String', 'Day')}</Row>`,
        `<Row>${cell('String', 'Süd', 'ss:MergeDown="1"')}${cell('Number', '7.5', 'ss:StyleID="s2"', note)}${cell('Number', '0.25', 'ss:StyleID="s1"')}${cell('DateTime', '2019-03-01T00:00:00.000')}</Row>`,
        `<Row>${cell('Number', '9', 'ss:Index="2"')}${cell('Boolean', '1', 'ss:Index="4"')}</Row>`,
        `<Row ss:Index="6">${cell('String', 'Sum', 'ss:MergeAcross="1"')}${cell('Number', '16.5')}</Row>`,
      ) + sheet('Notes', `<Row>${cell('String', 'None.')}</Row>`),
    );
    const document = await parse('a.xls', Buffer.from(source, 'latin1'));
    expect(outline(document)).toEqual([
      'heading1: Loads',
      'table: Quay | Load | Share | Day\nSüd | 7.5 t | 25% | 2019-03-01\nSüd | 9 |  | TRUE',
      'table: Sum | 16.5',
      'paragraph: B2 (Quay: Süd, Load: 7.5 t, Share: 25%, Day: 2019-03-01): Ann: weighed wet',
      'heading1: Notes',
      'paragraph: None.',
    ]);
    expect(document.locators.find(({ rows }) => rows?.[0] === 6)).toMatchObject({ sheet: 'Loads', rows: [6, 6] });
  });

  test('other XML that names them is read as before', async () => {
    const source = '<a><b>urn:schemas-microsoft-com:office:spreadsheet</b><Workbook/></a>';
    expect((await parse('a.xml', source)).text).toContain('urn:schemas-microsoft-com:office:spreadsheet');
  });
});
