import { describe, expect, it } from 'vitest';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const text = `EXIT STATUS
       crane exits with the following status:

       0      if it succeeds

       11     if any load of the command exited with status 1-10

       12     if the command cannot be run

       13     if the command is not found

       14     if the cable is cut by a storm

       Codes greater than 20 are used by the harbour to indicate a storm.
`;
const answerOf = (question: string) =>
  ask(question, [hitOf(chunkOf(text, { title: 'crane(1)', uri: 'crane.txt', format: 'text' }))]);

describe('the code that is asked for by what it means', () => {
  it.each([
    ['What exit status does crane return if the command is not found?', /^13 if the command is not found/],
    ['Which exit code does crane give when the cable is cut?', /^14 if the cable is cut/],
    ['Which exit status does crane return if the command cannot be run?', /^12 if the command cannot be run/],
  ])('%s', (question, expected) => {
    const { answer, confidence } = answerOf(question);
    expect(answer).toMatch(expected);
    expect(confidence).toBe('high');
  });

  it('is not another one where none is said', () => {
    expect(answerOf('Which exit code does crane return when the disk is full?').confidence).not.toBe('high');
  });
});
