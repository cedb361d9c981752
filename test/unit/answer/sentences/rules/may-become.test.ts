import { expect, it } from 'vitest';
import { mayBecomeLoss } from '../../../../../src/answer/sentences/rules/may-become.ts';
import { analysed, answered } from './gaining.ts';

it.each([
  ['Is the lamp lit by default?', 'Future versions of the tower may have the lamp lit by default.', true],
  ['Is the lamp lit by default?', 'This might change so that the lamp is lit by default.', true],
  ['Ist die Lampe immer an?', 'In künftigen Versionen ist die Lampe immer an.', true],
  ['La lampe est-elle allumée ?', 'La lampe sera allumée dans une version future.', true],
  ['Is the lamp lit by default?', 'The lamp is dark by default.', false],
  ['What will future versions light?', 'Future versions of the tower will light the lamp.', false],
  ['Which keeper will light the lamp?', 'In future versions Ann will light the lamp.', false],
])('says what may become otherwise: %s – %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(candidates.map((candidate) => mayBecomeLoss(asked, candidate) < 0)).toEqual([expected]);
});

it('stands behind what is so', () => {
  const text =
    'The lamp of the tower is not lit by default. Note that future releases might change so that the lamp of the tower is lit by default.';
  expect(answered('Is the lamp of the tower lit by default?', text).answer).toMatch(
    /^The lamp of the tower is not lit/,
  );
  const alone = 'Note that future releases might change so that the lamp of the tower is lit by default.';
  expect(answered('Is the lamp of the tower lit by default?', alone).confidence).toBe('low');
});
