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

  it('is completed by the term of its entry with its fields', () => {
    const settings =
      '``dock.limit``\n   :Default: 5\n\n   Most boats in it.\n\n``dock.rest``\n   :Default: ``wait``\n\n   What happens when a dock is full.\n';
    expect(
      ask('What happens when a dock is full?', [hitOf(chunkOf(settings, { format: 'rst' }))]).citations[0]!.quote,
    ).toMatch(/^``dock\.rest``\n {3}:Default: ``wait``\n\n {3}What happens when a dock is full\.$/);
  });

  it('is completed below the name of a setting, which says where', () => {
    const settings = `ENVIRONMENT
       TIDE_LOG_DIR
              Where the log of the tides is kept. Defaults to /var/tides.

       TIDE_NAME
              Name of the harbour.`;
    expect(
      ask('Where is the log of the tides kept?', [hitOf(chunkOf(settings, { format: 'text' }))]).citations[0]!.quote,
    ).toMatch(/^TIDE_LOG_DIR\n.*Defaults to \/var\/tides\.$/s);
  });

  it('is completed by what stands behind it in its paragraph', () => {
    const faults =
      '**BoomError: the boom is no mast.** The old name is still used. Replace it with `mast`.\n\nTar the hull.';
    expect(ask('What does "BoomError: the boom is no mast" mean?', [hitOf(chunkOf(faults))]).answer).toContain(
      'The old name is still used. Replace it with mast.',
    );
  });

  it('tells no reason, but for a heading in bold letters that the reason stands behind', () => {
    const faults = '**The winch stops with "rope is wet".** A hook is still open. Close it.\n\nTar the hull.';
    const { answer, confidence } = ask('Why does the winch stop with "rope is wet"?', [hitOf(chunkOf(faults))]);
    expect(answer).toContain('A hook is still open. Close it.');
    expect(confidence).toBe('high');
    const plain = 'The winch stops with a wet rope. Ann Moor keeps bees. Tar the hull.';
    expect(ask('Why does the winch stop with a wet rope?', [hitOf(chunkOf(plain))]).confidence).toBe('low');
  });

  it('turns to what is spoken of in the next sentences', () => {
    const talk =
      'Chloe: All right. One more thing: the summer party. I have booked the boathouse for July. Bring a guest.';
    expect(ask('Where is the summer party?', [hitOf(chunkOf(talk, { format: 'text' }))]).answer).toContain(
      'I have booked the boathouse',
    );
  });

  it('stands alone where more is said behind it, or where it is not asked how', () => {
    expect(quoteFor('How do I compute the length of a mast in feet?')).toBe('Compute the length of a mast in feet.');
    expect(quoteFor('What is the weight of a boat?')).toBe('Compute the weight of a boat.');
  });
});
