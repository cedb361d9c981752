import { describe, expect, it } from 'vitest';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const about = (question: string, text: string) =>
  ask(question, [hitOf(chunkOf(text, { title: 'Log', uri: 'log.md' }))]);

describe('a reason', () => {
  it('is not told by what happened', () => {
    const text = 'Ann Moor reported that the winch had jammed on 2 May. The repair cost 40 crowns.';
    expect(about('Why did the winch jam?', text).confidence).toBe('low');
    expect(about('When did the winch jam?', text).confidence).toBe('high');
  });

  it('is told by the sentence behind it', () => {
    const text = 'The winch jammed on 2 May. This was caused by sand. The repair cost 40 crowns.';
    const { answer, confidence } = about('Why did the winch jam?', text);
    expect(answer).toBe('The winch jammed on 2 May. This was caused by sand. [1]');
    expect(confidence).toBe('high');
  });
});
