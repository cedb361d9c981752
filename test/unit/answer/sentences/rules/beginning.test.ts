import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { beginningGain } from '../../../../../src/answer/sentences/rules/beginning.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

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
