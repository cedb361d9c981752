/** Cells that are merged over columns: titles above a table, and names over several columns. */
import { expect, it } from 'vitest';
import { parseDocx } from '../../../src/read/office/docx.ts';
import { parseOds } from '../../../src/read/office/ods.ts';
import { parseOdt } from '../../../src/read/office/odt.ts';
import { parsePptx } from '../../../src/read/office/pptx.ts';
import { parseXlsx } from '../../../src/read/office/xlsx.ts';
import { context, headerOf, makeZip, offsetFaults, outline, relationships } from './formats-make.ts';

/** Text, a number, or text that reaches over so many columns. */
type Cell = string | number | readonly [text: string, columns: number] | undefined;
type Sheet = readonly (readonly Cell[])[];

const nameOf = (column: number, row: number): string => `${String.fromCharCode(65 + column)}${row + 1}`;

function xlsx(sheets: Readonly<Record<string, Sheet>>): Uint8Array {
  const parts = Object.values(sheets).map((rows) => {
    const merged: string[] = [];
    const written = rows.map((row, y) => {
      const cells = row.map((cell, x) => {
        if (cell === undefined) return '';
        if (typeof cell === 'number') return `<c r="${nameOf(x, y)}"><v>${cell}</v></c>`;
        const [text, columns] = typeof cell === 'string' ? [cell, 1] : cell;
        if (columns > 1) merged.push(`<mergeCell ref="${nameOf(x, y)}:${nameOf(x + columns - 1, y)}"/>`);
        return `<c r="${nameOf(x, y)}" t="inlineStr"><is><t>${text}</t></is></c>`;
      });
      return `<row r="${y + 1}">${cells.join('')}</row>`;
    });
    return `<worksheet><sheetData>${written.join('')}</sheetData><mergeCells>${merged.join('')}</mergeCells></worksheet>`;
  });
  const names = Object.keys(sheets);
  return makeZip({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${names.map((name, i) => `<sheet name="${name}" r:id="s${i}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      Object.fromEntries(names.map((_, i) => [`s${i}`, ['worksheet', `s${i}.xml`]] as const)),
    ),
    ...Object.fromEntries(parts.map((part, i) => [`xl/s${i}.xml`, part])),
  });
}

function ods(sheets: Readonly<Record<string, Sheet>>): Uint8Array {
  const tables = Object.entries(sheets).map(([name, rows]) => {
    const written = rows.map((row) => {
      let covered = 0;
      const cells = row.map((cell) => {
        if (covered-- > 0) return '<table:covered-table-cell/>';
        if (cell === undefined) return '<table:table-cell/>';
        if (typeof cell === 'number')
          return `<table:table-cell office:value-type="float" office:value="${cell}"><text:p>${cell}</text:p></table:table-cell>`;
        const [text, columns] = typeof cell === 'string' ? [cell, 1] : cell;
        covered = columns - 1;
        return `<table:table-cell office:value-type="string" table:number-columns-spanned="${columns}"><text:p>${text}</text:p></table:table-cell>`;
      });
      return `<table:table-row>${cells.join('')}</table:table-row>`;
    });
    return `<table:table table:name="${name}">${written.join('')}</table:table>`;
  });
  return makeZip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>${tables.join('')}</office:spreadsheet></office:body></office:document-content>`,
  });
}

const _ = undefined;

it.each<[string, Sheet, string[], string | undefined]>([
  [
    'a title is a heading above the names of columns',
    [[['Staff at the end of March', 3]], ['Site', 'Heads', 'Posts'], ['Kiel', 41, 3], ['Husum', 17, 1]],
    ['heading2: Staff at the end of March', 'table: Site | Heads | Posts\nKiel | 41 | 3\nHusum | 17 | 1'],
    'Site | Heads | Posts',
  ],
  [
    'what stands beside a title names no column',
    [
      [['Staff at the end of March', 2], _, 'Draft 2'],
      ['Site', 'Heads', 'Posts'],
      ['Kiel', 41, 3],
      ['Husum', 17, 1],
    ],
    [
      'heading2: Staff at the end of March',
      'paragraph: Draft 2',
      'table: Site | Heads | Posts\nKiel | 41 | 3\nHusum | 17 | 1',
    ],
    'Site | Heads | Posts',
  ],
  [
    'lines below a title are lines',
    [
      [['Fleet', 4]],
      [['State of 3 April', 4]],
      [['Not yet audited.', 4]],
      ['Van', 'Driver', 'Depot', 'Km'],
      ['A', 'Tilda', 'Kiel', 4],
    ],
    [
      'heading2: Fleet',
      'paragraph: State of 3 April\nNot yet audited.',
      'table: Van | Driver | Depot | Km\nA | Tilda | Kiel | 4',
    ],
    'Van | Driver | Depot | Km',
  ],
  [
    'a name over columns is part of the name of each',
    [
      [['Revenue by region', 5]],
      [_, ['January', 2], _, ['February', 2]],
      ['Region', 'Plan', 'Actual', 'Plan', 'Actual'],
      ['North', 120, 118, 125, 131],
    ],
    [
      'heading2: Revenue by region',
      'table: | January | January | February | February\nRegion | Plan | Actual | Plan | Actual\nNorth | 120 | 118 | 125 | 131',
    ],
    '| January | January | February | February\nRegion | Plan | Actual | Plan | Actual',
  ],
  [
    'one name over some columns is part of their names alone',
    [
      [_, ['2024', 2]],
      ['Region', 'Plan', 'Actual', 'Note'],
      ['North', 120, 118, 'x'],
      ['South', 80, 85, 'y'],
    ],
    ['table: | 2024 | 2024\nRegion | Plan | Actual | Note\nNorth | 120 | 118 | x\nSouth | 80 | 85 | y'],
    '| 2024 | 2024\nRegion | Plan | Actual | Note',
  ],
  [
    'tables side by side are two, each below its title',
    [
      [['Sales', 2], _, _, ['Costs', 2]],
      ['Shop', 'EUR', _, 'Item', 'EUR'],
      ['Pier', 39, _, 'Rent', 18],
      ['Quay', 40, _, 'Power', 9],
    ],
    [
      'heading2: Sales',
      'table: Shop | EUR\nPier | 39\nQuay | 40',
      'heading2: Costs',
      'table: Item | EUR\nRent | 18\nPower | 9',
    ],
    'Shop | EUR',
  ],
  [
    'a wide name beside others above rows of text is the last line of the header',
    [
      ['Task', ['Owners', 2]],
      ['Paint the pier', 'Ada', 'Ben'],
      ['Mend the nets', 'Cleo', 'Dora'],
    ],
    ['table: Task | Owners | Owners\nPaint the pier | Ada | Ben\nMend the nets | Cleo | Dora'],
    'Task | Owners | Owners',
  ],
  [
    'a title apart from its table by an empty row is its heading',
    [[['Fleet', 2]], [], ['Van', 'Km'], ['A', 4]],
    ['heading2: Fleet', 'table: Van | Km\nA | 4'],
    'Van | Km',
  ],
  [
    'a merged line below the last table is no heading',
    [['Van', 'Km'], ['A', 4], [], [['Counted by Ada', 2]]],
    ['table: Van | Km\nA | 4', 'paragraph: Counted by Ada'],
    'Van | Km',
  ],
  [
    'rows that name a part of a table stay in it',
    [['Van', 'Km'], [['Diesel', 2]], ['A', 4], [['Electric', 2]], ['B', 5]],
    ['table: Van | Km\nDiesel\nA | 4\nElectric\nB | 5'],
    'Van | Km',
  ],
])('%s', async (_name, sheet, expected, header) => {
  const book = { One: sheet, Two: [['x', 'y']] };
  const documents = [await parseXlsx(xlsx(book), context('a.xlsx')), await parseOds(ods(book), context('a.ods'))];
  for (const document of documents) {
    expect(offsetFaults(document)).toEqual([]);
    expect(outline(document)).toEqual(['heading1: One', ...expected, 'heading1: Two', 'table: x | y']);
    const table = document.blocks.find(({ kind }) => kind === 'table');
    expect(headerOf(document, table)).toBe(header);
    // Each row that holds something has its place.
    const rows = new Set(
      document.locators.flatMap(({ sheet: name, rows: at }) => (name === 'One' && at ? [at[0]] : [])),
    );
    expect([...rows]).toEqual(sheet.flatMap((row, i) => (row.length > 0 ? [i + 1] : [])));
  }
});

it('the title of the only sheet is a heading of the first level', async () => {
  const document = await parseXlsx(xlsx({ One: [[['Fleet', 2]], ['Van', 'Km'], ['A', 4]] }), context('a.xlsx'));
  expect(outline(document)).toEqual(['heading1: Fleet', 'table: Van | Km\nA | 4']);
});

it('tables of texts and slides say a name over columns in each, and no title', async () => {
  const rows: Sheet = [
    [['Berths let', 4]],
    [['Quay', 1], ['Summer', 2], _, 'Year'],
    ['', 'Boats', 'Rent', ''],
    ['East', '12', '90', '130'],
    ['West', '9', '70', '101'],
  ];
  const cellsOf = (row: readonly Cell[]): (readonly [string, number])[] =>
    row.flatMap((cell) => (cell === _ ? [] : [typeof cell === 'object' ? cell : ([String(cell), 1] as const)]));
  const word = rows
    .map((row) => {
      const cells = cellsOf(row).map(
        ([text, columns]) =>
          `<w:tc><w:tcPr><w:gridSpan w:val="${columns}"/></w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`,
      );
      return `<w:tr>${cells.join('')}</w:tr>`;
    })
    .join('');
  const open = rows
    .map((row) => {
      const cells = cellsOf(row).map(
        ([text, columns]) =>
          `<table:table-cell table:number-columns-spanned="${columns}"><text:p>${text}</text:p></table:table-cell>${'<table:covered-table-cell/>'.repeat(columns - 1)}`,
      );
      return `<table:table-row>${cells.join('')}</table:table-row>`;
    })
    .join('');
  const slide = rows
    .map((row) => {
      const cells = cellsOf(row).map(
        ([text, columns]) =>
          `<a:tc gridSpan="${columns}"><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>${'<a:tc hMerge="1"><a:txBody><a:p/></a:txBody></a:tc>'.repeat(columns - 1)}`,
      );
      return `<a:tr>${cells.join('')}</a:tr>`;
    })
    .join('');
  const documents = [
    await parseDocx(
      makeZip({
        '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
        'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:tbl>${word}</w:tbl></w:body></w:document>`,
      }),
      context('a.docx'),
    ),
    await parseOdt(
      makeZip({
        'content.xml': `<office:document-content xmlns:office="o" xmlns:table="b" xmlns:text="t"><office:body><office:text><table:table>${open}</table:table></office:text></office:body></office:document-content>`,
      }),
      context('a.odt'),
    ),
    await parsePptx(
      makeZip({
        '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
        'ppt/presentation.xml':
          '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
        'ppt/_rels/presentation.xml.rels': relationships({ a: ['slide', 'slide1.xml'] }),
        'ppt/slide1.xml': `<p:sld xmlns:p="p" xmlns:a="a"><p:graphicFrame><a:tbl>${slide}</a:tbl></p:graphicFrame></p:sld>`,
      }),
      context('a.pptx'),
    ),
  ];
  const header = 'Berths let\nQuay | Summer | Summer | Year\n| Boats | Rent';
  for (const document of documents) {
    expect(document.text).toBe(`${header}\nEast | 12 | 90 | 130\nWest | 9 | 70 | 101`);
    expect(headerOf(document, document.blocks[0])).toBe(header);
  }
});
