import { expect, it } from 'vitest';
import { thereforeGain } from '../../../../../src/answer/sentences/rules/therefore.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';
import { gaining } from './gaining.ts';

const text =
  'The old crane was grey as the fog is. Ships ran into it. Therefore the old crane was painted red in May. Thus the mate has a brush.';

it.each([
  ['Why was the old crane painted red?', ['Therefore the old cr']],
  ['When was the old crane painted red?', []],
  ['Why has the mate no rope?', []],
])('%s', (question, expected) => {
  expect(gaining(thereforeGain, question, text)).toEqual(expected);
});

it('brings the sentence that it follows from', () => {
  const { answer } = ask('Why was the old crane painted red?', [hitOf(chunkOf(text, { title: 'Crane' }))]);
  expect(answer).toContain('Ships ran into it.');
  expect(answer).toContain('Therefore the old crane was painted red');
});
