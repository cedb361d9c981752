import { describe, expect, test } from 'vitest';
import { makeZip, relationships } from './formats-make.ts';
import { parse } from './helpers.ts';

/** Runs of one paragraph; what begins with `↑` is raised. The signs of an exponent are often runs of their own. */
const runs = [
  '10',
  '↑3',
  ' kg, 5 km',
  '↑2',
  ', 10',
  '↑−',
  '↑6',
  ' m, the 1',
  '↑st',
  ', said in 1990',
  '↑7',
  ' by law',
  '↑8',
  ' and treaty',
  '↑9',
  ', old laws ',
  '↑10',
  ' say.',
];
/** By hand: only where a number or a word would change. */
const plain = '10^3 kg, 5 km2, 10^−6 m, the 1st, said in 1990^7 by law8 and treaty^9, old laws ^10 say.';

function write(normal: (text: string) => string, raised: (text: string) => string): string {
  return runs.map((run) => (run.startsWith('↑') ? raised(run.slice(1)) : normal(run))).join('');
}

const office = (main: string, parts: Record<string, string>): Uint8Array =>
  makeZip({ '_rels/.rels': relationships({ r1: ['officeDocument', main] }), ...parts });
const w = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const a = (text: string, properties = ''): string => `<a:r><a:rPr ${properties}/><a:t>${text}</a:t></a:r>`;
const x = (text: string, properties = ''): string =>
  `<r><rPr>${properties}</rPr><t xml:space="preserve">${text}</t></r>`;

const files: Record<string, string | Uint8Array> = {
  'a.html': `<p>${write(
    (text) => text,
    (text) => `<sup>${text}</sup>`,
  )}</p>`,
  'a.rtf': `{\\rtf1\\ansi ${write(
    (text) => text,
    (text) => `{\\super ${text.replace('−', '\\u8722?')}}`,
  )}\\par}`,
  'a.docx': office('word/document.xml', {
    'word/document.xml': `<w:document xmlns:w="w"><w:body><w:p>${write(w, (text) => w(text, '<w:vertAlign w:val="superscript"/>'))}</w:p></w:body></w:document>`,
  }),
  'a.pptx': office('ppt/presentation.xml', {
    'ppt/presentation.xml':
      '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="9" r:id="s1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relationships({ s1: ['slide', 'slides/slide1.xml'] }),
    'ppt/slides/slide1.xml': `<p:sld xmlns:p="p" xmlns:a="a"><p:sp><p:txBody><a:p>${write(a, (text) => a(text, 'baseline="30000"'))}</a:p></p:txBody></p:sp></p:sld>`,
  }),
  'a.xlsx': office('xl/workbook.xml', {
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="s1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relationships({
      s1: ['worksheet', 'worksheets/sheet1.xml'],
      s2: ['sharedStrings', 'sharedStrings.xml'],
    }),
    'xl/sharedStrings.xml': `<sst><si>${write(x, (text) => x(text, '<vertAlign val="superscript"/>'))}</si></sst>`,
    'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row r="1"><c t="s"><v>0</v></c></row></sheetData></worksheet>',
  }),
  'a.odt': makeZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<d xmlns:office="o" xmlns:text="t" xmlns:style="s"><style:style style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style>
      <style:style style:name="T2"><style:text-properties style:text-position="sub 58%"/></style:style><office:body><text:p>${write(
        (text) => `<text:span text:style-name="T2">${text}</text:span>`,
        (text) => `<text:span text:style-name="T1">${text}</text:span>`,
      )}</text:p></office:body></d>`,
  }),
};

describe('an exponent is no part of its number, and the mark of a note no part of its word', () => {
  test.each(Object.keys(files))('%s', async (name) => {
    expect((await parse(name, files[name]!)).text).toBe(plain);
  });
});

test.each([
  ['<p>An endnote<sup><a href="#n1">i</a></sup> and a<a href="#n2"><sup>b</sup></a>.</p>', 'An endnote^i and a^b.'],
  ['<p>It is long<a href="#fn1" epub:type="noteref">1</a> here.</p>', 'It is long^1 here.'],
  ['<p>It is long<a href="#fn1" role="doc-noteref">1</a> here.</p>', 'It is long^1 here.'],
  [
    '<p>It is shut.<sup>1</sup> Open it,<sup>2</sup> “now.”<sup>3</sup> In m.<sup>2</sup></p>',
    'It is shut.^1 Open it,^2 “now.”^3 In m.^2',
  ],
  [
    '<p>It is shut.</p><p>See above. <a href="#r1">↩︎</a></p><p><a href="#r2">^</a> Book</p><p>Press ↩.</p>',
    'It is shut.\n\nSee above.\n\nBook\n\nPress ↩.',
  ],
  ['<p><sup>1</sup>Source: the port.</p>', '1 Source: the port.'],
  ['<p><a href="#r1">1</a>Footnote</p><p><a href="#r2">ii</a><span>Endnote</span></p>', '1 Footnote\n\nii Endnote'],
  ['<p><a href="#s1">1</a>. Scope, 1<sup>st</sup></p>', '1. Scope, 1st'],
  ['<p><sup>13</sup>C and <sup>2</sup>H</p>', '13C and 2H'],
])('in %s the words stay whole', async (source, text) => {
  expect((await parse('a.html', source)).text).toBe(text);
});

test('very many raised numbers in one paragraph cost no quadratic time', async () => {
  const start = performance.now();
  const { text } = await parse('a.html', `<p>${'1990<sup>7</sup> words '.repeat(60_000)}</p>`);
  expect(text.length).toBe(60_000 * '1990^7 words '.length - 1);
  expect(performance.now() - start).toBeLessThan(10_000);
});
