import { expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { isIndexEntry } from '../../../../../src/answer/sentences/rules/index-entry.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const what = 'What does crane -u do?';
const entry = '-u: The crane [Its levers]';

it.each([
  [what, entry, 'Index', true],
  [what, entry, 'Chapter 64 - Option Index', true],
  [what, entry, 'Python Module Index', true],
  [what, entry, 'D.1 Index of Crane Commands', true],
  [what, entry, 'D.3 Parameter and Variable Index', true],
  [what, entry, 'Index of Consumer Prices', false],
  [what, entry, 'Stichwortverzeichnis', true],
  [what, 'levers, 12, 37', 'Subject index', true],
  [what, '-u: Lifts the load.', 'Index', false],
  [what, 'Telephone: 4410', 'Index', false],
  ['Where is crane -u explained?', entry, 'Index', false],
  [what, entry, 'Body mass index', false],
  [what, entry, 'CREATE INDEX', false],
  [what, entry, 'Options', false],
])('%s — %s below %s: %s', (asked, text, heading, expected) => {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const [candidate] = candidatesOf(question, [hitOf(chunkOf(text, { headings: ['Manual', heading, 'U'] }))]);
  expect(isIndexEntry(question, candidate!)).toBe(expected);
});

it('answers with what is said of an option, and not with where the index says that it stands', () => {
  const texts = [
    ['-t: The crane [Its levers]', entry, '-v: The crane [Its levers]'].join('\n\n'),
    ['-t: Turns the crane to the left.', '-u: Lifts the load from the quay.', '-v: Writes what it does.'].join('\n\n'),
  ];
  const hits = texts.map((text, i) =>
    hitOf(chunkOf(text, { uri: `${i}.html`, title: 'Crane', headings: [i === 0 ? 'Option index' : 'Levers'] })),
  );
  const { citations } = answerExtractive(what, hits, statisticsOf(texts), { refuseBelow: 0 });
  expect(citations.map(({ quote }) => quote)).toEqual(['-u: Lifts the load from the quay.']);
});

it.each([
  ['Page', 'REPORT | 30\nFEES | 44\nSHARES AT YEAR-END | 48\nPLANS | 54', 'What is the year-end?', true],
  ['Contents', 'Report | 3\nFees | 7\nYear-end | 7\nAppendix | A-1', 'What is the year-end?', true],
  ['Page', 'REPORT | 30\nFEES | 44\nSHARES AT YEAR-END | 48\nPLANS | 54', 'On which page is the year-end?', false],
  ['Prices', 'Tea | 3\nCoffee | 4\nSoup | 6\nFish | 9', 'What does soup cost?', false],
  ['Page', 'Tea | 30\nCoffee | 4\nSoup | 16\nFish | 9', 'What does soup cost?', false],
  ['Page', 'Tea | 3\nCoffee | 4\nSoup | 6', 'What does soup cost?', false],
])('rows below %s are entries of a table of contents: %s %s %s', (heading, text, asked, expected) => {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const candidates = candidatesOf(question, [hitOf(chunkOf(text, { headings: [heading], format: 'pdf' }))]);
  expect(candidates.every(({ unit }) => unit.kind === 'row')).toBe(true);
  expect(candidates.every((candidate) => isIndexEntry(question, candidate) === expected)).toBe(true);
});
