import { describe, expect, test } from 'vitest';
import { makeZip, relationships } from './formats-make.ts';
import { outline, parse } from './helpers.ts';

test('control words of RTF that no reader knows change nothing, whatever they are called', async () => {
  const { text } = await parse('a.rtf', '{\\rtf1\\ansi One \\constructor two {\\hasownproperty three} four.\\par}');
  expect(text.trim()).toBe('One two three four.');
});

describe('tables of RTF', () => {
  /** A row as Word writes it: what its cells are, before their text and after it again. */
  function row(cells: readonly string[], shape: string): string {
    const texts = cells.map((cell) => `{${cell}\\cell }`).join('');
    return `\\trowd\\trleft-108 ${shape}\\pard\\intbl ${texts}{\\trowd\\trleft-108 ${shape}\\row }\n`;
  }
  const three = '\\cellx1000\\cellx2000\\cellx3000';

  test('a cell over several rows is said in each, and one over several columns keeps the next in place', async () => {
    const rows = [
      row(['Port', 'Crane', 'Ships'], three),
      row(['North', 'K1', '3'], `\\clvmgf${three}`),
      row(['', 'K2', '4'], '\\clvmrg\\cellx1000\\cellx2010\\cellx3000'),
      row(['South', '5'], '\\cellx1000\\cellx3000'),
      row(['Total', '12'], '\\cellx2000\\cellx3000'),
    ];
    const document = await parse('a.rtf', `{\\rtf1\\ansi ${rows.join('')}\\pard After it.\\par}`);
    expect(outline(document)).toEqual([
      ['table', 'Port | Crane | Ships\nNorth | K1 | 3\nNorth | K2 | 4\nSouth | 5\nTotal |  | 12'],
      ['paragraph', 'After it.'],
    ]);
  });

  test('a table inside a cell is a part of the cell', async () => {
    const end = '{\\*\\nesttableprops\\trowd\\cellx100\\cellx200\\nestrow}{\\nonesttables\\par}';
    const inner = `K1\\nestcell 3 t\\nestcell${end}K2\\nestcell 5 t\\nestcell${end}`;
    const rows = [
      row(['Port', 'Cranes', 'Ships'], three),
      row(['North', `\\pard\\intbl\\itap2 ${inner}\\pard\\intbl`, '7'], three),
    ];
    const document = await parse('a.rtf', `{\\rtf1\\ansi ${rows.join('')}\\pard x}`);
    expect(document.text).toBe('Port | Cranes | Ships\nNorth | K1, 3 t; K2, 5 t | 7\n\nx');
  });

  test('the mark of a list item, with properties of its own, leaves its item in the cell', async () => {
    const item = (text: string): string => `\\pard\\intbl{\\listtext\\pard\\plain \\bullet\\tab}\\ls1 ${text}`;
    const rows = [row(['Port', 'Cranes'], three), row(['North', `${item('K1')}\\par ${item('K2')}`], three)];
    const document = await parse('a.rtf', `{\\rtf1\\ansi ${rows.join('')}\\pard x}`);
    expect(document.text).toBe('Port | Cranes\nNorth | • K1 • K2\n\nx');
  });

  const inn = (...cells: string[]): string => row(cells, three);
  const head = (...cells: string[]): string => row(cells, `\\trhdr${three}`);
  const tablesOf = async (source: string): Promise<string[]> =>
    outline(await parse('a.rtf', `{\\rtf1\\ansi ${source}\\pard x}`)).map(([, text]) => text);

  test('tables with an empty paragraph between are two', async () => {
    const rooms = inn('City', 'Rooms') + inn('Oslo', '12');
    const narrow = '\\cellx500\\cellx1500\\cellx2500';
    const phones = row(['Name', 'Phone', 'Mail'], narrow) + row(['Ann', '11', 'a@b.de'], narrow);
    expect(await tablesOf(`${rooms}\\pard\\par ${phones}`)).toEqual([
      'City | Rooms\nOslo | 12',
      'Name | Phone | Mail\nAnn | 11 | a@b.de',
      'x',
    ]);
    // An empty paragraph after each row separates no tables.
    const rows = [inn('City', 'Rooms'), inn('Oslo', '12'), inn('Moss', '8')].join('\\pard\\par ');
    expect(await tablesOf(rows)).toEqual(['City | Rooms\nOslo | 12\nMoss | 8', 'x']);
  });

  test('a row that the file calls a header begins a table', async () => {
    const source = head('City', '2019') + inn('Oslo', '12') + head('Name', 'Phone') + inn('Ann', '11');
    expect(await tablesOf(source)).toEqual(['City | 2019\nOslo | 12', 'Name | Phone\nAnn | 11', 'x']);
    const { text, blocks } = await parse('a.rtf', `{\\rtf1\\ansi ${source}\\pard x}`);
    expect(blocks.map(({ header }) => header && text.slice(header.start, header.end))).toEqual([
      'City | 2019',
      'Name | Phone',
      undefined,
    ]);
  });

  test('a row of very many cells does not make every short row as long', async () => {
    const shape = Array.from({ length: 20_000 }, (_, i) => `\\cellx${i * 200}`).join('');
    const short = `\\trowd\\trleft${19_999 * 200}\\cellx9999999\\intbl x\\cell\\row`;
    const source = `{\\rtf1 \\trowd${shape}\\intbl ${'a\\cell '.repeat(20_000)}\\row ${short.repeat(20_000)}}`;
    const { text } = await parse('a.rtf', source);
    expect(text.length).toBe(20_000 * 4 - 3 + 20_000 * 2);
  });
});

describe('tables of Word', () => {
  const cell = (text: string, properties = ''): string =>
    `<w:tc><w:tcPr>${properties}</w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;

  test('a row that begins or ends inside the table keeps its cells under their header', async () => {
    const rows = [
      cell('Port') + cell('Crane') + cell('Ships') + cell('Tons', '<w:vMerge w:val="restart"/>'),
      `<w:trPr><w:gridBefore w:val="2"/></w:trPr>${cell('3')}${cell('', '<w:vMerge/>')}`,
      `<w:trPr><w:gridAfter w:val="1"/></w:trPr>${cell('North', '<w:gridSpan w:val="2"/>')}${cell('4')}`,
      `<w:trPr><w:gridBefore w:val="1"/><w:gridAfter w:val="2"/></w:trPr>${cell('K2')}`,
      cell('South') + cell('K3') + cell('5') + cell('900'),
    ];
    const document = await parse(
      'a.docx',
      makeZip({
        '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
        'word/document.xml': `<w:document xmlns:w="w"><w:body><w:tbl>${rows.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl></w:body></w:document>`,
      }),
    );
    expect(document.text.split('\n')).toEqual([
      'Port | Crane | Ships | Tons',
      '|  | 3 | Tons',
      'North |  | 4',
      '| K2',
      'South | K3 | 5 | 900',
    ]);
  });
});
