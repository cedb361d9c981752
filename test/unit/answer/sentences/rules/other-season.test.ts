import { expect, it } from 'vitest';
import { isOfOtherSeason } from '../../../../../src/answer/sentences/rules/other-season.ts';
import { analysed, answered } from './gaining.ts';

it.each([
  ['What does the trip cost in winter?', 'The trip costs 350 kroner. Boats leave in July.', true],
  ['What does the trip cost in winter?', 'The trip costs 350 kroner. Boats leave in January.', false],
  ['What does the trip cost in winter?', 'The trip costs 350 kroner, in winter 400. Boats leave in July.', false],
  ['What does the trip cost in winter?', 'The trip costs 350 kroner.', false], // of no time
  ['What does the trip cost?', 'The trip costs 350 kroner. Boats leave in July.', false],
  ['When in winter is the trip?', 'The trip is in July.', false], // asks for the time
  ['Was kostet die Fahrt im Winter?', 'Die Fahrt kostet 350 Kronen. Boote fahren im Juli.', true],
  ['Combien coûte le trajet en hiver ?', 'Le trajet coûte 35 euros. Les bateaux partent en juillet.', true],
  ['When is the winter party?', 'The summer party comes soon. It is on 20 July.', true],
  ['When is the winter party?', 'The summer party is on 20 July, the winter party on 3 May.', false],
  ['When is the winter party?', 'The summer fair is on 20 July.', false], // of another thing
  ['When is the party in winter?', 'The summer party is on 20 July.', false],
  ['Wann ist das Winterfest?', 'Das Sommerfest ist am 20. Juli.', true],
])('speaks of another season: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(isOfOtherSeason(asked, candidates[0]!)).toBe(expected);
});

it('is no plain answer', () => {
  const text = 'The trip to the tower costs 350 kroner. Boats leave on Saturdays in July.';
  expect(answered('What does the trip to the tower cost?', text).confidence).toBe('high');
  expect(answered('What does the trip to the tower cost in winter?', text).confidence).toBe('low');
});
