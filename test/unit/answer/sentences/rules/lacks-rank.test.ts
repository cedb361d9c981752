import { expect, it } from 'vitest';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const confidence = (question: string, text: string): string =>
  ask(question, [hitOf(chunkOf(text, { title: 'School' }))]).confidence;
const head = 'The head teacher is Helen Moss. The school has a garden.';

it('the head is no plain answer where the deputy is asked for', () => {
  expect(confidence('Who is the head teacher?', head)).toBe('high');
  expect(confidence('Who is the deputy head teacher?', head)).toBe('low');
  expect(confidence('Wer ist die stellvertretende Schulleiterin?', 'Die Schulleiterin ist Helen Moss.')).toBe('low');
});

it('the deputy is, and whoever takes the place of somebody', () => {
  expect(confidence('Who is the deputy head teacher?', head.replace('head', 'deputy head'))).toBe('high');
  expect(confidence('Who is the vice-president?', 'The vice-president is Helen Moss. It rains.')).toBe('high');
});
