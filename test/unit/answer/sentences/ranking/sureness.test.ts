import { expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { answersAlike } from '../../../../../src/answer/sentences/ranking/agreeing.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { rank } from '../../../../../src/answer/sentences/ranking/rank.ts';
import { sureOf } from '../../../../../src/answer/sentences/ranking/sureness.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

function both(asked: string, text: string) {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const [first, other] = candidatesOf(question, [hitOf(chunkOf(text))]);
  return { question, first: first!, other: other! };
}

it.each([
  ['How many caps did Tor win?', 'Tor won 15 caps. Caps of Tor: fifteen.', true],
  ['How many caps did Tor win?', 'Tor won 15 caps. Caps of Tor: sixteen.', false],
  [
    'When was the quay of Haven built?',
    'The quay of Haven was built on 4 May 1961. Haven has a quay since 1961-05-04.',
    true,
  ],
  ['How many caps did Tor win?', 'Tor won 15 caps. There were 15 boats.', false], // says nothing of it
  ['Does the crane work in storms?', 'The crane does not work in storms. In storms no crane will work.', true],
  ['Does the crane work in storms?', 'The crane does not work in storms. In storms this crane will work.', false],
  ['Who built the crane?', 'Tor Vale built the crane. The crane was built by Tor Vale.', false], // a name says little
])('%s %s: alike %s', (asked, text, expected) => {
  const { question, first, other } = both(asked, text);
  expect(answersAlike(question, first, other)).toBe(expected);
});

it('a sentence that says the same does not speak against an answer', () => {
  const sure = (text: string): number => {
    const { question, first, other } = both('Does the crane work in storms?', text);
    const judged = rank([first, other].map((one) => one)).map((one) => ({
      ...one,
      score: 0,
      looked: undefined as never,
    }));
    return sureOf(question, [judged.find(({ candidate }) => candidate === first)!], judged);
  };
  const first = 'The crane does not work in storms.';
  expect(sure(`${first} In storms no crane will work.`)).toBeGreaterThan(
    sure(`${first} In storms this crane will work.`),
  );
});
