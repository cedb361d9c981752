import { expect, it } from 'vitest';
import { extremeAsked, isTotal } from '../../../../src/text/languages/superlatives.ts';

it.each([
  ['Which hut has the most beds?', 'most'],
  ['Which country had the lowest sales in 2023?', 'least'],
  ['Wer hat die wenigsten Urlaubstage?', 'least'],
  ['Welcher Artikel hat die größte Menge?', 'most'],
  ['Quel client a le chiffre d’affaires le plus élevé ?', 'most'],
  ['Quel client a le chiffre d’affaires le plus bas ?', 'least'],
  ['¿Qué partida tiene el presupuesto más alto?', 'most'],
  ['¿Qué partida tiene menos gastos?', 'least'],
  ['Quale comune ha più abitanti?', 'most'],
  ['Quale comune ha meno abitanti?', 'least'],
  ['Welke ploeg heeft de meeste leden?', 'most'],
  ['Que curso tem mais alunos?', 'most'],
  ['Które miasto ma najwięcej mieszkańców?', 'most'],
  ['В каком городе самое большое население?', 'most'],
  ['Of which wine are there the most bottles?', 'most'],
  ['Which hut is the cheapest?', 'least'],
  ['Which hut is the most expensive?', 'most'],
  ['Welcher Kran ist der schwerste?', 'most'],
  ['Quel chalet est le moins cher ?', 'least'],
  ['¿Qué grúa es la más pesada?', 'most'],
  ['How do I get the most out of it?', undefined],
  ['What is the most common cause?', undefined],
  ['Which rooms have at least ten seats?', undefined],
  ['Which hut has beds?', undefined],
])('%s %s', (question, extreme) => {
  expect(extremeAsked(question)?.extreme).toBe(extreme);
});

it('knows the row that sums up others', () => {
  expect(['Total', 'Grand total', 'Gesamtbetrag', 'Итого'].map(isTotal)).toEqual([true, true, true, true]);
  expect(['Totnes', 'Allerton', 'Summerhouse'].map(isTotal)).toEqual([false, false, false]);
});

it.each([
  ['Which hut is the cheapest?', ['Price (EUR)', 'Unit price', 'Preis', 'Prix'], ['Beds', 'Prize', 'Priced on']],
  ['Which crane is the lightest?', ['Weight (kg)', 'Leergewicht'], ['Height', 'Weighted']],
  ['Which film is the longest?', ['Length', 'Duration in min'], ['Lengthy', 'Title']],
])('%s means a column by its name', (question, names, others) => {
  const { column } = extremeAsked(question)!;
  expect(names.filter((name) => !column!.test(name))).toEqual([]);
  expect(others.filter((name) => column!.test(name))).toEqual([]);
});
