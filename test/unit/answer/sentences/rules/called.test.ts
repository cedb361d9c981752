import { expect, it } from 'vitest';
import { calledGain } from '../../../../../src/answer/sentences/rules/called.ts';
import { gaining } from './gaining.ts';

it.each([
  ['What is the ferry called?', 'Take the ferry (Tern) at nine.', true],
  ['What is the name of the ferry?', 'A ferry called Tern leaves at nine.', true],
  ['What is the ferry named?', 'The ferry is called Tern.', true],
  ['Wie heißt die Fähre?', 'Um neun fährt eine Fähre namens Seeschwalbe.', true],
  ['Comment s’appelle le bac ?', 'À neuf heures part le bac « Sterne ».', false],
  ['What is the ferry called?', 'Stop the ferry and call us.', false],
  ['What is the ferry called?', 'The harbour (Wick) has a ferry.', false],
  ['When is the ferry?', 'Take the ferry (Tern) at nine.', false],
])('%s – %s', (question, sentence, expected) => {
  expect(gaining(calledGain, question, sentence)).toHaveLength(expected ? 1 : 0);
});
