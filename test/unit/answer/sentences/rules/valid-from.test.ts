import { expect, it } from 'vitest';
import { validFromGain } from '../../../../../src/answer/sentences/rules/valid-from.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';
import { gaining } from './gaining.ts';

const text = 'Valid from 1 January 2026. It replaces the policy of 2023.';
const gains = (question: string, passage = text) =>
  gaining(validFromGain, question, passage, { title: 'Travel policy' });

it.each([
  'When does the travel policy apply from?',
  'When is the travel policy valid?',
  'When did the policy take effect?',
])('dates from when on something is valid: %s', (question) => {
  expect(gains(question)).toEqual([text.slice(0, 20)]);
});

it('in German too', () => {
  expect(gains('Ab wann gilt die Travel Policy?', 'Sie gilt ab dem 1. Mai 2026. Sie ist neu.')).toHaveLength(1);
});

it.each([
  'When does the leave policy apply?',
  'When was the travel policy written?',
  'Who is the travel policy valid for?',
])('and nothing else: %s', (question) => {
  expect(gains(question)).toEqual([]);
});

it('is the plain answer', () => {
  const { answer, confidence } = ask('When does the travel policy apply from?', [
    hitOf(chunkOf(text, { title: 'Travel policy' })),
  ]);
  expect(answer).toMatch(/^Valid from 1 January 2026/);
  expect(confidence).toBe('high');
});
