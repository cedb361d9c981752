import { expect, it } from 'vitest';
import { lacksNegation } from '../../../../../src/answer/sentences/rules/lacks-negation.ts';
import { analysed, answered } from './gaining.ts';

/** Of the last sentence. */
function lacks(question: string, text: string, headings: readonly string[] = []): boolean {
  const { asked, candidates } = analysed(question, text, { headings });
  return lacksNegation(asked, candidates.at(-1)!);
}

it.each([
  ['What does the policy not cover?', 'The policy covers fire and theft.', true],
  ["Which boats aren't covered by the policy?", 'The policy covers boats of the club.', true],
  ['What does the policy not cover?', 'The policy does not cover wear.', false],
  ['What does the policy not cover?', 'The policy covers fire, except fire that is laid.', false],
  ['What does the policy not cover?', 'Wear is excluded from what the policy covers.', false],
  ['What does the policy not cover?', 'Wear and rust.', false],
  ['What does the policy cover?', 'The policy covers fire and theft.', false],
  ['Why does the policy not cover wear?', 'The policy covers sudden damage.', false],
  ['What happens if the policy does not cover the boat?', 'The club covers the boat.', false],
  ['What holds where boats are not covered?', 'Covered boats pay a fee that holds for a year.', true],
  ['What holds if boats are not covered?', 'Covered boats pay a fee that holds for a year.', false],
  ['Which fee is for non-residents?', 'The fee for residents is 4 EUR.', true],
  ['Which fee is for non-residents?', 'The fee for non-residents is 9 EUR.', false],
  ['What is paid if there is no permit?', 'The permit is paid at the gate.', true],
  ['What does the policy not cover?', 'The policy covers fire, but the fee is high.', true],
  ['What does the policy not cover for less than a year?', 'The policy covers fire for less than a year.', true],
  // of another clause
  ['What does the policy not cover?', 'No fee is due and the old policy of the club covers fire.', true],
  ['What does the policy not cover?', 'The policy covers fire, theft and storm on all days; no fee is due.', true],
  ['What does the policy not cover?', 'Wear is not a thing that it covers.', false],
  ['What may boats not do when they are covered?', 'If covered by the policy of the club, boats may not sail.', false],
  ['Was deckt die Police nicht?', 'Die Police deckt Feuer und Diebstahl.', true],
  ['Was deckt die Police nicht?', 'Die Police deckt alles außer Rost.', false],
])('denies nothing: %s %s', (question, text, expected) => {
  expect(lacks(question, text)).toBe(expected);
});

it('reads what stands over a sentence', () => {
  const covers = 'The policy covers these at a fee.';
  expect(lacks('What does the policy not cover?', covers, ['Boats'])).toBe(true);
  expect(lacks('What does the policy not cover?', covers, ['Not covered'])).toBe(false);
  const list = 'These are not in the price:\n\n- repairs that the policy covers';
  expect(lacks('What does the policy not cover?', list)).toBe(false);
});

it('doubts the opposite', () => {
  expect(answered('What does the policy not cover?', 'The policy covers fire and theft.').confidence).toBe('low');
  expect(answered('What does the policy not cover?', 'The policy does not cover wear.').confidence).toBe('high');
});
