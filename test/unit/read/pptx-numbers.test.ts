/** Numbers that PowerPoint prints before the paragraphs of an ordered list: its text does not hold them. */
import { expect, it } from 'vitest';
import { parsePptx } from '../../../src/read/office/pptx.ts';
import { context, makeZip, offsetFaults, outline, relationships } from './formats-make.ts';

async function slide(shapes: string): Promise<string[]> {
  const bytes = makeZip({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml':
      '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relationships({ a: ['slide', 'slide1.xml'] }),
    'ppt/slide1.xml': `<p:sld xmlns:p="p" xmlns:a="a">${shapes}</p:sld>`,
  });
  const document = await parsePptx(bytes, context('a.pptx'));
  expect(offsetFaults(document)).toEqual([]);
  return outline(document);
}

const line = (text: string, bullet = '', level = 0): string =>
  `<a:p><a:pPr lvl="${level}">${bullet}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
const auto = (type: string, startAt?: number): string =>
  `<a:buAutoNum type="${type}"${startAt === undefined ? '' : ` startAt="${startAt}"`}/>`;
const box = (lines: string, holder = '<p:ph idx="1"/>', style = ''): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${holder}</p:nvPr></p:nvSpPr><p:txBody><a:lstStyle>${style}</a:lstStyle>${lines}</p:txBody></p:sp>`;

it.each([
  ['arabicPeriod', '1.', '2.', '3.'],
  ['arabicParenR', '1)', '2)', '3)'],
  ['arabicParenBoth', '(1)', '(2)', '(3)'],
  ['arabicPlain', '1', '2', '3'],
  ['alphaLcPeriod', 'a.', 'b.', 'c.'],
  ['alphaLcParenBoth', '(a)', '(b)', '(c)'],
  ['alphaUcPeriod', 'A.', 'B.', 'C.'],
  ['alphaUcParenR', 'A)', 'B)', 'C)'],
  ['romanLcPeriod', 'i.', 'ii.', 'iii.'],
  ['romanUcPeriod', 'I.', 'II.', 'III.'],
  ['circleNumDbPlain', '1', '2', '3'],
])('%s', async (type, ...markers) => {
  const lines = ['Call', 'Close', 'Open'];
  expect(await slide(box(lines.map((text) => line(text, auto(type))).join('')))).toEqual([
    `list: ${lines.map((text, i) => `${markers[i]} ${text}`).join('\n')}`,
  ]);
});

it('an inner list counts on its own, and the outer one goes on after it', async () => {
  const one = auto('arabicPeriod');
  const two = auto('alphaLcParenR');
  const lines = [
    line('Call', one),
    line('Close', one),
    line('Lower', two, 1),
    line('Wait', two, 1),
    line('Open', one),
    line('Look', two, 1),
    line('Boats', '<a:buChar char="•"/>', 1),
    line('Wave', two, 1),
  ];
  expect(await slide(box(lines.join('')))).toEqual([
    'list: 1. Call\n2. Close\n  a) Lower\n  b) Wait\n3. Open\n  a) Look\n  - Boats\n  a) Wave',
  ]);
});

it('a list begins where it says, and again after a paragraph of another kind', async () => {
  const lines = [
    line('Fourth', auto('arabicPeriod', 4)),
    '<a:p><a:pPr/></a:p>',
    line('Fifth', auto('arabicPeriod', 4)),
    line('Then', '<a:buNone/>'),
    line('First', auto('arabicPeriod')),
    line('Second', auto('arabicPeriod')),
    line('Alpha', auto('alphaUcPeriod')),
  ];
  expect(await slide(box(lines.join('')))).toEqual([
    'list: 4. Fourth\n5. Fifth',
    'paragraph: Then',
    'list: 1. First\n2. Second\nA. Alpha',
  ]);
});

it('a box of its own, its style and a cell have numbers, and each box begins anew', async () => {
  const style = `<a:lvl1pPr>${auto('arabicParenR')}</a:lvl1pPr><a:lvl2pPr>${auto('romanLcPeriod')}</a:lvl2pPr>`;
  const cell = (...lines: string[]): string => `<a:tc><a:txBody>${lines.join('')}</a:txBody></a:tc>`;
  const table = `<p:graphicFrame><a:tbl><a:tr>${cell(line('Lock'))}${cell(line('Steps'))}</a:tr><a:tr>${cell(line('East'))}${cell(line('Call', auto('arabicPeriod')), line('Wait', auto('arabicPeriod')))}</a:tr></a:tbl></p:graphicFrame>`;
  expect(
    await slide(
      box(line('Call') + line('Wait', '', 1) + line('Said', '<a:buNone/>'), '', style) +
        box(line('Again'), '', style) +
        table,
    ),
  ).toEqual([
    'list: 1) Call\n  i. Wait',
    'paragraph: Said',
    'list: 1) Again',
    'table: Lock | Steps\nEast | 1. Call 2. Wait',
  ]);
});
