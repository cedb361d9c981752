import { expect, it } from 'vitest';
import { obligationGain } from '../../../../../src/answer/sentences/rules/obliged.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';
import { gaining } from './gaining.ts';

const rules =
  'If the clerk attends the meeting of keepers, the chair must close the meeting soon, unless the record is lost. All meetings must be electronically recorded with tools of the port. The keepers should not record the tides.';

it.each([
  ['Must meetings of keepers be recorded?', ['All meetings must be']],
  ['Should keepers record the tides?', ['The keepers should n']],
  ['Must the lamps be recorded?', []],
  ['Who must record the meetings?', []],
  ['May meetings be recorded?', []],
])('obligationGain is for what says whether it must be done: %s', (question, expected) => {
  expect(gaining(obligationGain, question, rules)).toEqual(expected);
});

it.each([
  [
    'Muss die Sitzung aufgezeichnet werden?',
    'Jede Sitzung muss mit dem Gerät aufgezeichnet werden, das der Hafen stellt.',
  ],
  ['La séance doit-elle être enregistrée ?', 'La séance doit toujours être enregistrée par le port.', 0],
  ['Faut-il enregistrer la séance ?', 'On doit enregistrer la séance.'],
  ['¿Debe grabarse la sesión?', 'La sesión debe grabarse siempre.'],
  ['Deve la seduta essere registrata?', 'La seduta deve essere registrata dal porto.'],
])('in other languages: %s', (question, text, expected: number = 1) => {
  expect(gaining(obligationGain, question, text)).toHaveLength(expected);
});

it('goes before what only has the words', () => {
  const { answer } = ask('Must meetings of keepers be recorded?', [hitOf(chunkOf(rules, { title: 'Port rules' }))]);
  expect(answer).toMatch(/^All meetings must be electronically recorded/);
});
