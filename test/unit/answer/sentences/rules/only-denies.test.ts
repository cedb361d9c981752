import { expect, it } from 'vitest';
import { onlyDenies } from '../../../../../src/answer/sentences/rules/only-denies.ts';
import { analysed, answered } from './gaining.ts';

it.each([
  ['Who may sell boats?', 'Members of the club may not sell boats.', true],
  ['Who may sell boats?', 'Members of the club never sell boats.', true],
  ['Wer darf Boote verkaufen?', 'Mitglieder dürfen nicht verkaufen.', true],
  ['Who may sell boats?', 'Members may not sell boats, the board may sell them.', false],
  ['Who may sell boats?', 'Members may not sell boats unless they pay a fee.', false],
  ['Who may sell boats?', 'Members may sell boats, not oars.', false],
  ['Who may not sell boats?', 'Members of the club may not sell boats.', false],
  ['May members sell boats?', 'Members of the club may not sell boats.', false],
  ['Who may admit members?', 'The board may choose not to admit members.', false],
  ['La cruche est-elle couverte ?', 'Elle ne couvre pas la cruche.', false], // says no
  ['When may members sell boats?', 'Members may not sell boats for 24 hours.', false], // until when
  ['Why were no boats sold?', 'The club did not sell boats.', false],
])('says that it is not so: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(onlyDenies(asked, candidates[0]!)).toBe(expected);
});

it('is no plain answer', () => {
  expect(answered('Who may sell boats?', 'Members of the club may sell boats.').confidence).toBe('high');
  expect(answered('Who may sell boats?', 'Members of the club may not sell boats.').confidence).toBe('low');
});
