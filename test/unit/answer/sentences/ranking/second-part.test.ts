import { expect, it } from 'vitest';
import type { Answer } from '../../../../../src/answer/contract.ts';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const text = 'The heron nests in April. Gulls cry all day. The heron lays four eggs. Boats are for hire.';

const ask = (question: string): Answer =>
  answerExtractive(question, [hitOf(chunkOf(text))], statisticsOf([text]), { refuseBelow: 0 });

it('a second question behind the first is answered, a remark is not', () => {
  const quotes = (question: string) => ask(question).citations.map(({ quote }) => quote);
  expect(quotes('When does the heron nest? How many eggs does the heron lay?').sort()).toEqual([
    'The heron lays four eggs.',
    'The heron nests in April.',
  ]);
  expect(quotes('When does the heron nest? We count how many eggs the heron lays.')).toHaveLength(1);
});

it('an answer that leaves a part of the question is in doubt', () => {
  const confidence = (question: string) => ask(question).confidence;
  expect(confidence('When does the heron nest and how many eggs does it lay?')).toBe('high');
  expect(confidence('When does the heron nest and who feeds its fledglings?')).toBe('low');
  expect(confidence('Who feeds its fledglings? When does the heron nest?')).toBe('low');
  expect(confidence('When and where does the heron nest?')).toBe('high'); // no word of its own
});
