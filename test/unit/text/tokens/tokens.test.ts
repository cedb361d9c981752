import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import packageTable from 'gpt-tokenizer/bpeRanks/o200k_base';
import { countTokens as packageCount } from 'gpt-tokenizer/encoding/o200k_base';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { describe, expect, it } from 'vitest';
import { mergedCount } from '../../../../src/text/tokens/merge.ts';
import { asciiPieceEnd } from '../../../../src/text/tokens/pieces.ts';
import { ranksOf, TokenRanks } from '../../../../src/text/tokens/ranks.ts';
import { countTokens, TokenCounter } from '../../../../src/text/tokens/tokens.ts';

it('reads the ranks that the package has as a module', () => {
  const file = createRequire(import.meta.url).resolve('gpt-tokenizer/data/o200k_base.tiktoken');
  const ranks = ranksOf(readFileSync(file));
  const wrong = packageTable.filter((token, rank) => {
    const bytes = typeof token === 'string' ? new TextEncoder().encode(token) : Uint8Array.from(token);
    return ranks.rankOf(bytes, 0, bytes.length) !== rank;
  });
  expect(wrong).toEqual([]);
  expect(packageTable.length).toBeGreaterThan(190_000);
});

const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

const asciiUnits = Array.from({ length: 128 }, (_, unit) => String.fromCharCode(unit));
/** What the expression tells apart, thick enough that its rules meet each other. */
const piecesOfText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...asciiUnits) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(' ', '  ', '\n', '\r\n', '\t', "'s", "'LL", "'re", '/', '12', 'ab', 'AB', 'Ab', '(('),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'é',
      'É',
      'ǅ',
      'ʰ',
      'e\u0301',
      '中',
      '٣',
      '\u00a0',
      '\u2028',
      '–',
      '’s',
      '😀',
      '\ud800',
      '\udc00',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }) },
);
const anyText = fc.array(piecesOfText, { maxLength: 60 }).map((pieces) => pieces.join(''));

describe('countTokens', () => {
  it.each([
    '',
    'a',
    'Hello, world!',
    "It's 12345.678 (or isn't it?)\n\n\tindented   text  ",
    'function foo_bar(x) { return x >>> 2; } // ERR_MODULE_NOT_FOUND',
    'Donaudampfschifffahrtsgesellschaftskapitän',
    'pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(5),
    '日本語の文章です。中文句子，很短。한국어 문장.',
    'ภาษาไทยไม่มีช่องว่าง क्षत्रिय العربية Ελληνικά',
    '👩‍👩‍👧‍👦🇩🇪👍🏽 e\u0301\u0302 \uD83D lone',
    ' '.repeat(700),
    '\n'.repeat(300),
    'ab'.repeat(2_000),
    '=-'.repeat(500),
  ])('agrees with the package’s encoder on %j', (text) => {
    expect(countTokens(text)).toBe(packageCount(text, asText));
  });

  it('counts what spells a special token as plain text', () => {
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('counts the same with a warm cache', () => {
    expect(countTokens('zyzzyva')).toBe(countTokens('zyzzyva'));
  });

  it('agrees with the package’s encoder on any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countTokens(text)).toBe(packageCount(text, asText));
      }),
      { numRuns: 1_000 },
    );
  });

  it('counts the same once more pieces were seen than it remembers', () => {
    const before = countTokens('incomprehensibilities of Ωmega');
    let seen = 0;
    for (let i = 0; i < 70_000; i++) seen += countTokens(` x${i.toString(36)}`) > 0 ? 1 : 0;
    expect(seen).toBe(70_000);
    expect(countTokens('incomprehensibilities of Ωmega')).toBe(before);
    const words = Array.from({ length: 50 }, (_, i) => `w${((i * 7919) % 70_000).toString(36)}`).join(' ');
    expect(countTokens(words)).toBe(packageCount(words, asText));
  });

  it('survives a word of a million letters', () => {
    // o200k_base has a token of eight a's and none of nine or more that would be reached by merging.
    expect(countTokens('a'.repeat(1_000_000))).toBe(125_000);
  });
});

describe('TokenCounter', () => {
  it('counts any part of a text as if it stood alone', () => {
    const places = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(anyText, places, (text, parts) => {
        const counter = new TokenCounter(text);
        const other = new TokenCounter('of another text, asked in between');
        for (const [a, b] of parts) {
          if (a % 3 === 0) expect(other.count(0, 15)).toBe(countTokens('of another text'));
          const start = Math.min(a, b) % (text.length + 1);
          const end = start + (Math.max(a, b) % (text.length - start + 1));
          expect([start, end, counter.count(start, end)]).toEqual([start, end, countTokens(text.slice(start, end))]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('counts parts of a text longer than it looks at once, in any order', () => {
    const text = Array.from({ length: 40_000 }, (_, i) => `Wörd ${i}, it's\n`).join('');
    const counter = new TokenCounter(text);
    const parts = [0, 70_000, 65_530, 300_000, 12, text.length - 5_000].map((start) => [start, start + 5_000] as const);
    for (const [start, end] of [...parts, [0, 100_000], [65_000, 66_000]] as const) {
      expect(counter.count(start, end)).toBe(countTokens(text.slice(start, end)));
    }
  });
});

describe('asciiPieceEnd', () => {
  const expression = new RegExp(O200K_TOKEN_SPLIT_REGEX.source, 'uy');
  const endOf = (text: string, at: number): number => {
    expression.lastIndex = at;
    expression.test(text);
    return expression.lastIndex;
  };

  it('ends every piece where the expression does, or leaves it to it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (let at = 0; at < text.length; at = endOf(text, at)) {
          const end = asciiPieceEnd(text, at);
          if (end !== -1) expect([at, end]).toEqual([at, endOf(text, at)]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('decides every piece of an ASCII text itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...asciiUnits), maxLength: 40 }), (text) => {
        const ends: number[] = [];
        for (let at = 0; at < text.length; at = ends.at(-1)!) ends.push(asciiPieceEnd(text, at));
        const expected: number[] = [];
        for (let at = 0; at < text.length; at = expected.at(-1)!) expected.push(endOf(text, at));
        expect(ends).toEqual(expected);
      }),
      { numRuns: 5_000 },
    );
  });
});

const rankTable = (tokens: Readonly<Record<string, number>>): TokenRanks => {
  const ranks = new TokenRanks();
  for (const [token, rank] of Object.entries(tokens)) ranks.add(Buffer.from(token), Buffer.byteLength(token), rank);
  return ranks;
};

describe('TokenRanks', () => {
  it('gives the same ranks in another thread, and takes no more tokens there', () => {
    const tokens = { a: 0, ab: 1, abc: 2, größe: 3, 漢字漢字漢字: 4, zz: 5 };
    const there = TokenRanks.attach(structuredClone(rankTable(tokens).share()));
    for (const text of [...Object.keys(tokens), 'b', 'abcd', 'gr']) {
      const bytes = Buffer.from(`-${text}-`);
      expect(there.rankOf(bytes, 1, bytes.length - 1), text).toBe(tokens[text as keyof typeof tokens] ?? -1);
    }
    expect(() => there.add([1, 2, 3], 3, 6)).toThrow(RangeError);
  });
});

describe('mergedCount', () => {
  const ranks = rankTable({ a: 0, b: 1, c: 2, ab: 3, bc: 4, abab: 5, aa: 6 });
  const count = (piece: string): number => mergedCount(ranks, Buffer.from(piece), piece.length);

  it('merges the lowest rank first, though another pair would leave fewer', () => {
    // abc: ab (3) before bc (4) leaves ab|c
    expect(count('abc')).toBe(2);
    // ababc: ab ab c → abab c
    expect(count('ababc')).toBe(2);
  });

  it('merges the leftmost of equals', () => {
    // aaa: (aa)a, not a(aa); then nothing merges
    expect(count('aaa')).toBe(2);
    // aab: ab has the lower rank → a|ab
    expect(count('aab')).toBe(2);
  });

  it('leaves single bytes alone', () => {
    expect(count('c')).toBe(1);
    expect(count('cc')).toBe(2);
  });

  it('does with a heap what it does without', () => {
    // Parts of a long piece that no token joins are merged as if they stood alone: "cc" separates, as no token holds
    // it.
    const part = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 12, maxLength: 30 }), (parts) => {
        const alone = parts.reduce((sum, one) => sum + count(`${one}cc`), 0);
        expect(count(parts.map((one) => `${one}cc`).join(''))).toBe(alone);
      }),
    );
  });
});
