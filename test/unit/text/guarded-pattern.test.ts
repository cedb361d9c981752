import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GuardedPattern, guarded, requiredLetters } from '../../../src/text/guarded-pattern.ts';
import { asksDefinition } from '../../../src/text/languages/definitions.ts';
import { memberQuestions } from '../../../src/text/languages/member-questions.ts';

describe('requiredLetters', () => {
  it.each<[string, readonly (readonly string[])[]]>([
    ['what is returned by', [['what is returned by']]],
    ['what (?:does|will) (.+?) return', [['what '], ['does', 'will'], [' return']]],
    ['prices?', [['price']]], // the `s` may be missing
    ['centur(?:y|ies)', [['centur']]], // too short to tell anything
    ['(?:lake|river)? banks', [[' banks']]],
    ['(?:lake|river)* banks{0,2} held{2}', [[' bank'], [' held']]],
    ['(?:lake|.*)', []],
    ['lake|river', [['lake', 'river']]],
    ['(?=lake)(?!river)(?<=canal)(?<!ditch)', [['lake'], ['canal']]],
    ['(?<name>lake) [(|river] \\(bank\\) \\x60\\bsea\\p{L}', [['lake'], [' (bank) '], ['sea']]],
    ['Éclair', [['éclair']]],
    ['δώρο', []], // its letters have more than one small form
  ])('of %s', (source, required) => {
    expect(requiredLetters(source)).toEqual(required);
  });
});

describe('a guarded pattern', () => {
  it('matches as the same regular expression does', () => {
    const sources = [
      ...memberQuestions.map(([, { source }]) => source),
      ...asksDefinition.map(({ pattern }) => pattern.source),
      '(?:the )?(?:lake|river)s?(?: and (?:the )?bank)+\\??',
      '(?<!\\p{L})(?:ab+c|[abc]{2,}d?|(?:e|ff)*g)(?!\\p{L})',
      'a(?:b(?:c|d)?|(?<x>ef|g))+h',
    ];
    const piecesOf = (source: string): string[] => source.split(/[()?|:\\[\]{}+*^$]+/).filter((one) => one !== '');
    let matched = 0;
    const texts = fc.constantFrom(...sources).chain((source) =>
      fc.record({
        source: fc.constant(source),
        pieces: fc.array(fc.constantFrom(...piecesOf(source)), { minLength: 1, maxLength: 6 }),
        between: fc.constantFrom('', ' '),
        isCapital: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(texts, ({ source, pieces, between, isCapital }) => {
        const text = isCapital ? pieces.join(between).toUpperCase() : pieces.join(between);
        const found = new RegExp(source, 'iu').exec(text);
        if (found) matched++;
        expect(new GuardedPattern(source, 'iu').exec(text)).toEqual(found);
      }),
      { numRuns: 20_000 },
    );
    expect(matched).toBeGreaterThan(200);
  });

  it('reads capitals and the long s as its expression does', () => {
    for (const text of ['WHAT IS PRESSED', 'what is preſſed', 'What is pressed'])
      expect(guarded(/is pressed/iu).test(text)).toBe(true);
    expect(guarded(/is pressed/u).test('IS PRESSED')).toBe(false);
  });
});
