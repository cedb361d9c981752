import { expect, it } from 'vitest';
import { normaliseText } from '../../../src/text/normalise.ts';

it.each([
  ['CRLF, CR, NEL and Unicode separators become LF', 'a\r\nb\rc\u0085d\u2028e\u2029f', 'a\nb\nc\nd\ne\nf'],
  ['form feed and vertical tab become LF', 'a\fb\vc', 'a\nb\nc'],
  ['NUL, byte order marks, DEL and other controls go', '\uFEFFa\0b\u0007c\uFEFF\x7Fd\x1Be', 'abcde'],
  ['tab and LF stay', 'a\tb\n', 'a\tb\n'],
  ['a NUL inside a CRLF leaves one line end', 'a\r\0\nb', 'a\nb'],
  ['a NUL inside a surrogate pair leaves the pair', '\uD83D\0\uDE00', '😀'],
  ['lone surrogates become U+FFFD', 'a\uD83Db\uDE00', 'a\uFFFDb\uFFFD'],
  ['soft hyphens within a word go, also behind a NUL', 'Donau\u00ADdampf\0\u00AD\u00ADschiff', 'Donaudampfschiff'],
  ['a soft hyphen at the end of a line and between figures stays', 'Donau\u00AD\n1\u00AD2', 'Donau\u00AD\n1\u00AD2'],
  ['composition is left alone', 'e\u0301 é', 'e\u0301 é'],
  ['nothing stays nothing', '', ''],
])('%s', (_, text, normalised) => {
  expect(normaliseText(text)).toBe(normalised);
});
