import { describe, expect, it } from 'vitest';
import { analyseQuestion, matchTerms } from '../../../../src/answer/sentences/question/question.ts';
import { analyseWords } from '../../../../src/text/analysis/words.ts';
import { subjectsOfWord } from '../../../../src/text/languages/related-words.ts';

function areRelated(a: string, b: string, language: string): boolean {
  const others = subjectsOfWord(b, language);
  return subjectsOfWord(a, language).some((subject) => others.includes(subject));
}

describe('words of one subject', () => {
  it.each([
    ['en', 'started', 'founded'],
    ['de', 'begann', 'gegründet'],
    ['fr', 'commencé', 'fondé'],
    ['es', 'empezó', 'fundada'],
    ['it', 'iniziato', 'fondata'],
    ['pt', 'começou', 'fundado'],
    ['nl', 'begon', 'opgericht'],
    ['sv', 'började', 'grundades'],
    ['no', 'startet', 'grunnlagt'],
    ['da', 'begynte', 'stiftet'],
    ['ru', 'началась', 'основана'],
  ])('are related in their language (%s: %s, %s)', (language, a, b) => {
    expect(areRelated(a, b, language)).toBe(true);
    expect(areRelated(a, 'zzz', language)).toBe(false);
  });

  it.each([
    ['en', 'died', 'fatalities'],
    ['en', 'keep', 'retained'],
    ['de', 'starben', 'todesopfer'],
    ['de', 'aufbewahren', 'aufbewahrungsfrist'],
    ['fr', 'mourir', 'victimes'],
    ['fr', 'garder', 'conservés'],
    ['es', 'murieron', 'fallecidos'],
    ['es', 'guardar', 'conservan'],
    ['it', 'morti', 'vittime'],
  ])('are those for deaths, and for what is kept (%s: %s, %s)', (language, a, b) => {
    expect(areRelated(a, b, language)).toBe(true);
  });

  it('are those of the language of the question alone', () => {
    expect(areRelated('make', 'gift', 'sv')).toBe(true); // a husband, and married
    expect(areRelated('make', 'gift', 'en')).toBe(false);
    expect(areRelated('car', 'cause', 'fr')).toBe(true);
    expect(areRelated('car', 'cause', 'en')).toBe(false);
    expect(areRelated('started', 'founded', 'tr')).toBe(true); // no list: as in English
  });

  it('hold a term of a question by less than the word itself', () => {
    const question = analyseQuestion('Wann wurde die Werft von den Brüdern begonnen?', {
      rows: 10,
      documentFrequency: () => 1,
    });
    const at = question.terms.findIndex(({ word }) => word === 'begonnen');
    const held = (text: string): number => matchTerms(question, analyseWords(text))[at]!;
    expect(held('Sie wurde 1871 gegründet.')).toBeCloseTo(0.4);
    expect(held('Begonnen wurde 1871.')).toBe(1);
    expect(held('Sie wurde 1871 verlegt.')).toBe(0);
  });
});
