import { expect, it } from 'vitest';
import { isNarrower } from '../../../../../src/answer/sentences/rules/narrower.ts';
import { analysed, answered } from './gaining.ts';

/** Of the last sentence. */
function narrower(question: string, text: string): boolean {
  const { asked, candidates } = analysed(question, text);
  return isNarrower(asked, candidates.at(-1)!);
}

it.each([
  ['Where was the first regatta held?', 'It was the first regatta in Norland.', true],
  ['Where was the first regatta held?', 'It was the first regatta, in Norland.', false],
  ['Where was the first regatta in Norland held?', 'It was the first regatta in Norland.', false],
  ['Where was the first regatta held?', 'The twenty-first regatta was held in Haven.', true],
  ['Where was the twenty-first regatta held?', 'The twenty-first regatta was held in Haven.', false],
  ['Where was the first regatta held?', 'The first regatta in Norland was the first regatta of all.', false],
  ['Which is the largest dock?', 'Quay Dock is the second largest dock.', true],
  ['Which is the largest dock?', 'Quay Dock and Pool Dock are the first and second largest docks.', false],
  ['Which is the second largest dock?', 'Quay Dock is the second largest dock.', false],
])('has the first of a smaller range, or a later one: %s %s', (question, text, expected) => {
  expect(narrower(question, text)).toBe(expected);
});

it('doubts it', () => {
  const text = 'The regatta of 2016 was the first regatta in Norland.';
  expect(answered('When was the first regatta?', text).confidence).toBe('low');
  expect(answered('When was the first regatta in Norland?', text).confidence).toBe('high');
});
