import { describe, expect, it } from 'vitest';
import { analyseWords } from '../../../../src/text/analysis/words.ts';
import {
  functionWords,
  isFunctionWord,
  queryStopWords,
  refersBack,
  stopWords,
} from '../../../../src/text/languages/function-words.ts';
import { isFigureWord } from '../../../../src/text/languages/question-words.ts';

describe('function words', () => {
  it('has the languages of each purpose', () => {
    const languages = (purpose: Parameters<typeof functionWords>[0]): string =>
      [...functionWords(purpose).keys()].join(' ');
    expect(languages('index')).toBe('en');
    expect(languages('query')).toBe('en de es fr it pt nl ru ar hi sv no pl cs tr vi id hu fi uk el he fa');
    expect(languages('detect')).toBe('en de es fr it pt nl sv no pl cs tr vi id hu fi'); // their order decides between equal votes
    expect(languages('answer')).toBe('en de es fr it pt nl ru ar hi sv no pl cs tr vi id hu fi uk el he fa ko zh ja');
    expect(languages('reference')).toBe('en de es fr it pt nl ru');
  });

  it('leaves out of queries what is left out of documents, and what only asks', () => {
    expect(stopWords.size).toBe(33);
    for (const word of stopWords) expect(queryStopWords.has(word)).toBe(true);
    expect(queryStopWords.has('what')).toBe(true);
    expect(stopWords.has('what')).toBe(false);
    for (const asking of ['wie', 'où', 'cuándo', 'perché', 'hoeveel', 'сколько', 'متى', 'कब'])
      expect(queryStopWords.has(asking)).toBe(true);
    // English nouns
    for (const noun of ['comment', 'dove', 'hat', 'die', 'hoe', 'quanta', 'kde', 'ai', 'co', 'var', 'vad', 'kim'])
      expect(queryStopWords.has(noun)).toBe(false);
  });

  it('keeps lists apart that differ on purpose', () => {
    const has = (purpose: Parameters<typeof functionWords>[0], language: string, word: string): boolean =>
      functionWords(purpose).get(language)!.has(word);
    expect([has('answer', 'en', 'were'), has('detect', 'en', 'were'), queryStopWords.has('were')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([has('reference', 'de', 'damit'), has('answer', 'de', 'damit')]).toEqual([true, false]);
  });

  it('knows a pair of characters made only of function words', () => {
    expect(isFunctionWord('什么', true)).toBe(true);
    expect(isFunctionWord('提琴', true)).toBe(false);
    expect(isFunctionWord('什么', false)).toBe(false);
  });

  it('holds no name or noun of another language', () => {
    for (const word of ['dan', 'till', 'ilk', 'bao', 'kim', 'fire']) expect(isFunctionWord(word, false)).toBe(false);
    for (const word of ['fire', 'lima', 'dua', 'roku', 'marca']) expect(isFigureWord(word)).toBe(false);
  });

  it('knows a word in every spelling of its letters', () => {
    for (const word of ['إلى', 'الى', 'الي', 'أين', 'اين', 'هى', 'از', 'של', 'και'])
      expect(isFunctionWord(word, false)).toBe(true);
  });

  it.each([
    ['How tall is it?', true],
    ['And in winter?', true],
    ['それは何ですか', true],
    ['Wozu dient diese?', true],
    ['А в 2022 году?', true],
    ['Аист живёт на крыше?', false],
    ['How tall is the tower?', false],
  ])('%s refers back: %s', (question, expected) => {
    expect(refersBack(question, analyseWords(question))).toBe(expected);
  });
});
