import { expect, it } from 'vitest';
import { isIndirect } from '../../../../../src/answer/sentences/rules/indirect.ts';
import { analysed } from './gaining.ts';

it.each([
  ['Who owns the crane?', 'Nobody knew who owns the crane.', true],
  ['Who owns the crane?', 'It is not clear who owns the crane.', true],
  ['Who owns the crane?', "We don't know yet who owns the crane.", true],
  ['Wem gehört der Kran?', 'Niemand wusste, wem der Kran gehört.', false], // words that are listed alone
  ['Wer führt den Kran?', 'Es ist noch nicht entschieden, wer den Kran führt.', true],
  ['Who owns the crane?', 'Nobody knew when the crane came.', false],
  ['Who owns the crane?', 'Everybody knows who owns the crane: Ann Moor.', false],
])('%s – %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(isIndirect(asked, candidates[0]!)).toBe(expected);
});
