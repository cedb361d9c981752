import { countTokens as packageCount } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { mergedCount } from '../../../src/text/token-merge.ts';
import { countTokens } from '../../../src/text/tokens.ts';

const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

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

  it('survives a word of a million letters', () => {
    // o200k_base has a token of eight a's and none of nine or more that would be reached by merging.
    expect(countTokens('a'.repeat(1_000_000))).toBe(125_000);
  });
});

describe('mergedCount', () => {
  const ranks = new Map([...'abc'].map((letter, rank) => [letter, rank]));
  ranks.set('ab', 3).set('bc', 4).set('abab', 5).set('aa', 6);

  it('merges the lowest rank first, though another pair would leave fewer', () => {
    // abc: ab (3) before bc (4) leaves ab|c
    expect(mergedCount(ranks, 'abc')).toBe(2);
    // ababc: ab ab c → abab c
    expect(mergedCount(ranks, 'ababc')).toBe(2);
  });

  it('merges the leftmost of equals', () => {
    // aaa: (aa)a, not a(aa); then nothing merges
    expect(mergedCount(ranks, 'aaa')).toBe(2);
    // aab: ab has the lower rank → a|ab
    expect(mergedCount(ranks, 'aab')).toBe(2);
  });

  it('leaves single bytes alone', () => {
    expect(mergedCount(ranks, 'c')).toBe(1);
    expect(mergedCount(ranks, 'cc')).toBe(2);
  });
});
