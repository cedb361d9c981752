import { expect, it } from 'vitest';
import { lastingGain } from '../../../../../src/answer/sentences/rules/lasting.ts';
import { gaining } from './gaining.ts';

it.each([
  ['How long was Ann Moor treasurer?', 'Ann Moor was treasurer from April 1996 until 1998.', true],
  ['How long was Ann Moor treasurer?', 'Ann Moor was treasurer between 1996 and 1998.', true],
  ['How long was Ann Moor treasurer?', 'Ann Moor was treasurer in 1998.', false],
  ['How long was Ann Moor treasurer?', 'Ann Moor was captain from 1996 until 1998.', false],
  ['How long will the lamp be lit?', 'The keepers mean to have the lamp lit through the year 2050.', true],
  ['Wie lange wird die Lampe gepflegt?', 'Die Lampe wird bis Ende 2030 gepflegt.', true],
  ['How long will the lamp be lit?', 'The lamp was lit in 1950.', false],
  ['When was Ann Moor treasurer?', 'Ann Moor was treasurer from 1996 until 1998.', false],
])('has both ends of what lasted: %s – %s', (question, text, expected) => {
  expect(gaining(lastingGain, question, text)).toHaveLength(expected ? 1 : 0);
});
