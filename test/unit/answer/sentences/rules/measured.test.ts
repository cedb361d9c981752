import { expect, it } from 'vitest';
import { measuredGain } from '../../../../../src/answer/sentences/rules/measured.ts';
import { gaining } from './gaining.ts';

it.each([
  ['How long must my hawser key be?', 'A hawser has a key. Your key length must be 4096 bits.', true],
  ['How heavy is the anchor?', 'The weight of the anchor is 40 stone.', true],
  ['How deep is the dock?', 'The depth of the dock is not known.', false],
  ['How long is the dock?', 'The dock is over forty feet in length, and has steps.', true],
  ['How long is the dock?', 'The dock lies 14 feet above the sea; we spoke of the dock at length.', false],
  ['How long is the dock?', 'The dock has 14 steps, and a rope whose length nobody knows.', false],
  ['How deep is the dock?', 'The dock has 14 steps.', false],
  ['How deep is the dock?', 'The depth of the pool is 14 feet.', false],
  ['Is the dock deep?', 'The depth of the dock is 14 feet.', false],
  ['Wie tief ist das Dock?', 'Die Wassertiefe im Dock beträgt 14 Fuß.', true],
])('measures it by the noun for it: %s – %s', (question, text, expected) => {
  expect(gaining(measuredGain, question, text)).toHaveLength(expected ? 1 : 0);
});
