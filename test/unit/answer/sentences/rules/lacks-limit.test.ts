import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { lacksLimit } from '../../../../../src/answer/sentences/rules/lacks-limit.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

function lacks(question: string, text: string): boolean {
  const analysed = analyseQuestion(question, statisticsOf([text]));
  return lacksLimit(analysed, candidatesOf(analysed, [hitOf(chunkOf(text))])[0]!);
}
const question = 'What is the maximum number of passengers of the ferry?';

describe('lacksLimit', () => {
  it('is for a number that was so, where a maximum is asked for', () => {
    expect(lacks(question, 'All 214 passengers of the ferry were saved.')).toBe(true);
    expect(lacks('What is the minimum number of guests?', 'Nine guests came to the hall.')).toBe(true);
  });

  it.each([
    'The ferry takes up to 214 passengers.',
    'The ferry may carry 214 passengers.',
    'The ferry has a capacity of 214 passengers.',
    'No more than 214 passengers are let in.',
    'Its maximum is 214 passengers.',
  ])('is not for %s', (text) => {
    expect(lacks(question, text)).toBe(false);
  });

  it('asks nothing of other questions', () => {
    expect(lacks('What is the number of passengers of the ferry?', 'All 214 passengers were saved.')).toBe(false);
  });
});
