/** What stands beside or below the text of office files: tables in boxes and in cells, newer charts, boxes on charts. */
import { describe, expect, it } from 'vitest';
import { parseDocx } from '../../../src/read/office/docx.ts';
import { parseXlsx } from '../../../src/read/office/xlsx.ts';
import { context, makeZip, offsetFaults, outline, relationships } from './formats-make.ts';

const NAMES = 'xmlns:w="w" xmlns:c="c" xmlns:cx="cx" xmlns:a="a" xmlns:r="r"';

async function docx(
  body: string,
  related: Record<string, [string, string]> = {},
  parts: Record<string, string> = {},
): Promise<string[]> {
  const document = await parseDocx(
    makeZip({
      '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
      'word/document.xml': `<w:document ${NAMES}><w:body>${body}</w:body></w:document>`,
      'word/_rels/document.xml.rels': relationships(related),
      ...parts,
    }),
    context('a.docx'),
  );
  expect(offsetFaults(document)).toEqual([]);
  return outline(document);
}

const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
const paragraph = (...inner: string[]): string => `<w:p>${inner.join('')}</w:p>`;
const table = (...rows: string[][]): string =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`;
const cells = (...texts: string[]): string[] => texts.map((text) => paragraph(run(text)));
const box = (...inner: string[]): string => `<w:r><w:txbxContent>${inner.join('')}</w:txbxContent></w:r>`;

describe('tables of Word', () => {
  const note = { n: ['footnotes', 'footnotes.xml'] } as Record<string, [string, string]>;
  const notes = {
    'word/footnotes.xml': `<w:footnotes ${NAMES}><w:footnote w:id="4">${paragraph(run('Weighed wet.'))}</w:footnote></w:footnotes>`,
  };
  const noted = '<w:r><w:footnoteReference w:id="4"/></w:r>';

  it('a note of a table in a cell follows the outer table', async () => {
    const inner = table([paragraph(run('Sand'), noted), paragraph(run('7 t'))]);
    expect(await docx(table(cells('Berth', 'Load'), [...cells('Two'), inner]), note, notes)).toEqual([
      'table: Berth | Load\nTwo | Sand, 7 t',
      'paragraph: Weighed wet.',
    ]);
  });

  it('a table in a box is a table after the paragraph that holds the box', async () => {
    const inner = table(cells('Crane', 'Lifts'), [paragraph(run('North'), noted), ...cells('9')]);
    const body = paragraph(run('See the box.'), box(...cells('Of May'), inner, ...cells('End of box')));
    expect(await docx(body + cells('Next.').join(''), note, notes)).toEqual([
      'paragraph: See the box.',
      'paragraph: Of May',
      'table: Crane | Lifts\nNorth | 9',
      'paragraph: Weighed wet.',
      'paragraph: End of box',
      'paragraph: Next.',
    ]);
  });

  it('a table in a box in a cell stands behind the words of the cell, and a table in its cells in them', async () => {
    const inner = table([...cells('in'), table(cells('x', 'y'))], cells('c', 'd'));
    const body = table([...cells('first'), paragraph(run('second'), box(inner)), ...cells('third')]);
    expect(await docx(body)).toEqual(['table: first | second in, x, y; c, d | third']);
  });
});

const treemap = `<cx:chartSpace ${NAMES}><cx:chartData><cx:data><cx:strDim type="cat"><cx:f>A!$A$2</cx:f><cx:lvl>
  <cx:pt idx="0">Grain</cx:pt><cx:pt idx="1">Timber</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl>
  <cx:pt idx="0">17</cx:pt><cx:pt idx="1">23</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart>
  <cx:title><cx:tx><cx:rich><a:p><a:r><a:t>Loads by kind</a:t></a:r></a:p></cx:rich></cx:tx></cx:title>
  <cx:series><cx:tx><cx:txData><cx:f>A!$B$1</cx:f><cx:v>Tons</cx:v></cx:txData></cx:tx></cx:series></cx:chart></cx:chartSpace>`;

describe('charts', () => {
  it('of the kinds since 2016 are read', async () => {
    const { text } = await parseXlsx(
      makeZip({
        '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
        'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="Ports" r:id="s"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels': relationships({ s: ['worksheet', 'worksheets/sheet1.xml'] }),
        'xl/worksheets/sheet1.xml': '<worksheet/>',
        'xl/worksheets/_rels/sheet1.xml.rels': relationships({ d: ['drawing', '../drawings/drawing1.xml'] }),
        'xl/drawings/drawing1.xml': '<d/>',
        'xl/drawings/_rels/drawing1.xml.rels': relationships({ c: ['chartEx', '../charts/chartEx1.xml'] }),
        'xl/charts/chartEx1.xml': treemap,
      }),
      context('a.xlsx'),
    );
    expect(text.split('\n')).toEqual(['Grain Timber', '17 23', 'Loads by kind', 'Tons']);
  });

  it('show days, shares and units as their axes do, and the boxes that were drawn on them', async () => {
    const points = (code: string, ...values: string[]): string =>
      `<c:numRef><c:f>A!$A$2</c:f><c:numCache><c:formatCode>${code}</c:formatCode>${values.map((value) => `<c:pt><c:v>${value}</c:v></c:pt>`).join('')}</c:numCache></c:numRef>`;
    const chart = `<c:chartSpace ${NAMES}><c:date1904 val="0"/><c:ser><c:tx><c:strRef><c:strCache><c:pt><c:v>43525</c:v></c:pt></c:strCache></c:strRef></c:tx>
      <c:cat>${points('d/m/yyyy', '43525', '43526')}</c:cat><c:val>${points('0%', '0.25', '0.5')}</c:val></c:ser>
      <c:ser><c:val>${points('0.0" t"', '7.5', '0.30000000000000004')}</c:val></c:ser></c:chartSpace>`;
    const read = await docx(
      paragraph(run('Loads.')),
      { c: ['chart', 'charts/chart1.xml'] },
      {
        'word/charts/chart1.xml': chart,
        'word/charts/_rels/chart1.xml.rels': relationships({ u: ['chartUserShapes', '../drawings/drawing1.xml'] }),
        'word/drawings/drawing1.xml': `<d ${NAMES}><a:p><a:r><a:t>Strike in May</a:t></a:r></a:p></d>`,
      },
    );
    // 43525 is 1 March 2019 in Excel; a name of a series stays as it is.
    expect(read).toEqual([
      'paragraph: Loads.',
      'table: | 43525\n2019-03-01 | 25% | 7.5 t\n2019-03-02 | 50% | 0.3 t',
      'paragraph: Strike in May',
    ]);
  });

  const points = (...values: (string | undefined)[]): string =>
    values.map((value, i) => (value === undefined ? '' : `<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`)).join('');
  const series = (name: string, inner: string): string =>
    `<c:ser><c:tx><c:strRef><c:strCache>${points(name)}</c:strCache></c:strRef></c:tx>${inner}</c:ser>`;
  const charted = async (...inner: string[]): Promise<string[]> =>
    await docx(
      paragraph(run('Loads.')),
      { c: ['chart', 'charts/chart1.xml'] },
      { 'word/charts/chart1.xml': `<c:chartSpace ${NAMES}>${inner.join('')}</c:chartSpace>` },
    );

  it('keep each number with its category and its series', async () => {
    const title = '<c:title><a:p><a:r><a:t>Rain</a:t></a:r></a:p></c:title>';
    const years = `<c:cat><c:multiLvlStrRef><c:lvl>${points('Q1', 'Q2', 'Q1')}</c:lvl><c:lvl>${points('2023', undefined, '2024')}</c:lvl></c:multiLvlStrRef></c:cat>`;
    const label =
      '<c:dLbls><c:dLbl><c:tx><c:rich><a:p><a:r><a:t>a flood</a:t></a:r></a:p></c:rich></c:tx></c:dLbl></c:dLbls>';
    expect(
      await charted(
        title,
        series('Arlen', `${label}${years}<c:val>${points('88', '70', '60')}</c:val>`),
        series('Tarn', `${years}<c:val>${points('55', undefined, '44')}</c:val>`),
        series('Elrin', `<c:xVal>${points('1', '2')}</c:xVal><c:yVal>${points('5', '6')}</c:yVal>`),
      ),
    ).toEqual([
      'paragraph: Loads.',
      'paragraph: Rain\nArlen a flood',
      'table: | Arlen | Tarn\n2023 Q1 | 88 | 55\n2023 Q2 | 70\n2024 Q1 | 60 | 44',
      'table: | Elrin\n1 | 5\n2 | 6',
    ]);
  });

  it('without categories stay as lines', async () => {
    expect(await charted(series('Arlen', `<c:val>${points('88', '70')}</c:val>`))).toEqual([
      'paragraph: Loads.',
      'paragraph: Arlen 88 70',
    ]);
  });
});
