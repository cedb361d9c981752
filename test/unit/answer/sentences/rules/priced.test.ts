import { expect, it } from 'vitest';
import { isOfThePast, onlyTellsRule } from '../../../../../src/answer/sentences/rules/other-tense.ts';
import { isOtherPrice } from '../../../../../src/answer/sentences/rules/priced.ts';
import { analysed } from './gaining.ts';

it.each([
  ['How much does pottery cost?', 'Repairs of the bridge will cost 900 pounds.', true],
  ['How much does pottery cost?', 'Pottery is on Mondays. It costs 30 pounds.', false],
  ['Was kostet die Reinigung?', 'Das Holz kostet acht Euro.', true],
  ['Combien coûte le bois ?', 'Le ménage coûte 70 euros.', true],
  ['Who pays for pottery?', 'Repairs of the bridge will cost 900 pounds.', false], // no price is asked for
])('a price of something else: %s — %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(isOtherPrice(asked, candidates.at(-1)!)).toBe(expected);
});

it.each([
  ['Who will take over the workshop?', 'Ines took over the workshop in 1994.', true],
  ['Who will take over the workshop?', 'Ines will take over the workshop.', false],
  ['Who will take over the workshop?', 'Ines takes over the workshop in May.', false],
  ['When will the pier open?', 'The pier was opened in 1904.', true],
  ['When will the pier be opened?', 'The pier is opened on 4 May.', false], // the question has the form
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
  ['Who chose the hall?', 'The board chooses the hall.', true],
])('of a rule: %s — %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(onlyTellsRule(asked, candidates[0]!)).toBe(expected);
});
