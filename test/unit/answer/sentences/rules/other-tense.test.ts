import { expect, it } from 'vitest';
import { isOfThePast, onlyTellsRule } from '../../../../../src/answer/sentences/rules/other-tense.ts';
import { analysed, answered } from './gaining.ts';

it.each([
  ['Who will take over the workshop?', 'Ines took over the workshop in 1994.', true],
  ['Who will take over the workshop?', 'Ines will take over the workshop.', false],
  ['Who will take over the workshop?', 'Ines takes over the workshop in May.', false],
  ['When will the pier open?', 'The pier was opened in 1904.', true],
  ['When will the pier be opened?', 'The pier is opened on 4 May.', false], // the question has the form
  ['Who will carry the flag?', 'Ines carried the flag.', true],
  ['Who will drop the anchor?', 'Ines dropped the anchor.', true],
  ['Who took over the workshop?', 'Ines took over the workshop in 1994.', false],
])('of the past: %s — %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(isOfThePast(asked, candidates[0]!)).toBe(expected);
});

it.each([
  ['Who repaired the roof?', 'The Owner repairs the roof and the stairs.', true],
  ['Who repaired the roof?', 'The owner shall repair the roof.', true],
  ['Who repaired the roof?', 'The owner repaired the roof.', false],
  ['Who repairs the roof?', 'The owner repairs the roof.', false],
  ['Who did the repair?', 'The owner repairs the roof.', false],
  ['Who played the king?', 'In the opera, made in 1950, Ines plays the king.', false], // what is told has a past
  ['Who repaired the roof?', 'Ines Pell repairs the roof.', false],
  ['Who dropped the anchor?', 'The mate drops the anchor.', true],
  ['Who chose the hall?', 'The board chooses the hall.', true],
])('of a rule: %s — %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(onlyTellsRule(asked, candidates[0]!)).toBe(expected);
});

it('a rule is no plain answer to who did it', () => {
  const text = 'The owner repairs the roof of the hall. The hall has two stairs.';
  expect(answered('Who repairs the roof of the hall?', text).confidence).toBe('high');
  expect(answered('Who repaired the roof of the hall?', text).confidence).toBe('low');
});
