import { expect, it, test } from 'vitest';
import { confidenceOf } from '../../../../src/answer/answerability/answerability.ts';
import { analyseQuestion, type Question } from '../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../src/answer/sentences/ranking/features.ts';
import { type Judged, judge, rank } from '../../../../src/answer/sentences/ranking/rank.ts';
import { type Choice, choose } from '../../../../src/answer/sentences/ranking/select.ts';
import { readingOf } from '../../../../src/answer/sentences/spans/reading.ts';
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

function chosen(asked: string, text: string): { question: Question; judged: Judged[]; choice: Choice } {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const ranked = rank(candidatesOf(question, [hitOf(chunkOf(text))]));
  const judged = judge(question, ranked);
  return { question, judged, choice: choose(question, ranked, judged, 1) };
}

/** The sum of the probabilities of all sentences but one, up to 0.6. */
const rivals = (judged: readonly Judged[], first: Judged): number =>
  Math.min(
    0.6,
    judged.reduce(
      (sum, { candidate, score }) => sum + (candidate === first.candidate ? 0 : 1 / (1 + Math.exp(-score))),
      0,
    ),
  );

test.each([
  [
    'Who keeps the lantern of the harbour?',
    'The lantern of the harbour is kept by Ines. The lantern is kept by Ole at night.',
    0,
  ],
  ['Who may open the lantern of the harbour at night?', 'Contact: Ines', 0],
  ['Wer hat den Schlüssel der Laterne?', 'Den Schlüssel der Laterne hat Ines Brandt.', 0.8],
])(
  'a sentence is as sure as its trees and the network find it, less than 1.6 and its rivals: %s',
  (asked, text, more) => {
    const { question, judged, choice } = chosen(asked, text);
    const [first] = choice.answer;
    const network = readingOf(question, first!.candidate).whole + more;
    expect(choice.sureness).toBeCloseTo(first!.score + network - 2 * rivals(judged, first!) - 1.6, 9);
  },
);

test.each([
  ['Which part of the valve is of tin?', 'The valve has these parts:\n\n- a spring of copper\n- a seat of tin'],
  [
    'What does the lamp of the harbour cost?',
    'Thing | Price\nLamp of the harbour | 9 euros\nRope of the harbour | 4 euros',
  ],
])('what the network cannot judge counts as an usual sentence: %s', (asked, text) => {
  const { judged, choice } = chosen(asked, text);
  const [first] = choice.answer;
  expect(choice.sureness).toBeCloseTo(first!.score + 2 - 2 * rivals(judged, first!) - 1.6, 9);
});
