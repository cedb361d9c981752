/** Headings and lists of RTF, as different programs write them. */
import { expect, test } from 'vitest';
import { outline } from './formats-make.ts';
import { parse } from './helpers.ts';

const read = async (body: string, sheet = ''): Promise<string[]> =>
  outline(await parse('a.rtf', `{\\rtf1\\ansi{\\fonttbl{\\f0 Times;}}${sheet}${body}}`));

test('a heading is told by the name of its style, as LibreOffice does', async () => {
  const sheet =
    '{\\stylesheet{\\s0\\snext0\\f0\\fs24 Normal;}\n{\\s2\\sbasedon0\\snext128\\b\\fs28 Heading 2;}\n{\\*\\cs15\\snext15 Heading 3 Char;}}';
  const body =
    '\\pard\\plain \\s2\\f0\\b Rails\\par \\pard\\plain \\s0 Two of them.\\par\\pard\\plain \\s15 None.\\par';
  expect(await read(body, sheet)).toEqual(['heading2: Rails', 'paragraph: Two of them.', 'paragraph: None.']);
});

test('items are told by their marker, and their levels by the list', async () => {
  const item = (level: number, marker: string, text: string): string =>
    `\\pard\\plain {\\listtext\\pard\\plain ${marker}\\tab}\\ilvl${level}\\ls1 \\li${720 * (level + 1)}\\fi-360 ${text}\\par `;
  const body =
    item(0, '1.', 'Grease') + item(1, '\\bullet', 'bolts') + item(1, '\\bullet', 'pins') + item(0, '2.', 'Test');
  expect(await read(`${body}\\pard End.\\par`)).toEqual([
    'list: 1. Grease',
    'list:   - bolts',
    'list:   - pins',
    'list: 2. Test',
    'paragraph: End.',
  ]);
});

test('items without a list are told by a bullet or a number and a tab, and levels by how far they are moved in', async () => {
  const item = (left: number, marker: string, text: string): string =>
    `{\\pard \\ql \\f0 \\li${left} \\fi-360 ${marker}\\tx360\\tab ${text}\\par}\n`;
  const body =
    item(360, '\\bullet ', 'Rope') +
    item(720, '\\endash ', 'thin') +
    item(360, '\\bullet ', 'Hook') +
    item(360, '3.', 'Box');
  expect(await read(`${body}{\\pard 12 t\\tab 5 t\\par}`)).toEqual([
    'list: - Rope',
    'list:   - thin',
    'list: - Hook',
    'list: 3. Box',
    'paragraph: 12 t\t5 t',
  ]);
});
