import { expect, it } from 'vitest';
import { askingLabelGain } from '../../../../../src/answer/sentences/rules/asking-label.ts';
import { gaining } from './gaining.ts';

const invitation =
  '**When and where?** 19 to 21 June, on the meadow. Bring a chair.\n\nWho: the choir of Wick\n\nHow much: 12 crowns\n';
const options = { title: 'Lantern feast' };

it.each([
  ['Where does the lantern feast take place?', ['19 to 21 June, on th']],
  ['When is the lantern feast?', ['19 to 21 June, on th']],
  ['How much is the lantern feast?', ['How much: 12 crowns']],
  ['Where is the bread fair?', []],
  ['Why is there a lantern feast?', []],
])('%s', (question, expected) => {
  expect(gaining(askingLabelGain, question, invitation, options)).toEqual(expected);
});
