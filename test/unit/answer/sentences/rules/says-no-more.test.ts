import { describe, expect, it } from 'vitest';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const text = `Examples

Compute the weight of a boat.

SELECT hull + load FROM boats;

Compute the length of a mast in feet. Masts are of spruce.

SELECT mast / 0.3048 FROM boats;`;

const quoteFor = (question: string): string => ask(question, [hitOf(chunkOf(text))]).citations[0]!.quote;

describe('a sentence that says no more than the question', () => {
  it('is cited with the line below, which shows how', () => {
    expect(quoteFor('How do I compute the weight of a boat?')).toBe(
      'Compute the weight of a boat.\n\nSELECT hull + load FROM boats;',
    );
  });

  it('is completed by what stands behind it in its paragraph', () => {
    const faults =
      '**BoomError: the boom is no mast.** The old name is still used. Replace it with `mast`.\n\nTar the hull.';
    expect(ask('What does "BoomError: the boom is no mast" mean?', [hitOf(chunkOf(faults))]).answer).toContain(
      'The old name is still used. Replace it with mast.',
    );
  });

  it('stands alone where more is said behind it, or where it is not asked how', () => {
    expect(quoteFor('How do I compute the length of a mast in feet?')).toBe('Compute the length of a mast in feet.');
    expect(quoteFor('What is the weight of a boat?')).toBe('Compute the weight of a boat.');
  });
});
