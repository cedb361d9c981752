import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachDocumentTerm } from '../../../src/text/analysis/analysis.ts';
import { eachPlainTerm } from '../../../src/text/analysis/plain-text.ts';

/** Words and terms in order; a word with where it stands. */
type Met = (string | readonly [word: string, start: number, end: number])[];

function plainOf(text: string): Met | undefined {
  const met: Met = [];
  const isPlain = eachPlainTerm(text, {
    word: (units, start, end) => met.push([String.fromCharCode(...units.subarray(start, end)), start, end]),
    term: (term) => met.push(term),
  });
  return isPlain ? met : undefined;
}

function expectedOf(text: string): Met {
  const met: Met = [];
  eachDocumentTerm(text, {
    word: (of, start, end) => met.push([of.slice(start, end), start, end]),
    term: (term) => met.push(term),
  });
  return met;
}

const pieces = [
  ...[
    'lighthouse',
    'light-\n> house',
    'Straße',
    'É',
    '¼',
    '_',
    "'",
    "dog's",
    '’',
    '\u00b4',
    '\u02bc',
    '\u2011',
    '“',
    '—',
    '…',
    '.',
    '-',
    '--',
    '/',
    ':',
    '@',
    ' ',
    '\n',
  ],
  ...['=', '==', '!==', '+', '++', '#', '=>', '&&', 'c', 'no', 'with'],
  ...['\0', '22', 'v1', 'CVE', 'a'.repeat(70), '9'.repeat(63)],
];

describe('eachPlainTerm', () => {
  it('passes on what eachDocumentTerm does', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(plainOf(text)).toEqual(expectedOf(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('declines a text with any other code unit, wherever it stands, and no other text', () => {
    for (let unit = 0; unit < 0x10000; unit++) {
      const character = String.fromCharCode(unit);
      const isPlain = (unit < 0x300 && unit !== 0xad) || (unit >= 0x2010 && unit <= 0x2027);
      for (const text of [character, `e${character}`, `d'${character} x`]) {
        const met = plainOf(text);
        if (isPlain ? met === undefined : met !== undefined) expect.fail(`U+${unit.toString(16)} in ${text}`);
        if (met) expect(met).toEqual(expectedOf(text));
      }
    }
  });

  it('makes room for longer texts', () => {
    const text = 'lighthouse keeper '.repeat(5000);
    expect(plainOf(text)).toEqual(expectedOf(text));
  });
});
