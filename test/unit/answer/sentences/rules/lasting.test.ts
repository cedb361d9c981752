import { expect, it } from 'vitest';
import { lastingGain } from '../../../../../src/answer/sentences/rules/lasting.ts';
import { gaining } from './gaining.ts';

it.each([
  ['How long was Ann Moor treasurer?', 'Ann Moor was treasurer from April 1996 until 1998.', true],
  ['How long was Ann Moor treasurer?', 'Ann Moor was treasurer between 1996 and 1998.', true],
  ['How long was Ann Moor treasurer?', 'Ann Moor was treasurer in 1998.', false],
  ['How long was Ann Moor treasurer?', 'Ann Moor was captain from 1996 until 1998.', false],
  ['When was Ann Moor treasurer?', 'Ann Moor was treasurer from 1996 until 1998.', false],
])('has both ends of what lasted: %s – %s', (question, text, expected) => {
  expect(gaining(lastingGain, question, text)).toHaveLength(expected ? 1 : 0);
});
