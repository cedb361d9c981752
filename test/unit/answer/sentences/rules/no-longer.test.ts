import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { isNoLonger } from '../../../../../src/answer/sentences/rules/no-longer.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

function isGone(question: string, sentence: string): boolean {
  const analysed = analyseQuestion(question, statisticsOf([sentence]));
  return isNoLonger(analysed, candidatesOf(analysed, [hitOf(chunkOf(sentence))])[0]!);
}

describe('isNoLonger', () => {
  it.each([
    ['What is the toll now?', 'The toll was 40 crowns a boat until 2021.', true],
    ['What is the current toll?', 'Until May 2021 the toll was 40 crowns.', true],
    ['Wie hoch ist der Zoll heute?', 'Der Zoll betrug bis 2021 40 Kronen.', true],
    ['Quel est le péage actuel ?', 'Le péage était de 40 couronnes jusqu’en 2021.', true],
    ['¿Cuánto es el peaje ahora?', 'El peaje era de 40 coronas hasta 2021.', true],
    ['¿Cuánto es el peaje ahora?', 'Hasta 2021 el peaje costaba 40 coronas.', true],
    ['What is the toll now?', 'Until 2021 the toll used to be 40 crowns.', true],
    ['Who keeps the lock now?', 'Later the lock was kept by Ann Moor.', true],
    ['Who is the current master?', 'Ann Moor was elected by the members.', false],
    ['Who kept the lock?', 'Later the lock was kept by Ann Moor.', false],
    ['What is the toll now?', 'From 2022 on the toll is 55 crowns.', false],
    ['What is the toll now?', 'The toll is 55 crowns until 2030.', false],
    ['What was the toll in 2020?', 'The toll was 40 crowns a boat until 2021.', false],
    ['Was the actual toll 40 crowns?', 'The toll was 40 crowns a boat until 2021.', false],
  ])('%s – %s', (question, sentence, expected) => {
    expect(isGone(question, sentence)).toBe(expected);
  });
});

it('answers with what holds now, and doubts what no longer does', async () => {
  const before = 'The toll of the bridge was 40 crowns a boat until 2021.';
  const both = await ask('What is the toll of the bridge now?', [
    hitOf(chunkOf(`${before} From January 2022 the toll of the bridge is 55 crowns a boat.`)),
  ]);
  expect(both.answer).toContain('55 crowns');
  expect(both.answer).not.toContain('40 crowns');
  const one = await ask('What is the toll of the bridge now?', [hitOf(chunkOf(before))]);
  expect(one.confidence).not.toBe('high');
});
