import { expect, test } from 'vitest';
import { withoutOverstrikes } from '../../../src/read/text/overstruck.ts';
import { codes, outline, parse } from './helpers.ts';

const bold = (text: string): string => text.replace(/\S/gu, '$&\b$&');
const under = (text: string): string => text.replace(/\S/gu, '_\b$&');

test('a printed manual page is text, each letter once', async () => {
  const page = `LS(1)\n\n${bold('NAME')}\n       ${bold('ls')} - lists ${under('Ordner für Töne')}\n\n${bold('BUGS')}\n       +\bo ${bold('none')}\n`;
  const document = await parse('ls.txt', page);
  expect(outline(document)).toEqual([
    ['heading', 'LS(1)'],
    ['heading', 'NAME'],
    ['paragraph', '       ls - lists Ordner für Töne'],
    ['heading', 'BUGS'],
    ['paragraph', '       o none'],
  ]);
  expect(codes(document)).toEqual([]);
});

test('other backspaces take no letter away', () => {
  expect(withoutOverstrikes('a\b_ 𝐀\b𝐀\b𝐀 x\by _\b_ end\b')).toBe('a 𝐀 x\by _ end\b');
});
