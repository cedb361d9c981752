import { expect, it } from 'vitest';
import { lacksComparison } from '../../../../../src/answer/sentences/rules/lacks-comparison.ts';
import { analysed, answered } from './gaining.ts';

it.each([
  ['Which pump is louder?', 'Air in the hose makes the pump loud.', true],
  ['Welche Pumpe ist lauter?', 'Luft macht die Pumpe laut.', true],
  ['Which pump is louder?', 'The pump H4 is louder.', false],
  ['Which pump is louder?', 'The H4 is louder than the H2.', false],
  ['Which pump is louder?', 'The H4 is the loudest pump.', false],
  ['Welche Pumpe ist lauter?', 'Die H4 ist die lauteste Pumpe.', false],
  ['Which pump is loud?', 'Air in the hose makes the pump loud.', false],
  ['Which pump has a longer hose?', 'The hose of the pump is long.', false],
])('compares nothing: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(lacksComparison(asked, candidates[0]!)).toBe(expected);
});

it('is no plain answer', () => {
  expect(answered('Which pump is louder?', 'The pump is louder with air in it. It rains.').confidence).toBe('high');
  expect(answered('Which pump is louder?', 'Air makes the pump loud. It rains.').confidence).toBe('low');
});
