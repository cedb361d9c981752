import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allPhrases } from '../../../src/overview/phrases.ts';
import { citedSentences, objectionTo } from '../../../src/overview/proof.ts';
import type { ScriptSource } from '../../../src/overview/script.ts';

const source = (n: number, quote: string, more: Partial<ScriptSource> = {}): ScriptSource => ({
  ...{ n, reference: `a.md#0-${quote.length}`, uri: 'a.md', title: 'Pumps', quote, headings: [] },
  ...{ span: { start: 0, end: quote.length }, place: {}, verified: true, origin: 'local' },
  ...more,
});
const sources = new Map([
  [1, source(1, 'The bilge pump is serviced by Ailsa every 30 days.')],
  [2, source(2, 'It cost £1,250 in 2019.', { headings: ['Invoice of Brandt GmbH'] })],
]);
const why = (text: string, ...citations: number[]): string | undefined => objectionTo({ text, citations }, sources);

describe('the sentences of a line', () => {
  it('each have the marks behind them, before or behind the full stop', () => {
    expect(citedSentences('One is so. [1] Two is not. [2][3] Three.')).toEqual([
      { text: 'One is so.', citations: [1] },
      { text: 'Two is not.', citations: [2, 3] },
      { text: 'Three.', citations: [] },
    ]);
    expect(citedSentences('It weighs 40 kg [1]. It is red [2].')).toEqual([
      { text: 'It weighs 40 kg.', citations: [1] },
      { text: 'It is red.', citations: [2] },
    ]);
  });

  it('are vouched for by a mark one by one: what stands before the last one has none', () => {
    expect(citedSentences('The moon is cheese. The pump is old. [1]')).toEqual([
      { text: 'The moon is cheese.', citations: [] },
      { text: 'The pump is old.', citations: [1] },
    ]);
    expect(citedSentences('A heading [1] The station was closed in 1990.')).toEqual([
      { text: 'A heading', citations: [1] },
      { text: 'The station was closed in 1990.', citations: [] },
    ]);
  });

  it('may have a mark in the middle too, but need one at the end', () => {
    expect(citedSentences('It is old [1] and red. [2]')).toEqual([{ text: 'It is old and red.', citations: [1, 2] }]);
    expect(citedSentences('It is old [1] and made of cheese.')).toEqual([
      { text: 'It is old and made of cheese.', citations: [] },
    ]);
  });

  it('lose no letter of the line', () => {
    const piece = fc.constantFrom('One two.', 'no stop', '[1]', ' ', '[23]', 'e.g. this', '3.5 m', 'Why?', '\n', '…');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const line = pieces.join(' ');
        const letters = (text: string): string => text.replace(/\[\d+\]/g, '').replace(/[^\p{L}\p{N}]/gu, '');
        expect(
          letters(
            citedSentences(line)
              .map(({ text }) => text)
              .join(' '),
          ),
        ).toBe(letters(line));
      }),
    );
  });
});

describe('a sentence', () => {
  it('without a citation is one of our phrases, or is not said', () => {
    for (const phrase of allPhrases) expect(why(phrase)).toBeUndefined();
    for (const text of ['The pump is old.', 'Yes, the pump is old.', 'Yes', 'Tell me more about 1990.', ''])
      expect(why(text), text).toBe('no source is cited at its end');
  });

  it('cites sources that are there, all of them', () => {
    expect(why('The pump is serviced.', 1)).toBeUndefined();
    expect(why('The pump is serviced.', 3)).toBe('there is no source [3]');
    expect(why('The pump is serviced.', 1, 3)).toBe('there is no source [3]');
  });

  it('has no figure and no name that its own sources lack', () => {
    expect(why('Ailsa services the bilge pump every 30 days.', 1)).toBeUndefined();
    expect(why('Ailsa services the bilge pump every 90 days.', 1)).toBe('no passage that it cites holds "90"');
    expect(why('Every 30 days it is serviced by Henrik.', 1)).toBe('no passage that it cites holds "Henrik"');
    // what another source holds is no proof
    expect(why('The bilge pump cost £1,250.', 1)).toBe('no passage that it cites holds "1250"');
    expect(why('The bilge pump cost 1250 pounds, says Brandt.', 2)).toBeUndefined();
    expect(why('It is serviced every 30 days and cost £1,250.', 1, 2)).toBeUndefined();
    expect(why('It cost £1,250 in 2020.', 2)).toBe('no passage that it cites holds "2020"');
  });

  it('of a language that writes nouns with capitals is not blamed for them', () => {
    const german = new Map([[1, source(1, 'Die Pumpe wird alle 30 Tage von der Werft gewartet.')]]);
    const said = 'Alle 30 Tage wartet die Werft die Pumpe, und das ist eine Regel.';
    expect(objectionTo({ text: said, citations: [1] }, german)).toBeUndefined();
  });
});
