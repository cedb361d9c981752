import { expect, it } from 'vitest';
import { caseAdviceGain } from '../../../../../src/answer/sentences/rules/case-advice.ts';
import { gaining } from './gaining.ts';

const handbook = `# Crane

## BrakeHot

The brake is warmer than 90 degrees. Usually the pump has stopped. Restart it with the red switch. Do not open the valve by hand, because it bursts.

## BrakeCold

The brake is colder than ice. Run the heater for an hour.
`;

it.each([
  ['What should I do when BrakeHot rings?', ['Restart it with the ']],
  ['What must we do if BrakeCold rings?', ['Run the heater for a']],
  ['What to do when BrakeCold rings?', ['Run the heater for a']],
  ['When does BrakeHot ring?', []],
  ['What should I do when MastHot rings?', []],
])('tells to do something below the heading of the case: %s', (question, expected) => {
  expect(gaining(caseAdviceGain, question, handbook)).toEqual(expected);
});
