import { expect, it } from 'vitest';
import { actorGain } from '../../../../../src/answer/sentences/rules/actor.ts';
import { analysed } from './gaining.ts';

it.each([
  ['Who tarred the hull?', 'At 10:41 Ann Moor tarred the hull.', true],
  ['Who tarred the hull?', 'The mate had no right to tar the hull and called Ann Moor.', false],
  ['Who moderates the next retro?', 'Ann moderates.', true],
  ['Who moderates the next retro?', 'Moderation: Ann.', false],
  ['Who tarred the hull of the Ann?', 'The Ann tarred up.', false], // the question has the name
  ['Who frees the net?', 'The caller frees it with net_free().', true],
  ['Who frees the net?', 'The net that the caller frees is gone.', false],
  ['Who wrote the log?', 'The mate wrote the log.', false], // who the mate was is not told
  ['Whom did Ann see?', 'Ann see.', false],
  ['When was the hull tarred?', 'Ann tarred the hull.', false],
])('%s – %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(actorGain(asked, candidates[0]!) > 0).toBe(expected);
});
