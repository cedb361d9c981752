import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gramText } from '../../../../src/retrieve/grams.ts';
import { documentTokens } from '../../../../src/text/analysis/analysis.ts';
import { analyseWords } from '../../../../src/text/analysis/words.ts';

const texts = [
  '由全体股东按照出资比例缴纳董事会由七名董事组成每届任期三年',
  '所定労働日の八割以上出勤した場合に十日の年次有給休暇を与える',
  'บริษัทต้องจัดให้มีการประชุมสามัญผู้ถือหุ้นปีละครั้งภายในสี่เดือน',
];
/** From the 14th character on, before any that begins a letter. */
const broken = fc
  .constantFrom(...texts)
  .chain((text) =>
    fc.tuple(
      fc.constant(text),
      fc.integer({ min: 14, max: text.length - 1 }),
      fc.constantFrom('\n', ' \n', '\n  ', '\t\n'),
    ),
  )
  .filter(([text, at]) => /^[^\p{M}]/u.test(text.slice(at)));

describe('a line of a script without spaces', () => {
  it('ends within a word: the next line goes on with it', () => {
    fc.assert(
      fc.property(broken, ([text, at, end]) => {
        const lines = text.slice(0, at) + end + text.slice(at);
        expect(documentTokens(lines)).toEqual(documentTokens(text));
        expect(gramText(lines)).toBe(gramText(text));
        const words = analyseWords(lines);
        const whole = analyseWords(text);
        expect(words.map(({ term }) => term)).toEqual(whole.map(({ term }) => term));
        const place = (offset: number): number => (offset < at ? offset : offset + end.length);
        // a pair that the line ends within has both of its letters; others end before the break
        expect(words.map(({ start }) => start)).toEqual(whole.map(({ start }) => place(start)));
        for (const [i, { end: last }] of words.entries())
          expect(lines.slice(words[i]!.start, last).replace(/\s/g, '')).toBe(
            text.slice(whole[i]!.start, whole[i]!.end),
          );
      }),
    );
  });

  it('is an item of its own where it is short, and where a blank line follows', () => {
    expect(documentTokens('苹果\n香蕉')).toEqual(['苹果', '香蕉']);
    expect(documentTokens('由全体股东按照出资比例缴纳董事甲\n\n乙方')).not.toContain('甲乙');
    expect(documentTokens('由全体股东按照出资比例缴纳董事甲\n乙方')).toContain('甲乙');
    expect(documentTokens('由全体股东按照出资比例缴纳\n乙方')).not.toContain('纳乙');
  });
});

describe('a word that a hyphen cuts at the end of a line', () => {
  it('is found whole and in its parts', () => {
    for (const end of ['-\n', '\u2010\n', '\u00ad\n', '-\n  ', '-\n> '])
      for (const [head, tail] of [
        ['docu', 'ment'],
        ['Com', 'mittee'],
        ['préci', 'sément'],
        ['command', 'line'],
      ] as const) {
        const broken = `in ${head}${end}${tail} here`;
        const parts = documentTokens(`in ${head} ${tail} here`);
        expect(new Set(documentTokens(broken))).toEqual(new Set([...parts, ...documentTokens(head + tail)]));
        const [whole] = analyseWords(head + tail);
        const found = analyseWords(broken).filter(({ term }) => term === whole!.term);
        const start = broken.indexOf(head);
        expect(found.map((one) => [one.start, one.end])).toEqual([[start, broken.indexOf(tail) + tail.length]]);
      }
  });

  it('goes on in small letters, behind letters, and is no prefix alone', () => {
    for (const text of ['North-\nSea', 'GPT4-\nlike', 'pre-\nand postwar', 'a-\nside', 'one -\ntwo', 'one-\n\ntwo'])
      expect(new Set(documentTokens(text))).toEqual(new Set(documentTokens(text.replaceAll(/[-\n]+/g, ' '))));
  });
});
