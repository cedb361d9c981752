import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { lacksThing, thereIsGain } from '../../../../../src/answer/sentences/rules/there-is.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';
import { analysed } from './gaining.ts';

function gainOf(question: string, sentence: string, title = ''): number {
  const asked = analyseQuestion(question, statisticsOf([sentence, title]));
  return thereIsGain(asked, candidatesOf(asked, [hitOf(chunkOf(sentence, { title }))])[0]!);
}

describe('thereIsGain', () => {
  it.each([
    ['What will there be at the harbour fair?', 'There will be music and cake.', 'Harbour fair'],
    ['What is there at the harbour?', 'At the harbour there is a crane.', ''],
    ['Was gibt es im Hafen?', 'Im Hafen gibt es einen Kran.', ''],
    ["Cosa c'è al porto?", "Al porto c'è una gru.", ''],
    ['O que há no porto?', 'No porto há um guindaste.', ''],
    ['Was wird es im Hafen geben?', 'Im Hafen wird es Musik geben.', ''],
    ["Qu'est-ce qu'il y a au port ?", 'Au port il y a une grue.', ''],
    ['¿Qué hay en el puerto?', 'En el puerto hay una grúa.', ''],
  ])('is for %s of %s', (question, sentence, title) => {
    expect(gainOf(question, sentence, title)).toBeGreaterThan(0);
  });

  it.each([
    ['What will there be at the harbour fair?', 'There will be music and cake.', 'Winter ball'],
    ['What will there be at the harbour fair?', 'Get excited for it!', 'Harbour fair'],
    ['When will there be music at the harbour fair?', 'There will be music.', 'Harbour fair'],
    ['What happened at the harbour?', 'There is a crane at the harbour.', ''],
  ])('is 0 for %s of %s', (question, sentence, title) => {
    expect(gainOf(question, sentence, title)).toBe(0);
  });
});

it('answers with what there is, in place of the sentence that has the words', async () => {
  const chunk = chunkOf('Come to the first harbour fair!\n\nThere will be music, a crane to climb, and cake.', {
    title: 'Harbour fair',
  });
  const { answer } = await ask('What will there be at the harbour fair?', [hitOf(chunk)]);
  expect(answer).toMatch(/^There will be music/);
});

it.each([
  ['Is there a sauna at the climbing hall?', 'The museum has a sauna for guests.', true],
  ['Is there a sauna at the museum?', 'The museum has a sauna for guests.', false],
  ['Gibt es eine Sauna im Museum?', 'Das Museum hat einen Garten.', true],
  ['Does the museum have a sauna for dogs?', 'The museum has a sauna for guests.', true],
  ['Does the museum have a sauna for guests?', 'There is a sauna for guests.', false], // whose sauna it is others ask
  ['Does a guest have to register?', 'Guests sign the book.', false], // no thing
  ['Does the crane support stored loads?', 'The crane supports four stored cables.', true],
  ['Where is the sauna at the climbing hall?', 'The museum has a sauna for guests.', false],
])('%s – %s', (question, sentence, expected) => {
  const { asked, candidates } = analysed(question, sentence);
  expect(lacksThing(asked, candidates[0]!)).toBe(expected);
});
