/** What an author hides is left out in each format of a text, and counted. */
import { expect, test } from 'vitest';
import { makeZip } from './formats-make.ts';
import { parse } from './helpers.ts';

const told = async (name: string, bytes: Uint8Array): Promise<object> => {
  const { text, warnings, metadata } = await parse(name, bytes);
  const hidden = warnings.filter(({ code }) => code === 'HIDDEN_TEXT');
  return { text, hidden: hidden.map(({ leftOut }) => leftOut), lines: metadata.linesLeftOut };
};

const names = 'xmlns:office="o" xmlns:style="s" xmlns:text="t" xmlns:table="b"';
const odt = (body: string, styles = ''): Uint8Array =>
  makeZip({
    'content.xml': `<office:document-content ${names}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
  });

test('OpenDocument: sections, paragraphs and spans', async () => {
  const styles =
    '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>' +
    '<style:style style:name="I" style:parent-style-name="H"/>' +
    '<style:style style:name="V" style:parent-style-name="H"><style:text-properties text:display="true"/></style:style>';
  const body =
    '<text:p>Open</text:p><text:section text:display="none"><text:p>one</text:p><text:p>two <text:span>x</text:span></text:p></text:section>' +
    '<text:section text:display="condition" text:is-hidden="true"><text:p>three</text:p></text:section>' +
    '<text:section text:display="condition"><text:p>Shown</text:p></text:section>' +
    '<text:p text:style-name="I">four</text:p><text:p>Grease <text:span text:style-name="H">five</text:span>it' +
    '<text:span text:style-name="V"> now</text:span>.</text:p>';
  expect(await told('a.odt', odt(body, styles))).toEqual({
    text: 'Open\n\nShown\n\nGrease it now.',
    hidden: [6],
    lines: 6,
  });
  expect(await told('a.odt', odt('<text:p>Open</text:p>'))).toEqual({ text: 'Open', hidden: [], lines: undefined });
});

const W = 'xmlns:w="w" xmlns:v="v" xmlns:r="r"';
const related = (type: string): string => `<Relationship Id="${type}" Type="http://x/${type}" Target="${type}.xml"/>`;
const docx = (body: string, parts: Readonly<Record<string, string>> = {}): Uint8Array =>
  makeZip({
    '_rels/.rels':
      '<Relationships><Relationship Id="a" Type="http://x/officeDocument" Target="word/document.xml"/></Relationships>',
    'word/document.xml': `<w:document ${W}><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': `<Relationships>${Object.keys(parts).map(related).join('')}</Relationships>`,
    ...Object.fromEntries(Object.entries(parts).map(([name, content]) => [`word/${name}.xml`, content])),
  });

test('Word: runs, and what a style hides', async () => {
  const styles = `<w:styles ${W}><w:style w:type="character" w:styleId="H"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="P"><w:name w:val="Away"/><w:basedOn w:val="H"/></w:style></w:styles>`;
  const body =
    '<w:p><w:r><w:t>Grease </w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>one </w:t></w:r><w:r><w:rPr><w:rStyle w:val="H"/></w:rPr><w:t>two </w:t></w:r><w:r><w:t>it.</w:t></w:r></w:p>' +
    '<w:p><w:pPr><w:pStyle w:val="P"/></w:pPr><w:r><w:t>three </w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>Shown</w:t></w:r></w:p>';
  expect(await told('a.docx', docx(body, { styles }))).toEqual({ text: 'Grease it.\n\nShown', hidden: [2], lines: 2 });
});

test('Word: a comment that hangs on no place is read at the end, one that does there alone', async () => {
  const comment = (id: number, text: string): string =>
    `<w:comment w:id="${id}"><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:comment>`;
  const comments = `<w:comments ${W}>${comment(1, 'Who pays?')}${comment(2, 'Ask Ida.')}</w:comments>`;
  const body =
    '<w:p><w:r><w:t>New rope.</w:t></w:r><w:r><w:commentReference w:id="2"/></w:r></w:p><w:p><w:r><w:t>End.</w:t></w:r></w:p>';
  expect((await parse('a.docx', docx(body, { comments }))).text).toBe('New rope.\n\nAsk Ida.\n\nEnd.\n\nWho pays?');
});

test('Word: what shapes of old files show', async () => {
  const shapes = ['rect', 'oval', 'group', 'shape'].map(
    (kind) => `<w:p><w:r><w:pict><v:${kind} alt="A plan of the ${kind} quay"/></w:pict></w:r></w:p>`,
  );
  expect((await parse('a.docx', docx(shapes.join('')))).text.split('\n\n')).toEqual([
    'A plan of the rect quay',
    'A plan of the oval quay',
    'A plan of the group quay',
    'A plan of the shape quay',
  ]);
});
