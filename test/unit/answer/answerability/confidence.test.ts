import { expect, it, test } from 'vitest';
import { confidenceOf } from '../../../../src/answer/answerability/answerability.ts';
import { analyseQuestion } from '../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../src/answer/sentences/ranking/features.ts';
import { judge, rank } from '../../../../src/answer/sentences/ranking/rank.ts';
import { choose } from '../../../../src/answer/sentences/ranking/select.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';

const thresholds = { refuseBelow: 0.2, answerFrom: 0.6 };

// odds of 0.6 are 1.5, those of 0.5 are 1, those of 0.75 are 3
test.each([
  [0.19, 9, 'none'],
  [0.59, 0, 'low'],
  [0.6, 0, 'high'],
  [0.5, Math.log(1.5) + 1e-9, 'high'],
  [0.5, Math.log(1.5) - 1e-9, 'low'],
  [0.75, Math.log(0.5) + 1e-9, 'high'],
  [0.75, Math.log(0.5) - 1e-9, 'low'],
  [1, -20, 'high'],
])('support %d with a sureness of %d is %s', (support, sureness, expected) => {
  expect(confidenceOf(support, thresholds, sureness)).toBe(expected);
});

it('whatever the sentence, 0 answers everything, and 1 only what is certain', () => {
  expect(confidenceOf(0, { refuseBelow: 0, answerFrom: 0 }, -20)).toBe('high');
  expect(confidenceOf(0.999, { refuseBelow: 0, answerFrom: 1 }, 20)).toBe('low');
});

test.each([
  ['Who keeps the lantern of the harbour?', 'The lantern of the harbour is kept by Ines.', 1],
  ['Who keeps the lantern of the harbour?', 'The lantern of the yard is kept by Ines.', 0],
  ['Who may open the lantern of the harbour at night?', 'Contact: Ines', 0],
])('the sureness is 0.6 for each logit of the trees above 0.6, and 1 for all words: %s %s', (asked, text, all) => {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const ranked = rank(candidatesOf(question, [hitOf(chunkOf(text))]));
  const choice = choose(question, ranked, judge(question, ranked), 1);
  expect(choice.sureness).toBeCloseTo(0.6 * (choice.answer[0]!.score - 0.6) + all, 9);
});
