import { expect, it } from 'vitest';
import { calledGain, namesakeGain } from '../../../../../src/answer/sentences/rules/called.ts';
import { answered, gaining } from './gaining.ts';

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

it.each([
  ['Who is the ferry Tern named after?', 'The ferry Tern was named for the wife of its builder.', true],
  ['Which bird is Tern named after?', 'Tern takes its name from a sea bird.', true],
  ['How did the Tern get its name?', 'The Tern was named in honour of Ann Moor.', true],
  ['Which bird is Tern named after?', 'Gull was named after a sea bird.', false],
  ['Which bird is Tern named after?', 'Tern was painted after the storm.', false],
  ['What is Tern named?', 'Tern was named after a sea bird.', false],
  ['Nach wem ist die Fähre benannt?', 'Die Fähre ist nach Ann Moor benannt.', true],
])('after whom it is called: %s – %s', (question, sentence, expected) => {
  expect(gaining(namesakeGain, question, sentence)).toHaveLength(expected ? 1 : 0);
});

it('answers with that, however few words it shares', () => {
  const text = 'Gull was named for the main sea bird in the songs of Haven. Tern was named for Ann Moor.';
  const { citations, confidence } = answered('Which person in the songs of Haven is Tern named after?', text);
  expect(citations[0]!.quote).toBe('Tern was named for Ann Moor.');
  expect(confidence).toBe('high');
});
