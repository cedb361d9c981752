import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { withoutPrivateSigns } from '../../../src/read/pdf/private-signs.ts';
import { at, context, makePdf } from './formats-make.ts';

it('figures in old style and parts of brackets are read as what they are', async () => {
  const glyphs = '48 /zerooldstyle /oneoldstyle /twooldstyle 60 /bracelefttp /braceleftmid /braceleftbt /braceex';
  const font = '/Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 0 /LastChar 127 /Widths 101 0 R';
  const objects = {
    100: `<< ${font} /Encoding << /Type /Encoding /Differences [${glyphs}] >> >>`,
    101: `[${'556 '.repeat(128)}]`,
  };
  const page = [
    at(72, 700, 'Written in 2012', { font: 'F3' }),
    at(72, 650, '<', { font: 'F3' }) + at(90, 650, 'first case', { font: 'F3' }),
    at(72, 640, '?', { font: 'F3' }),
    at(72, 630, '>', { font: 'F3' }) + at(90, 630, 'other case', { font: 'F3' }),
  ].join('\n');
  const { text } = await parsePdf(makePdf({ pages: [page], fonts: '/F3 100 0 R', objects }), context('old.pdf'));
  expect(text).toContain('Written in 2012');
  expect(text).toMatch(/\{.*first case\s+other case/u);
  expect(text).not.toMatch(/\p{Co}/u);
});

it.each([
  ['\uf0b7 Tar', 'ABCDEF+SymbolMT', '• Tar'],
  ['\uf0b7 Tar', 'ABCDEF+Calibri', '• Tar'],
  ['\uf061 \uf0b3 2', 'Symbol', 'α ≥ 2'],
  ['\uf0d8 Tar \uf0fe', 'ABCDEF+Wingdings-Regular', '➢ Tar ☑'],
  ['\uf0d8 Tar', 'ABCDEF+Wingdings2', '\uf0d8 Tar'],
  ['\uf0d8 Tar', 'ABCDEF+Own', '\uf0d8 Tar'],
  ['M\uf76f\uf7e9', 'Minion', 'Moé'],
  ['\uf8ff', 'Chicago', '\uf8ff'],
])('%j in %s', (text, font, expected) => {
  expect(withoutPrivateSigns(text, font)).toBe(expected);
});
