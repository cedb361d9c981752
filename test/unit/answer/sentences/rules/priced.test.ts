import { expect, it } from 'vitest';
import { isOtherPrice } from '../../../../../src/answer/sentences/rules/priced.ts';
import { analysed } from './gaining.ts';

it.each([
  ['How much does pottery cost?', 'Repairs of the bridge will cost 900 pounds.', true],
  ['How much does pottery cost?', 'Pottery is on Mondays. It costs 30 pounds.', false],
  ['Was kostet die Reinigung?', 'Das Holz kostet acht Euro.', true],
  ['Combien coûte le bois ?', 'Le ménage coûte 70 euros.', true],
  ['Сколько стоит лодка?', 'Ремонт моста стоит 900 рублей.', true],
  ['Сколько стоит лодка?', 'Лодка стоит 900 рублей.', false],
  ['Ile kosztuje łódka?', 'Naprawa mostu kosztuje 900 zł.', true],
  ['Quanto custa o barco?', 'A ponte custa 900 reais.', true],
  ['Who pays for pottery?', 'Repairs of the bridge will cost 900 pounds.', false], // no price is asked for
])('a price of something else: %s — %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(isOtherPrice(asked, candidates.at(-1)!)).toBe(expected);
});
