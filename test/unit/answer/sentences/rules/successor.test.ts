import { expect, it } from 'vitest';
import { successorGain } from '../../../../../src/answer/sentences/rules/successor.ts';
import { gaining } from './gaining.ts';

const minutes =
  'Present: Nora Pell, Amos Rudd, Lars Holt. Nora Pell steps down in May. Lars Holt will take over until autumn. Amos Rudd follows the debate.';

it.each([
  ['Who takes over from Nora Pell?', minutes, ['Lars Holt will take ']],
  ['Who is the successor of Nora Pell?', 'Lars Holt succeeds Nora Pell in May.', ['Lars Holt succeeds N']],
  ['Wer folgt auf Nora Pell?', 'Nora Pell tritt im Mai zurück. Lars Holt übernimmt.', ['Lars Holt übernimmt.']],
  ['Qui remplace Nora Pell ?', 'Lars Holt remplace Nora Pell en mai.', ['Lars Holt remplace N']],
  ['Who takes over from Amos Rudd?', minutes, []], // only he is named
  ['Who takes over from Ivo Senn?', minutes, []],
  ['Who is Nora Pell?', minutes, []],
])('%s', (question, text, expected) => {
  expect(gaining(successorGain, question, text)).toEqual(expected);
});
