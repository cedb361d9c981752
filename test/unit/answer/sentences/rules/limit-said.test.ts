import { describe, expect, it } from 'vitest';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const text =
  'The quay has a crane. Larger barges wait at the buoy, where they are weighed. Barges of up to 90 tonnes can moor. A barge may stay for at most 12 days. The quay does not take convoys containing more than 7 rafts. This limit arises from the fact that each convoy has a ring for one raft at the quay. Crews must have at least 3 sailors. The largest crew came in May.';
const about = (question: string) => ask(question, [hitOf(chunkOf(text, { title: 'The quay', uri: 'quay.md' }))]);

describe('a limit', () => {
  it.each([
    ['What is the largest barge that can moor at the quay?', /^Barges of up to 90 tonnes can moor\. \[1\]$/],
    ['What is the smallest crew?', /^Crews must have at least 3 sailors\. \[1\]$/],
    ['longest time a barge may stay', /^A barge may stay for at most 12 days\. \[1\]$/],
  ])('answers for the most or the least: %s', (question, expected) => {
    expect(about(question)).toMatchObject({ answer: expect.stringMatching(expected), confidence: 'high' });
  });

  it('goes before what explains a limit', () => {
    expect(about('What is the most rafts I can have in one convoy at the quay?').answer).toContain(
      'The quay does not take convoys containing more than 7 rafts. [1]',
    );
  });

  it('answers how many there can be', () => {
    const hits = [
      'A ferry ties two barges or more to one tug. The number of barges that are tied at one time is limited to what MAX_TIED says, which is set to 10.',
    ].map((one) => hitOf(chunkOf(one, { title: 'Tugs', uri: 'tugs.md' })));
    expect(ask('How many barges can be tied at one time?', hits)).toMatchObject({
      answer: expect.stringContaining('is set to 10.'),
      confidence: 'high',
    });
  });

  it('is no answer for something else', () => {
    expect(about('What is the largest buoy?').confidence).not.toBe('high');
  });
});
