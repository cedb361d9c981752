/** Tables of PowerPoint say whether their first row is one of names; years are names there, not figures. */
import { expect, it } from 'vitest';
import { parsePptx } from '../../../src/read/office/pptx.ts';
import { context, headerOf, makeZip, relationships } from './formats-make.ts';

const rows = [
  ['Item', '2025', '2026'],
  ['Fuel', '10', '11'],
];
const cells = (row: readonly string[]): string =>
  row.map((text) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`).join('');

async function header(said: string, table: readonly (readonly string[])[]): Promise<string | undefined> {
  const drawn = `<a:tbl><a:tblPr ${said}/>${table.map((row) => `<a:tr>${cells(row)}</a:tr>`).join('')}</a:tbl>`;
  const bytes = makeZip({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml':
      '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relationships({ a: ['slide', 'slide1.xml'] }),
    'ppt/slide1.xml': `<p:sld xmlns:p="p" xmlns:a="a"><p:graphicFrame>${drawn}</p:graphicFrame></p:sld>`,
  });
  const document = await parsePptx(bytes, context('a.pptx'));
  return headerOf(document, document.blocks[0]);
}

it.each([
  ['firstRow="1"', rows, 'Item | 2025 | 2026'],
  ['firstRow="0"', rows, undefined],
  ['bandRow="1"', rows, undefined],
  ['firstRow="true"', rows.slice(1), undefined],
])('%s', async (said, table, expected) => {
  expect(await header(said, table)).toBe(expected);
});
