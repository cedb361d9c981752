import { describe, expect, it } from 'vitest';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const answerTo = (question: string, text: string): string =>
  ask(question, [hitOf(chunkOf(text, { title: 'Harbour', uri: 'harbour.md' }))]).answer;

describe('what completes an answer', () => {
  const ferry =
    'In 1987 the ferry Sigrun ran aground on the Teeth. All passengers were saved. The mate had fallen asleep.';

  it('is what stands behind the same question, told of somebody', () => {
    const text = 'Ann Moor asked why the lamp of the quay was dark. Bo Tarn said that a wire is broken. It rains.';
    expect(answerTo('Why was the lamp of the quay dark?', text)).toContain('a wire is broken');
  });

  it('is nothing where the reason is there, or where no reason is asked for', () => {
    const text = 'The lamp of the quay was dark because of the storm. Ann Moor had left early.';
    expect(answerTo('Why was the lamp of the quay dark?', text)).not.toContain('Ann Moor had left');
    expect(answerTo('When did the Sigrun run aground?', ferry)).not.toContain('fallen asleep');
  });

  it('is the sentence before a pronoun, which says who it was, and not a name behind it', () => {
    const text =
      'The last keeper was Edith Moor, a baker. She sold the lamps of the quay in 1931. The office in Candle Street is a hotel.';
    const answer = answerTo('Who sold the lamps of the quay?', text);
    expect(answer).toContain('Edith Moor');
    expect(answer).not.toContain('Candle Street');
  });

  it('is no sentence with a part of the name alone, which says no more than the title', () => {
    const text = 'Last year a room was found for Moor. She sold the lamps of the quay in 1931. Candle Street is near.';
    const hit = hitOf(chunkOf(text, { title: 'Edith Moor', uri: 'moor.md' }));
    expect(ask('Who sold the lamps of the quay?', [hit]).answer).toMatch(/^Edith Moor: She sold the lamps/);
  });
});
