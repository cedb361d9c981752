import { expect, it } from 'vitest';
import { entitledGain, lacksAct } from '../../../../../src/answer/sentences/rules/entitled.ts';
import { analysed } from './gaining.ts';

it.each([
  ['Who keeps the keys?', 'The keys are kept by the mate.', true],
  ['Who keeps the keys?', 'The keys are kept dry by hand.', false],
  ['Who keeps the keys?', 'The keys must be kept only by a keeper of the harbour.', true],
  ['Who keeps the keys?', 'The keys are kept by the end of May.', false],
  ['Who may open the lock?', 'The only people that may open a lock are the keeper and the mate.', true],
  ['Who can open the lock?', 'Any member of the crew may open a lock.', true],
  ['Who may open the lock?', 'The lock is opened by turning a key.', false],
  ['Who may open the lock?', 'You may open the lock at noon.', false],
  ['Who may paint the lock?', 'Any member may open the lock.', false],
  ['Wer verwahrt die Schlüssel?', 'Die Schlüssel werden vom Maat verwahrt.', true],
  ['Qui peint le phare ?', 'Le phare est peint par le gardien.', true],
  ['¿Quién guarda las llaves?', 'Las llaves son guardadas por el guardián.', true],
  ['Who owns the quay?', 'The lamp is owned by the Quay and Sons.', false],
  ['Who keeps the keys?', 'A box that is kept by the mate has keys.', false],
  ['When are the keys kept?', 'The keys are kept by the mate.', false],
])('%s – %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(entitledGain(asked, candidates[0]!) > 0).toBe(expected);
});

it.each([
  ['Chi gestisce gli aggiornamenti di sicurezza?', 'Gli aggiornamenti di sicurezza sono la prima priorità.', true],
  ['Chi gestisce gli aggiornamenti di sicurezza?', 'Il team gestisce gli aggiornamenti.', false],
  ['Wer pflegt das Leuchtfeuer?', 'Das Leuchtfeuer ist hell.', true],
  ['Wer pflegt das Leuchtfeuer?', 'Das Leuchtfeuer wird vom Wärter gepflegt.', false],
  ['Who keeps the keys?', 'The keys are dry.', true],
  ["Qui n'a pas d'esclave domestique ?", "Seuls les plus pauvres n'ont pas d'esclave domestique.", false],
  ['Wann wird das Leuchtfeuer gepflegt?', 'Das Leuchtfeuer ist hell.', false],
])('says nothing of the act: %s – %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(lacksAct(asked, candidates[0]!)).toBe(expected);
});
