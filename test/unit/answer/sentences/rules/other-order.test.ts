import { expect, it } from 'vitest';
import { isOfOtherOrder } from '../../../../../src/answer/sentences/rules/other-order.ts';
import { analysed, answered } from './gaining.ts';

it.each([
  ['Who was the first keeper?', 'The last keeper was Per Nygaard.', true],
  ['Who was the 1st keeper?', 'The second keeper was Per Nygaard.', true],
  ['Wer war der erste Wärter?', 'Der letzte Wärter war Per Nygaard.', true],
  ['Qui était le premier gardien ?', 'Le dernier gardien était Per Nygaard.', true],
  ['Who was the first keeper?', 'The first keeper was Ove Lie, the last keeper Per Nygaard.', false],
  ['Who was the first keeper?', 'The 1st keeper was Ove Lie.', false],
  ['Who was the first keeper?', 'The keeper Per Nygaard sold the last cow.', false],
  ['Who was the keeper?', 'The last keeper was Per Nygaard.', false],
  ['When did the first boat come?', 'The last keeper was Per Nygaard.', false],
])('the last is not the first: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(isOfOtherOrder(asked, candidates[0]!)).toBe(expected);
});

it('is no plain answer', () => {
  const text = 'The last keeper of the light was Per Nygaard. He kept a cow.';
  expect(answered('Who was the last keeper of the light?', text).confidence).toBe('high');
  expect(answered('Who was the first keeper of the light?', text).confidence).toBe('low');
});
