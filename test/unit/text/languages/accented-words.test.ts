import { expect, it } from 'vitest';
import { asksForChange } from '../../../../src/text/languages/changes.ts';
import { definitionCue } from '../../../../src/text/languages/definitions.ts';
import { demandedMeasures } from '../../../../src/text/languages/measures.ts';
import { reasonCue } from '../../../../src/text/languages/question-words.ts';

it.each([
  'La gru è ferma perché manca la corrente.',
  'Poiché piove, la gru è ferma.',
  'La gru è ferma dato che piove.',
  'La grúa está parada ya que llueve.',
  'La grue est arrêtée puisque le vent souffle.',
  'À cause du vent, la grue est arrêtée.',
  'Der Kran steht still, denn der Strom fehlt.',
  'Aufgrund des Windes steht der Kran still.',
])('tells a reason: %s', (text) => {
  expect(reasonCue.test(text)).toBe(true);
});

it.each(['La gru ha perso il carico.', 'La grue porte une charge.', 'Denn früher war er grau gestrichen.'])(
  'tells none: %s',
  (text) => {
    expect(reasonCue.test(text)).toBe(false);
  },
);

it('knows a definition with `è`', () => {
  expect(definitionCue.test('Il ponte è una struttura che unisce due rive.')).toBe(true);
  expect(definitionCue.test('Il caffè una volta era amaro.')).toBe(false);
});

it('knows `changé` and `cambió` as words for a change', () => {
  expect(asksForChange.test("Qu'est-ce qui a changé dans la version 2.0 ?")).toBe(true);
  expect(asksForChange.test('¿Qué cambió en la versión 2.0?')).toBe(true);
});

it('knows a time of day that is asked for at the beginning, and the half that ends with an accent', () => {
  const asked = (text: string) => demandedMeasures.filter(({ asks }) => asks.test(text)).length;
  expect(asked('À quelle heure ouvre la piscine ?')).toBe(1);
  expect(demandedMeasures.some(({ holds }) => holds.test('la metà dei soci'))).toBe(true);
});
