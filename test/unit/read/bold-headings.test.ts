import { describe, expect, test } from 'vitest';
import type { ParsedDocument } from '../../../src/read/contract.ts';
import { makeZip, relationships } from './formats-make.ts';
import { parse } from './helpers.ts';

interface Line {
  /** `h`: marked as a heading; `b`: bold; `m`: bold in part; `p`: neither. */
  readonly look: 'h' | 'b' | 'm' | 'p';
  readonly text: string;
}

const lines: readonly Line[] = [
  { look: 'h', text: 'Harbour rules' },
  { look: 'p', text: 'They hold for all guests.' },
  { look: 'b', text: 'Maximum number of guests' },
  { look: 'p', text: 'The default is 12. More need a permit of the office.' },
  { look: 'b', text: 'May I bring my dog?' },
  { look: 'p', text: 'Yes, on a lead, and never on the pier of the ferry.' },
  { look: 'b', text: 'Smoking is forbidden in all buildings.' },
  { look: 'p', text: 'A sentence is no heading, whatever its letters are.' },
  { look: 'm', text: 'Opening hours in winter' },
  { look: 'p', text: 'Only a part of the line above is bold.' },
  { look: 'b', text: 'Deposit: 40 EUR' },
  { look: 'p', text: 'A label with its value is no heading.' },
  { look: 'b', text: 'Note' },
  { look: 'p', text: 'The office says what is next to it.' },
  { look: 'b', text: 'Office of the harbour master' },
  { look: 'b', text: 'Pier 3' },
  { look: 'p', text: 'Of two bold lines the second has text below it.' },
  { look: 'b', text: 'Thank you' },
];
/** By hand, with their levels. */
const expected = [
  [1, 'Harbour rules'],
  [2, 'Maximum number of guests'],
  [2, 'May I bring my dog?'],
  [2, 'Pier 3'],
];

const half = (text: string): [string, string] => [text.slice(0, 8), text.slice(8)];
const html = ({ look, text }: Line): string => {
  const [bold, rest] = half(text);
  if (look === 'h') return `<h1>${text}</h1>`;
  return `<p>${look === 'b' ? `<b>${text}</b>` : look === 'm' ? `<strong>${bold}</strong>${rest}` : text}</p>`;
};
const markdown = ({ look, text }: Line): string => {
  const [bold, rest] = half(text);
  if (look === 'h') return `# ${text}`;
  return look === 'b' ? `**${text}**` : look === 'm' ? `**${bold}**${rest}` : text;
};
const run = (text: string, bold: boolean): string =>
  `<w:r><w:rPr>${bold ? '<w:b/>' : '<w:b w:val="0"/>'}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const word = ({ look, text }: Line): string => {
  const [bold, rest] = half(text);
  const runs = look === 'm' ? run(bold, true) + run(rest, false) : run(text, look === 'b');
  return `<w:p>${look === 'h' ? '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>' : ''}${runs}</w:p>`;
};
const span = (text: string, style: string): string => `<text:span text:style-name="${style}">${text}</text:span>`;
const odt = ({ look, text }: Line): string => {
  const [bold, rest] = half(text);
  if (look === 'h') return `<text:h text:outline-level="1">${text}</text:h>`;
  return `<text:p>${look === 'm' ? span(bold, 'T1') + rest : look === 'b' ? span(text, 'T1') : text}</text:p>`;
};
const document = (body: string, styles = ''): Uint8Array =>
  makeZip({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relationships({ s: ['styles', 'styles.xml'] }),
    'word/styles.xml': `<w:styles xmlns:w="w">${styles}</w:styles>`,
  });
const openDocument = (body: string): Uint8Array =>
  makeZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<d xmlns:office="o" xmlns:text="t" xmlns:style="s" xmlns:fo="f"><style:style style:name="T1"><style:text-properties fo:font-weight="bold"/></style:style>
      <style:style style:name="P1" style:parent-style-name="P0"/><style:style style:name="P0"><style:text-properties fo:font-weight="bold"/></style:style><style:style style:name="T2"><style:text-properties fo:font-weight="normal"/></style:style><office:body>${body}</office:body></d>`,
  });

const files: Record<string, string | Uint8Array> = {
  'a.html': lines.map(html).join('\n'),
  'a.md': lines.map(markdown).join('\n\n'),
  'a.docx': document(lines.map(word).join('')),
  'a.odt': openDocument(lines.map(odt).join('')),
};
const plain = lines.map(({ text }) => text).join('\n\n');

const headings = ({ text, blocks }: ParsedDocument): [number | undefined, string][] =>
  blocks
    .filter(({ kind }) => kind === 'heading')
    .map(({ level, label, start, end }) => [level, label ?? text.slice(start, end)]);

describe('a line in bold letters with text below it is a heading', () => {
  test.each(Object.keys(files))('%s', async (name) => {
    const parsed = await parse(name, files[name]!);
    expect(headings(parsed)).toEqual(expected);
    expect(parsed.text.replace(/\*\*|^# /g, '')).toBe(plain);
  });

  test('in an item of a list of HTML, as documentation has it', async () => {
    const page =
      '<h2>Limits</h2><ol><li><p><b>Columns of a table</b></p><p>The default is 2000.</p></li>' +
      '<li><b>Rows</b></li><li><p><b>Length</b></p></li></ol><table><tr><td><p><b>Cell</b></p><p>of a table</p></td></tr></table>';
    expect(headings(await parse('a.html', page))).toEqual([
      [2, 'Limits'],
      [3, 'Columns of a table'],
    ]);
  });

  test('by the style of the paragraph or of its characters, and not where a run says otherwise', async () => {
    const styles =
      '<w:style w:styleId="Lead"><w:name w:val="Lead"/><w:rPr><w:b/></w:rPr></w:style><w:style w:styleId="Strong"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>';
    const text = '<w:p><w:r><w:t>The text is set in other letters than the line above, and goes on.</w:t></w:r></w:p>';
    const styled = (run: string, style = ''): string => `<w:p>${style}<w:r>${run}</w:r></w:p>${text}`;
    const lead = '<w:pPr><w:pStyle w:val="Lead"/></w:pPr>';
    const body = [
      styled('<w:t>Opening hours</w:t>', lead),
      styled('<w:rPr><w:rStyle w:val="Strong"/></w:rPr><w:t>Deposit</w:t>'),
      styled('<w:rPr><w:b w:val="0"/></w:rPr><w:t>Cranes</w:t>', lead),
    ].join('');
    expect(headings(await parse('a.docx', document(body, styles))).map(([, label]) => label)).toEqual([
      'Opening hours',
      'Deposit',
    ]);
    const paragraphs =
      '<text:p text:style-name="P1">Opening hours</text:p><text:p>The text is set in other letters, and goes on.</text:p>' +
      `<text:p text:style-name="P1">${span('Cranes', 'T2')}</text:p><text:p>They lift boats in spring and autumn.</text:p>`;
    expect(headings(await parse('a.odt', openDocument(paragraphs))).map(([, label]) => label)).toEqual([
      'Opening hours',
    ]);
  });

  test('nothing is a heading where most of the text is bold', async () => {
    const bold = '<p><b>A long text in bold letters tells nothing about what is a heading of what.</b></p>'.repeat(3);
    expect(headings(await parse('a.html', `<p><b>Opening hours</b></p><p>From 8 to 17.</p>${bold}`))).toEqual([]);
  });

  test('a hundred thousand of them take no time that grows with their square', async () => {
    const parsed = await parse('a.html', '<p><b>Title</b></p><p>text of some words below it</p>'.repeat(100_000));
    expect(headings(parsed).length).toBe(100_000);
  });
});
