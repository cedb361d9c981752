import { expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { whichOneGain } from '../../../../../src/answer/sentences/rules/which-one.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

function gains(question: string, sentence: string): boolean {
  const analysed = analyseQuestion(question, statisticsOf([sentence]));
  const [candidate] = candidatesOf(analysed, [hitOf(chunkOf(sentence, { title: 'The archive' }))]);
  return whichOneGain(analysed, candidate!) > 0;
}

it.each([
  ['Which floor is the archive on?', 'You find it on the second floor, behind the lift.', true],
  ['Which room is it in?', 'It is kept in room 12.', true],
  ['Which gate do I use?', 'Please use gate C.', true],
  ['Auf welcher Etage ist es?', 'Die Sammlung liegt auf der dritten Etage hinten.', true],
  ['À quel étage est-ce ?', 'C’est au deuxième étage.', true],
  ['Which floor is the archive on?', 'The floor was laid in oak.', false],
  ['Which floor is the canteen on?', 'The maps lie on the second floor.', false],
  ['How large is the second floor?', 'The maps lie on the second floor.', false],
])('%s – %s', (question, sentence, expected) => {
  expect(gains(question, sentence)).toBe(expected);
});
