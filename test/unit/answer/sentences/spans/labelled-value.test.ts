import { expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { labelledValue } from '../../../../../src/answer/sentences/spans/labelled-value.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const teams = 'Team | Place | Rope Cups\n--- | --- | ---\nGulls | Varn | 2\nTerns | Sele | 13';
const test =
  'Grams | Rate (mm/year) | Corrosion rate (mm/year) | Age\n--- | --- | --- | ---\n8 | 0.3 | 0.4 | 3\n10 | 0.2 | 0.09 | 4';
const crew = '| Name | Age | Height | Joined |\n| --- | --- | --- | --- |\n| Ann Moor | 51 | 1.70 m | 2014 |';
const bonus = '2019 | 2020\n--- | ---\nAnn Moor | 1,379 | 1,200\nTor Vale | 3 | 4';
const country = 'name: Norland\ncapital: Quayport\nleader: Tor Vale\nsport: Rope & Sail';

it.each([
  ['How many Rope Cups have the Gulls won?', teams, 'Gulls |', '2'],
  ['Where are the Gulls that won cups?', teams, 'Gulls |', undefined], // `Cups` is no place
  ['What is the corrosion rate with 10 grams?', test, '10 |', '0.09'],
  ['How old is Ann Moor?', crew, '| Ann', '51'],
  ['What was the bonus of Ann Moor in 2020?', bonus, 'Ann', '1,200'],
  ['Who is 51?', crew, '| Ann', 'Ann Moor'],
  ['Who leads Norland?', country, 'name:', 'Tor Vale'],
  ['What is the capital of Norland?', country, 'name:', 'Quayport'],
  [
    'Since which version is there a limit?',
    'limit\n   :Type: integer\n   :Since: 2.1\n\nswing\n   Far.',
    'limit',
    '2.1',
  ],
])('marks the value under the name that is asked for: %s', (text, whole, from, words) => {
  const hit = hitOf(chunkOf(whole, { uri: 'a.md', title: 'A' }));
  const question = analyseQuestion(text, statisticsOf([whole]));
  const candidate = candidatesOf(question, [hit]).find(({ unit }) => whole.startsWith(from, unit.start))!;
  const span = labelledValue(question, candidate);
  expect(span && whole.slice(span.start, span.end)).toBe(words);
});
