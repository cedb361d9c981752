import { expect, it } from 'vitest';
import { isOtherTag } from '../../../../../src/answer/sentences/manuals/other-tag.ts';
import { analysed } from '../rules/gaining.ts';

it.each([
  ['What does moor return if there is no quay?', '* @throws TideError if there is no quay', true],
  ['What does moor return if there is no quay?', '* @return the berth, or null', false],
  ['When does moor throw an error?', '* @return the berth, or null', true],
  ['Which error does moor raise?', ':raises TideError: at low water', false],
  ['What does moor return?', 'It throws a TideError.', false], // no tag
  ['What does moor do?', '* @throws TideError if there is no quay', false],
])('%s – %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text, { format: 'code' });
  expect(isOtherTag(asked, candidates[0]!)).toBe(expected);
});
