import { expect, it } from 'vitest';
import { labelGain } from '../../../../../src/answer/sentences/rules/labelled.ts';
import { lacksRelative } from '../../../../../src/answer/sentences/rules/lacks-relative.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';
import { analysed, gaining } from './gaining.ts';

const card = 'Born | March 2, 1919\nDied | May 5, 2009\nSpouse | Bo Tarn, m. 1949';

it.each([
  ['When was the daughter of Ann Moor born?', card, [true, true, true]],
  ['When was Ann Moor born?', card, [false, false, false]],
  ['When did Ann Moor marry her husband?', card, [true, true, false]], // `Spouse` is the husband
  ['Wann wurde die Tochter von Ann Moor geboren?', 'Geboren: 2. März 1919\nTochter: Ida, geboren 1951', [true, false]],
  ['Wann starb der Ehemann der Malerin Ida Moor?', 'Ida Moor starb 1987 auf See. Ihr Mann starb 1990.', [true, false]],
  ['When was the daughter born?', 'Ann was born in 1919.', [false]], // no row and no label
  ['When was Ann Moor’s daughter born?', 'Ann Moor was born in 1919.', [true]],
  ['When was the daughter of Ann Moor born?', 'Ann Moor had Ida in 1951. She was born at sea.', [true, false]],
  ['When was the daughter of Ann Moor born?', 'Ann Moor was born in 1919, her daughter in 1951.', [false]],
  ['Who is the father of Ann Moor?', card, [false, false, false]], // the row may name him
])('a row that says nothing of a relative: %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text, { title: 'Ann Moor' });
  expect(candidates.map((one) => lacksRelative(asked, one))).toEqual(expected);
});

it('a header may name the relative', () => {
  const text = '| Name | Daughter born |\n| --- | --- |\n| Ann Moor | 4 May 1951 |';
  const { asked, candidates } = analysed('When was the daughter of Ann Moor born?', text);
  expect(lacksRelative(asked, candidates.at(-1)!)).toBe(false);
});

it('the day of somebody is no plain answer to a question for a relative', () => {
  const title = 'Ann Moor';
  expect(gaining(labelGain, 'When was Ann Moor born?', card, { title })).toEqual(['Born | March 2, 1919']);
  expect(gaining(labelGain, 'When was the daughter of Ann Moor born?', card, { title })).toEqual([]);
  const hits = [hitOf(chunkOf(card, { title }))];
  expect(ask('When was Ann Moor born?', hits).confidence).toBe('high');
  expect(ask('When was the daughter of Ann Moor born?', hits).confidence).not.toBe('high');
});
