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

it.each([
  [
    'Perché la gru deve essere pulita ogni giorno?',
    'Il sale rovina il cavo. Ecco perché la gru deve essere pulita ogni giorno.',
  ],
  ['Pourquoi la grue doit-elle être nettoyée ?', 'Le sel abîme le câble. Voilà pourquoi la grue doit être nettoyée.'],
  ['¿Por qué hay que limpiar la grúa?', 'La sal estropea el cable. Es por eso que hay que limpiar la grúa.'],
  ['Warum muss der Kran gereinigt werden?', 'Salz greift das Seil an. Deswegen muss der Kran gereinigt werden.'],
])('%s', (question, sentences) => {
  const { answer } = ask(question, [hitOf(chunkOf(sentences, { title: 'A' }))]);
  expect(answer).toContain(sentences);
});

it('brings the sentence that it follows from', () => {
  const { answer } = ask('Why was the old crane painted red?', [hitOf(chunkOf(text, { title: 'Crane' }))]);
  expect(answer).toContain('Ships ran into it.');
  expect(answer).toContain('Therefore the old crane was painted red');
});
