import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashTerm } from '../../../src/retrieve/hash.ts';
import { TermHashes } from '../../../src/retrieve/term-hashes.ts';
import { documentTokens } from '../../../src/text/analysis/analysis.ts';

const expected = (text: string): number[] => documentTokens(text).map(hashTerm);

describe('TermHashes', () => {
  it('gives the hashes of documentTokens, for any text and however often its words were met', () => {
    const hashes = new TermHashes();
    const piece = fc.oneof(
      fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
      fc.constantFrom(
        ...['parseHTTPHeader', 'ERR_MODULE_NOT_FOUND', 'the', "dog's", 'v22.18', '--dry-run', 'CVE-2024-1234'],
        ...['Überraschung', '日本語の文', 'ไทย', 'e\u0301', '😀', '\ud800', 'a'.repeat(200), `b${"'c".repeat(60)}`],
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom(' ', '', '-', '\n'), (pieces, joiner) => {
        const text = pieces.join(joiner);
        expect([...hashes.of(text)]).toEqual(expected(text));
        expect([...hashes.of(text)]).toEqual(expected(text));
      }),
      { numRuns: 50 },
    );
  });

  it('still does when it has met more words than it keeps', () => {
    const hashes = new TermHashes();
    const texts = Array.from({ length: 56 }, (_, t) =>
      Array.from({ length: 2500 }, (_, i) => `w${(t * 2500 + i).toString(36)}x`).join(' '),
    );
    for (const text of texts) hashes.of(text);
    for (const text of [texts[0]!, texts[34]!, texts[55]!, texts[0]!])
      expect([...hashes.of(text)]).toEqual(expected(text));
  });

  it('returns arrays that later calls leave alone', () => {
    const hashes = new TermHashes();
    const first = hashes.of('lighthouse keeper');
    hashes.of('something else entirely');
    expect([...first]).toEqual(expected('lighthouse keeper'));
  });
});
