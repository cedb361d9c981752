import { expect, it } from 'vitest';
import { isOfOtherCraft } from '../../../../../src/answer/sentences/rules/other-craft.ts';
import { analysed, answered } from './gaining.ts';

const play = 'Night Ferry is a play that was directed by Ida Tarn and produced by Bo Kern.';

it.each([
  ['Who translated Night Ferry?', play, true],
  ['Who is the editor of Night Ferry?', play, true],
  ['Who directed Night Ferry?', play, false],
  ['Who was the producer of Night Ferry?', play, false],
  ['Who wrote Night Ferry?', 'Night Ferry is a novel by Ida Tarn, published in Holm.', false],
  ['Who sang Night Ferry?', 'Night Ferry is a song by Ida Tarn, produced by Bo Kern.', false],
  ['Who sang Night Ferry?', 'Night Ferry was produced by Bo Kern.', true],
  ['Who saw Night Ferry?', play, false], // no craft
  ['When was Night Ferry translated?', play, false],
])('%s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(isOfOtherCraft(asked, candidates[0]!)).toBe(expected);
});

it('who directed it is no plain answer to who translated it', () => {
  expect(answered('Who directed Night Ferry?', play).confidence).toBe('high');
  expect(answered('Who translated Night Ferry?', play).confidence).not.toBe('high');
});
