import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { isOutOfBounds } from '../../../../../src/answer/sentences/rules/out-of-bounds.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

function isOut(question: string, sentence: string): boolean {
  const analysed = analyseQuestion(question, statisticsOf([sentence]));
  return isOutOfBounds(analysed, candidatesOf(analysed, [hitOf(chunkOf(sentence))])[0]!);
}

describe('isOutOfBounds', () => {
  it.each([
    ['Who steers a ferry of 60 metres?', 'Ferries under 40 metres are steered by a mate.', true],
    ['Who steers a ferry of 30 metres?', 'Ferries under 40 metres are steered by a mate.', false],
    ['Who steers a ferry of 40 metres?', 'Ferries under 40 metres are steered by a mate.', true],
    ['Who steers a ferry of 30 metres?', 'Ferries of more than 40 metres have a captain.', true],
    ['Who steers a ferry of 60 metres?', 'Ferries of more than 40 metres have a captain.', false],
    ['Who steers a ferry of 60 metres?', 'From under 40 metres to over 50 metres: a mate steers.', false],
    ['Which berth has a stay of six hours?', 'Stays under four hours are at the quay.', true],
    ['Which berth has a 6-hour stay?', 'Stays under four hours are at the quay.', true],
    ['Welcher Platz ist für 6 Stunden?', 'Unter 4 Stunden liegt man am Kai.', true],
    ['Who steers ferries under 60 metres?', 'Ferries under 40 metres are steered by a mate.', false],
    ['Who steers a ferry of 60 metres?', 'Ferries under 40 tonnes are steered by a mate.', false],
    ['Who steers a ferry of 60 metres?', 'Ferries are steered by a mate.', false],
    ['Is a berth of 60 metres free?', 'Berths up to 40 metres are free.', false], // which says that it is not
  ])('%s – %s', (question, sentence, expected) => {
    expect(isOut(question, sentence)).toBe(expected);
  });
});

it('is no plain answer', async () => {
  const hits = [hitOf(chunkOf('Stays under four hours are at the quay of the harbour.'))];
  expect((await ask('Where is a stay of three hours in the harbour?', hits)).confidence).toBe('high');
  expect((await ask('Where is a stay of six hours in the harbour?', hits)).confidence).not.toBe('high');
});

describe('a row for a range of amounts', () => {
  const fees = `| Stay | Fee |
| --- | --- |
| 15 to 29 minutes | one crown |
| 30 to 59 minutes | two crowns |
| 60 minutes or more | four crowns |`;
  const weights = `| Weight (kg) | Price |
| --- | --- |
| up to 2 | three crowns |
| 2–10 | five crowns |
| over 10 | nine crowns |`;

  it.each([
    ['What is the fee for a stay of 40 minutes?', fees, 'two crowns'],
    ['What is the fee for a stay of 20 minutes?', fees, 'one crown'],
    ['What is the fee for a stay of 90 minutes?', fees, 'four crowns'],
    ['What is the price for a weight of 8 kg?', weights, 'five crowns'],
    ['What is the price for a weight of 12 kg?', weights, 'nine crowns'],
  ])('is the answer: %s', (question, text, fee) => {
    const { answer, confidence } = ask(question, [hitOf(chunkOf(text, { title: 'Harbour' }))]);
    expect(answer).toContain(fee);
    expect(answer.match(/crowns?/gu)).toHaveLength(1);
    expect(confidence).toBe('high');
  });

  it('is in doubt where no row is for the amount', () => {
    const hit = hitOf(chunkOf(fees, { title: 'Harbour' }));
    expect(ask('What is the fee for a stay of 5 minutes?', [hit]).confidence).not.toBe('high');
  });
});
