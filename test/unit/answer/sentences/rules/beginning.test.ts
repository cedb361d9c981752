import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import {
  beginnerGain,
  beginningGain,
  lacksEnding,
  settlesBeginning,
} from '../../../../../src/answer/sentences/rules/beginning.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';
import { analysed, gaining } from './gaining.ts';

const about = (question: string, text: string) =>
  ask(question, [hitOf(chunkOf(text, { title: 'The tide mill', uri: 'mill.md' }))]);

describe('when something began', () => {
  const text =
    'In the beginning the mill had one wheel. The mill was founded in 1804 by Jon Reed. In 1911 the mill started a bakery. It burnt in 1950.';

  it('is dated by another word for it', () => {
    for (const question of ['When did the mill begin?', 'When was the tide mill established?'])
      expect(about(question, text)).toMatchObject({
        answer: expect.stringMatching(/^The mill was founded in 1804 by Jon Reed\. \[1\]$/),
        confidence: 'high',
      });
  });

  it('is dated by what is to come, where that is asked', () => {
    const camp = 'The mill camp was founded in 1954. The mill camp runs from 12 July to 25 July 2026.';
    expect(about('When does the mill camp begin?', camp).citations[0]!.quote).toContain('12 July');
    expect(about('When did the mill camp begin?', camp).citations[0]!.quote).toContain('1954');
  });

  it('is not dated by what it began to do, nor by its end', () => {
    const hits = [hitOf(chunkOf(text, { title: 'The tide mill', uri: 'mill.md' }))];
    const question = analyseQuestion('When did the mill begin?', statisticsOf([text]));
    const gaining = candidatesOf(question, hits).flatMap((one) =>
      beginningGain(question, one) > 0 ? [one.index] : [],
    );
    expect(gaining).toEqual([1]);
  });
});

describe('who began it', () => {
  it.each([
    ['Who started the mill?', 'The mill was founded in 1804 by Jon Reed.', false],
    ['Who started the mill?', 'The mill was founded by the miller Jon Reed.', true],
    ['Who founded the mill?', 'Jon Reed, a miller of Haven, started the mill.', true],
    ['Who is the founder of the mill?', 'Jon Reed created the mill.', true],
    ['Who founded the mill?', 'Jon Reed was the founder of the mill.', true],
    ['Who founded the mill?', 'In 1804 he started the mill.', false],
    ['Who founded Reed?', 'Reed started a bakery.', false],
    ['Who founded the mill?', 'The bakery was founded by Ann Moor.', false],
    ['Who founded the tide mill?', 'The mill was founded by Jon Reed.', false],
    ['When was the mill founded?', 'The mill was founded by Jon Reed.', false],
  ])('is named by another word for it: %s %s', (question, text, expected) => {
    expect(gaining(beginnerGain, question, text, { title: 'Haven' })).toHaveLength(expected ? 1 : 0);
  });

  it('is no pronoun', () => {
    const text = 'With some money of his own he started the mill. The mill was first founded by Jon Reed.';
    expect(about('Who started the mill?', text).citations[0]!.quote).toContain('Jon Reed');
  });
});

it('dates what comes out, and not the second one where the first is asked for', () => {
  const settles = (question: string, text: string): boolean => {
    const { asked, candidates } = analysed(question, text);
    return settlesBeginning(asked, candidates[0]!);
  };
  expect(settles('When did Kran 2.1 come out?', 'Kran 2.1 was released on 9 March 1999.')).toBe(true);
  expect(settles('When did Kran 2.1 come out?', 'Kran 2.1 was dropped on 9 March 1999.')).toBe(false);
  expect(settles('When was the first Kran released?', 'The second Kran was released in 1999.')).toBe(false);
  expect(settles('When was the first Kran released?', 'The first Kran was released in 1997.')).toBe(true);
});

it.each([
  ['When did the mill close?', 'The mill was founded in 1804.', true],
  ['When did the mill close?', 'The mill was founded in 1804 and closed in 1950.', false],
  ['When did the mill end?', 'The mill was open from 1804 to 1950.', false],
  ['When was the paper discontinued?', 'The paper was first published in 1804.', true],
  ['When was the paper discontinued?', 'The paper (1804–1950) was published in Holm.', false],
  ['When was the mill founded?', 'The mill was founded in 1804.', false],
  ['When does the mill close?', 'It is shut at six.', false],
  ['Wann wurde die Mühle geschlossen?', 'Die Mühle wurde 1804 gegründet.', true],
  ['Quand a fermé le moulin ?', 'Le moulin a été fondé en 1804.', false], // the verb stands in the middle
  ['¿Cuándo cerró el molino?', 'El molino fue fundado en 1804.', true],
])('lacks the end: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(lacksEnding(asked, candidates[0]!)).toBe(expected);
});
