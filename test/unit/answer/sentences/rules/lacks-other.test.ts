import { expect, it } from 'vitest';
import { lacksOther } from '../../../../../src/answer/sentences/rules/lacks-other.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';
import { analysed } from './gaining.ts';

const orl = 'The Orl is 92 km long.';

it.each([
  ['Which river is longer, the Orl or the Zwen?', orl, true],
  ['Which river is longer, the Orl or the Zwen?', 'The Orl is 92 km long, the Zwen 141 km.', false],
  ['Which river is longer, the Orl or the Zwen?', 'The Zwen is longer than the Orl.', false],
  ['Which river is longer, the Orl or the Zwen?', 'The Orl joins the Zwen near Holm.', true], // nothing is compared
  ['Do the Orl and the Zwen have the same source?', 'The Orl joins the Zwen near Holm.', false],
  ['Are Ida Tarn and Bo Kern both painters?', 'Ida Tarn was a painter.', true],
  ['How long is the Orl?', orl, false],
])('%s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(lacksOther(asked, candidates)).toBe(expected);
});

it('one of two things is no plain answer to which is longer', () => {
  const hits = [hitOf(chunkOf(orl))];
  expect(ask('How long is the Orl?', hits).confidence).toBe('high');
  expect(ask('Which river is longer, the Orl or the Zwen?', hits).confidence).not.toBe('high');
});
