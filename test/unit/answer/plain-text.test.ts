import { describe, expect, it } from 'vitest';
import { plainText } from '../../../src/answer/plain-text.ts';

describe('plainText', () => {
  it.each([
    ['**Bold** and *slanted* and `code`.', 'Bold and slanted and code.'],
    ['See [the guide](guide.md "Guide") and ![a chart](x.png).', 'See the guide and a chart.'],
    ['[wiki](https://en.wikipedia.org/wiki/A_(b)) ends', 'wiki ends'],
    ['- one\n- two', 'one two'],
    ['# Title\n\nText over\ntwo lines.', 'Title Text over two lines.'],
    ['| a | b |', 'a · b'],
    ['Audit Fees (1) | $3,631,575 | $3,784,488', 'Audit Fees (1) · $3,631,575 · $3,784,488'],
    ['a\tb', 'a · b'],
    [
      'See [1], [2] and [doc:3]. So [4, 5] and [6–7] and [^8].',
      'See (1), (2) and [doc:3]. So (4, 5) and (6–7) and (^8).',
    ],
    ['2 * 3 * 4 = 24', '2 * 3 * 4 = 24'],
    ['snake_case_name and __init__ stay', 'snake_case_name and __init__ stay'],
    ['/*eslint x: "error"*/', '/*eslint x: "error"*/'],
    ['1978 was a year.', '1978 was a year.'],
    ['$5 *off* 50% [1]', '$5 off 50% (1)'],
  ])('%j', (quote, expected) => {
    expect(plainText(quote)).toBe(expected);
  });
});
