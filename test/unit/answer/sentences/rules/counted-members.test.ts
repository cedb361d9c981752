import { expect, it } from 'vitest';
import { membersGain, onlyCounts } from '../../../../../src/answer/sentences/rules/counted-members.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';
import { analysed, gaining } from './gaining.ts';

const text =
  'The lamps of Tern come from two towns. We chose lamps from two towns: Gale and Moor. The ferry takes two towns of people. They have three towns: one, two and three.';

it('of what says how many there are, only that which names them gains', () => {
  expect(gaining(membersGain, 'Which two towns do the lamps come from?', text)).toEqual(['We chose lamps from ']);
  expect(gaining(membersGain, 'Which towns do the lamps come from?', text)).toEqual([]);
  expect(gaining(membersGain, 'Which four towns do the lamps come from?', text)).toEqual([]);
  const { asked, candidates } = analysed('Which two towns do the lamps come from?', text);
  expect(candidates.map((one) => onlyCounts(asked, one))).toEqual([true, false, false, false]);
});

it.each([
  ['Aus welchen zwei Städten kommen die Lampen?', 'Die Lampen kommen aus zwei Städten: Gale und Moor.', 0], // asks behind a word
  ['Welche zwei Städte haben Lampen?', 'Lampen haben zwei Städte: Gale und Moor.', 1],
  ['Quelles sont les deux villes des lampes ?', 'Les lampes viennent de deux villes : Gale et Moor.', 1],
  ['¿Cuáles son las dos ciudades de las lámparas?', 'Hay lámparas en dos ciudades: Gale y Moor.', 1],
  ['Quali sono le due città delle lampade?', 'Le lampade sono di due città: Gale e Moor.', 1],
])('in other languages: %s', (question, passage, expected) => {
  expect(gaining(membersGain, question, passage)).toHaveLength(expected);
});

const answerTo = (question: string, passage: string): string =>
  ask(question, [hitOf(chunkOf(passage, { title: 'Harbour', uri: 'harbour.md' }))]).answer;

it('the one that names them goes before one that has more words of the question', () => {
  expect(answerTo('Which two towns do the lamps of Tern come from?', text)).toMatch(
    /^We chose lamps from two towns: Gale/,
  );
});

it('members that are told one by one go with the sentence that counts them', () => {
  const told =
    'The old lamp has two weaknesses. First, it leaks oil. That is dear. Second, it smokes in the wind. The new lamp is dry.';
  const answer = answerTo('What are the two weaknesses of the old lamp?', told);
  expect(answer).toContain('it leaks oil');
  expect(answer).toContain('Second, it smokes in the wind.');
  expect(answer).not.toContain('The new lamp is dry');
  const other = 'The old lamp has two weaknesses. It was bought in May. Second, it smokes.';
  expect(answerTo('What are the two weaknesses of the old lamp?', other)).not.toContain('bought in May');
});
