import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanLines, cleanText } from '../../../src/read/normalise.ts';

/** The rules once more, a character at a time and without a regular expression. */
function slowly(text: string, pageBreak: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x1b && text[i + 1] === '[') {
      let end = i + 2;
      while (end < text.length && text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x3f) end++;
      while (end < text.length && text.charCodeAt(end) >= 0x20 && text.charCodeAt(end) <= 0x2f) end++;
      if (end < text.length && text.charCodeAt(end) >= 0x40 && text.charCodeAt(end) <= 0x7e) i = end;
      continue;
    }
    if (code === 13) {
      out += '\n';
      if (text[i + 1] === '\n') i++;
    } else if (code === 12 || code === 11 || code === 0x85 || code === 0x2028 || code === 0x2029) out += pageBreak;
    else if (code === 9 || code === 10) out += text[i];
    else if (code < 32 || (code >= 127 && code < 160) || code === 0xfeff || code === 0xfffe || code === 0xffff)
      continue;
    else out += text[i];
  }
  const points = Array.from(out, (c) => (c.length === 1 && c >= '\ud800' && c <= '\udfff' ? '\ufffd' : c));
  return points.filter((c, i) => c !== '\u00ad' || !isInWord(points, i)).join('');
}

/** Whether a letter, with its marks, and another letter stand around the run of soft hyphens at `at`. */
function isInWord(points: readonly string[], at: number): boolean {
  let before = at - 1;
  while (points[before] === '\u00ad') before--;
  while (/^\p{M}$/u.test(points[before] ?? '')) before--;
  let after = at + 1;
  while (points[after] === '\u00ad') after++;
  return /^\p{L}$/u.test(points[before] ?? '') && /^\p{L}$/u.test(points[after] ?? '');
}

const unit = fc.oneof(
  fc.constantFrom(
    '\r',
    '\n',
    '\f',
    '\v',
    '\0',
    '\x1b',
    '[',
    '3',
    '1',
    'm',
    '\ud83d',
    '\ude00',
    '\ufeff',
    '\uffff',
    '\u0085',
    '\u2028',
    'a',
    ' ',
    '\t',
    'é',
    '\u00ad',
    '\u0301',
  ),
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
);
const text = fc.array(unit, { maxLength: 40 }).map((units) => units.join(''));

describe('text rules', () => {
  test('agree with the same rules written without regular expressions', () => {
    fc.assert(
      fc.property(text, (sample) => {
        expect(cleanText(sample)).toBe(slowly(sample, '\n'));
        expect(cleanLines(sample)).toBe(slowly(sample, ' '));
      }),
      { numRuns: 2000 },
    );
  });

  test('what editors do not count as a line end adds no line', () => {
    const sample = 'one\ftwo\nthree\u2028four\r\nfive\rsix';
    expect(cleanLines(sample).split('\n')).toHaveLength(4);
    expect(cleanText(sample).split('\n')).toHaveLength(6);
  });
});
