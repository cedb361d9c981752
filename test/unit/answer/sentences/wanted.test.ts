import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../src/answer/sentences/question.ts';
import { holdingsOf, lacksFigure } from '../../../../src/answer/sentences/wanted.ts';
import { analyseWords } from '../../../../src/text/analysis/words.ts';
import { statisticsOf } from '../hits.ts';

function lacks(text: string, sentence: string): boolean {
  const question = analyseQuestion(text, statisticsOf([sentence]));
  return lacksFigure(question, holdingsOf(question, analyseWords(sentence), sentence, undefined));
}

describe('lacksFigure', () => {
  it.each([
    ['How many columns can a table have?', 'The default is 2500.', false],
    ['How many columns can a table have?', 'Set it with dock2_limit, a table of columns at a time.', true],
    ['How many columns can a table have?', 'A table can have nine.', false],
    ['How many ships met in 1788?', 'They met in 1788.', true],
    ['When did the gate open?', 'It opened in May 1931.', false],
    ['When did the gate open?', 'It opened for quay7 alone.', true],
    ['When did the gate open?', 'The Holder may open it under Article 20.', true],
    ['Who opened the gate?', 'It opened for no one.', false],
  ])('%s — %s', (question, sentence, expected) => {
    expect(lacks(question, sentence)).toBe(expected);
  });
});
