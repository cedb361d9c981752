import { expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { lacksTime, saysCondition } from '../../../../../src/answer/sentences/rules/lacks-time.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';
import { analysed } from './gaining.ts';

it.each([
  ['When can I visit the tower?', 'The tower has a view of the third harbour.', true],
  ['When can I visit the tower?', 'The tower is an old one.', true],
  ['When can I visit the tower?', 'The tower is open on Mondays.', false],
  ['When can I visit the tower?', 'You can visit the tower if the flag is up.', false],
  ['When can I visit the tower?', 'The tower is open from 9:00 on.', false],
  ['When can I visit the tower?', 'The tower is always open.', false],
  ['When can I visit the tower?', 'The tower opens at sunrise.', false],
  ['Wann kann ich den Turm besuchen?', 'Der Turm ist nur mit Führung offen.', true],
  ['Wann kann ich den Turm besuchen?', 'Der Turm ist abends offen.', false],
  ['Who can visit the tower?', 'The tower has a view of the harbour.', false],
])('%s – %s', (question, sentence, expected) => {
  const analysed = analyseQuestion(question, statisticsOf([sentence]));
  expect(lacksTime(analysed, candidatesOf(analysed, [hitOf(chunkOf(sentence))])[0]!)).toBe(expected);
});

it.each([
  ['When may the lock master close the gate?', 'The lock master may close the gate if a boat sinks.', true],
  ['When must a rope be cut?', 'A rope must be cut after a storm.', true],
  ['When is a late fee charged?', 'A late fee is charged if the rent is overdue.', true],
  ['When is a late fee due?', 'A late fee is due if the rent is overdue.', false],
  ['When must a rope be paid?', 'A rope must be cut after a storm.', false],
  ['When may the lock master close the gate?', 'The lock master may close the gate and the lock.', false],
  ['When did the lock master close the gate?', 'The lock master closed the gate after a storm.', false],
])('a condition says when something may be done: %s – %s', (question, sentence, expected) => {
  const { asked, candidates } = analysed(question, sentence);
  expect(saysCondition(asked, candidates[0]!)).toBe(expected);
});
