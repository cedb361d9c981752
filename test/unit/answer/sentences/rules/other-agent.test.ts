import { expect, it } from 'vitest';
import { isByNobody, isByOther } from '../../../../../src/answer/sentences/rules/other-agent.ts';
import { analysed, answered } from './gaining.ts';

it.each([
  ['Who exhibited the maps?', 'The maps were drawn by Ann Moor and will be exhibited in May.', true],
  ['Who drew the maps?', 'The maps were drawn by Ann Moor and will be exhibited in May.', false],
  ['Who exhibited the maps?', 'The maps were exhibited and then drawn by Ann Moor.', false], // both, it may be
  ['Who exhibited the maps?', 'The maps were drawn by Ann Moor.', false], // in another word, it may be
  ['Who exhibited the maps?', 'Per Lie exhibited the maps, which were drawn by Ann Moor.', false],
  ['Who exhibited the maps?', 'Drawn by hand, the maps were exhibited by Ann Moor.', false],
  ['When were the maps exhibited?', 'The maps were drawn by Ann Moor and exhibited in May.', false],
])('by whom something else was done: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(isByOther(asked, candidates[0]!)).toBe(expected);
});

it('is no plain answer', () => {
  const text = 'The maps were painted by Ann Moor and will be exhibited in May.';
  expect(answered('Who painted the maps?', text).confidence).toBe('high');
  expect(answered('Who exhibited the maps?', text).confidence).toBe('low');
});

it.each([
  ['Who sold the gate?', 'The gate was sold to the museum of Lom.', true],
  ['Who painted the maps?', 'The maps were painted in Oslo.', true],
  ['Who wrote the song?', 'The song was written in Oslo by Ann Moor.', false],
  ['Who sold the gate?', 'The gate was sold in May: Per Lie sold it.', false],
  ['Who sold the gate?', 'Per Lie sold the gate.', false],
  ['Who was sold?', 'The gate was sold to the museum of Lom.', false],
  ['Who runs the mill?', 'The mill was sold to Per Lie.', false],
])('that it was done, and not by whom: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(isByNobody(asked, candidates[0]!)).toBe(expected);
});
