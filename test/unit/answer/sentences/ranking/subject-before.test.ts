import { expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { hasPronounForSubject } from '../../../../../src/answer/sentences/ranking/subject-before.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';
import { analysed } from '../rules/gaining.ts';

it.each([
  ['Who appoints the pilots?', 'They appoint the pilots.', true],
  ['Who appoints the pilots?', 'The council appoints the pilots.', false],
  ['Who appoints the pilots?', 'She appoints the pilots, who wait.', true],
  ['When was the pilot appointed?', 'She was appointed.', false],
  ['Who was appointed?', 'They were appointed.', false], // asks of whom it is said
  ['Whom do they appoint?', 'They appoint the pilots.', false],
  ['Which tool cuts the rope?', 'This tool cuts the rope in one stroke.', true],
  ['Which tool cuts the rope?', 'The splicing knife cuts the rope.', false],
  ['Which year was the tool made?', 'This tool was made in 1904.', false],
  ['Which rope was refused?', 'Refused, sent back to the mill.', true],
  ['Which rope was refused?', 'Refused, old ropes are sent back.', false],
  ['Which rope was refused?', 'Refused ropes go back to the mill.', false],
  ['Quel outil coupe la corde ?', 'Cet outil coupe la corde.', true],
])('%s — %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(hasPronounForSubject(asked, candidates[0]!)).toBe(expected);
});

it('brings the sentence that has the name', () => {
  const text =
    'The harbour council meets in March. It appoints the pilots of the harbour. Nobody else may appoint any.';
  const question = 'Who appoints the pilots of the harbour?';
  const { answer } = answerExtractive(question, [hitOf(chunkOf(text))], statisticsOf([text]));
  expect(answer).toContain('The harbour council meets in March.');
  expect(answer).toContain('It appoints the pilots of the harbour.');
});
