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

  it('is not told by a sentence without a word of its own; the sentence before it comes along', () => {
    const text = 'Gulls made a nest in the winch house. The winch of the quay is silent. Ann Moor is glad.';
    expect(about('Why is the winch of the quay of Brannoch silent?', text).answer).toContain(
      'Gulls made a nest in the winch house. The winch of the quay is silent. [1]',
    );
  });

  it('why something is so no longer is not told by a sentence that says it is so', () => {
    const text = 'We keep the winch in the shed with a lock of our own. The mast is of spruce.';
    expect(about('Why do we no longer keep the winch in the shed?', text).confidence).toBe('low');
    expect(about('Why do we keep the winch in the shed?', text).confidence).toBe('high');
  });

  it('is told by the sentence behind it', () => {
    const text = 'The winch jammed on 2 May. This was caused by sand. The repair cost 40 crowns.';
    const { answer, confidence } = about('Why did the winch jam?', text);
    expect(answer).toBe('The winch jammed on 2 May. This was caused by sand. [1]');
    expect(confidence).toBe('high');
  });
});
