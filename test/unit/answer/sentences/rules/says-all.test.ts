import { expect, it } from 'vitest';
import { saysAll } from '../../../../../src/answer/sentences/rules/says-all.ts';
import { analysed } from './gaining.ts';

it.each([
  ['Who found the stolen lamp?', 'Yesterday Ann Moor found the stolen lamp.', true],
  ['Who found the stolen lamp?', '07:48 Ann finds the stolen lamp in the shed.', true],
  ['Who found the stolen lamp?', 'The stolen lamp was found in the shed.', false],
  ['Who found the stolen lamp?', 'Yesterday Ann Moor found the lamp.', false],
  ['When was the lamp stolen?', 'The lamp was stolen on 3 May 2024.', true],
  ['How many lamps were stolen?', 'Twelve lamps were stolen.', true],
  ['How many lamps were stolen?', 'In week 3 lamps were stolen.', false],
  ['Why was the lamp stolen?', 'The lamp was stolen on 3 May 2024.', false],
  ['Who sank?', 'Ann Moor sank.', false], // one word is no evidence
])('%s – %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(saysAll(asked, candidates[0]!)).toBe(expected);
});
