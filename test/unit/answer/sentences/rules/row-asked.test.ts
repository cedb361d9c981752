import { expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { isOfOtherColumn, leavesOpen } from '../../../../../src/answer/sentences/rules/row-asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';
import { analysed } from './gaining.ts';

const hardness = '| Grade | Brinell |\n| --- | --- |\n| KX7-2 | 293 |';
const strength = '| Grade | Tensile strength |\n| --- | --- |\n| KX7-2 | 1000 |';
const seats = '| Ward | Registered voters |\n| --- | --- |\n| Oakley | 1100 |';
const precinct = '| Ward | Page |\n| --- | --- |\n| Oakley | 11 |';

/** Of the last row. */
function isOther(question: string, text: string, headings: readonly string[] = []): boolean {
  const analysed = analyseQuestion(question, statisticsOf([text]));
  return isOfOtherColumn(analysed, candidatesOf(analysed, [hitOf(chunkOf(text, { headings }))]).at(-1)!);
}

it.each([
  ['What is the tensile strength of KX7-2?', hardness, true],
  ['What is the tensile strength of KX7-2?', strength, false],
  ['What is the density of KX7-2?', strength, true],
  ['What is the density of KX7-2?', `The density of each grade:\n\n${hardness}`, false],
  ['Wie hoch ist die Dichte von KX7-2?', hardness, true],
  ['Quelle est la densité de KX7-2 ?', hardness, true],
  ['How many registered voters are there in Oakley?', precinct, true],
  ['How many registered voters are there in Oakley?', seats, false],
  ['How many members are there in Oakley?', '| Ward | Number of seats |\n| --- | --- |\n| Oakley | 9 |', false],
  ['What was the change in the Brinell hardness of KX7-2?', hardness, false], // a row gives what it is reckoned from
  ['What was the total number of grades of KX7-2?', hardness, false],
  ['Where is KX7-2 made?', hardness, false],
  ["What is KX7-2's density?", strength, true],
  ["What is KX7-2's tensile strength?", strength, false],
  ['Welche Dichte hat KX7-2?', hardness, true],
  ['Welche Zugfestigkeit hat KX7-2?', '| Stahl | Zugfestigkeit |\n| --- | --- |\n| KX7-2 | 1000 |', false],
  ['How many games has KX7-2 lost?', '| Team | Lost |\n| --- | --- |\n| KX7-2 | 11 |', false],
  ['How heavy is KX7-2?', hardness, true],
  ['How heavy is KX7-2?', '| Grade | Weight |\n| --- | --- |\n| KX7-2 | 12 |', false],
  ['How heavy is KX7-2?', '| Grade | Bars |\n| --- | --- |\n| KX7-2 | 12 kg |', false],
  [
    'When was KX7-2 last rolled?',
    '| Grade | Made | Rolled by |\n| --- | --- | --- |\n| KX7-2 | 2019 | Ann Moor |',
    true,
  ],
  ['When was KX7-2 made?', '| Grade | Made | Rolled by |\n| --- | --- | --- |\n| KX7-2 | 2019 | Ann Moor |', false],
  ['When was KX7-2 rolled?', '| Grade | Rolled | Rolled by |\n| --- | --- | --- |\n| KX7-2 | 2019 | Ann Moor |', false],
  ['How old is Ann Moor?', '| Name | Fiscal year | Bonus |\n| --- | --- | --- |\n| Ann Moor | 2019 | 1,379 |', true],
  ['How old is Ann Moor?', '| Name | Age | Post |\n| --- | --- | --- |\n| Ann Moor | 51 | mate |', false],
  ['How old is Ann Moor?', '| Name | Born | Post |\n| --- | --- | --- |\n| Ann Moor | 1971 | mate |', false],
  ['How many bars of KX7-2 are there?', '| Grade | Bars |\n| --- | --- |\n| KX7-2 | 12 |', false],
  [
    'How long does the delivery of oak take?',
    '| wood | price_eur | delivery_days |\n| --- | --- | --- |\n| oak | 48 | 5 |',
    false,
  ],
  [
    'How long does the delivery of oak take?',
    '| wood | price_eur | delivery_fee |\n| --- | --- | --- |\n| oak | 48 | 5 |',
    true,
  ],
])('%s', (question, text, expected) => {
  expect(isOther(question, text)).toBe(expected);
});

it.each([
  ['What is the currency of Oman?', true],
  ['What is the currency of Malta?', false],
  ['What is the currency of Chad?', false],
])('a row with nothing in the column of a name says nothing of it: %s', (question, expected) => {
  const coins = '| | Malta | Oman | Peru |\n| --- | --- | --- | --- |\n| Currency | Euro | | Sol |';
  expect(isOther(question, coins)).toBe(expected);
});

it('looks into the column that is asked for', () => {
  const scales = '| Grade | Brinell | Rockwell | Vickers |\n| --- | --- | --- | --- |\n';
  for (const [row, expected] of [
    ['| KX7-2 | 293 | | 300 |', true],
    ['| KX7-2 | 293 |', true],
    ['| KX7-2 | 293 | 40 | |', false],
  ] as const)
    expect(isOther('What is the Rockwell hardness of KX7-2?', scales + row)).toBe(expected);
});

it('reads a row with its headings', () => {
  expect(isOther('What is the density of KX7-2?', hardness, ['Density'])).toBe(false);
});

it('asks nothing of prose', () => {
  expect(isOther('What is the density of KX7-2?', 'KX7-2 is hard.')).toBe(false);
});

it.each([
  ['Сколько стоит лодка?', 'Лодка'],
  ['Quanto custa o barco?', 'Barco'],
  ['Ile kosztuje łódka?', 'Łódka'],
])('a row of prices leaves no verb open: %s', (question, label) => {
  const { asked, candidates } = analysed(question, `| A | B |\n| --- | --- |\n| X | 3 |\n| ${label} | 900 |\n`);
  expect(leavesOpen(asked, candidates.at(-1)!)).toBe(false);
});
