import { describe, expect, it } from 'vitest';
import { correctedQuery } from '../../../src/retrieve/corrected-query.ts';

describe('correctedQuery', () => {
  it('puts the word of the texts in place of the typed one, and leaves what only contains it', () => {
    const typed = 'pumpp (pumpp) pumpp_x pumpps 2pumpp épumpp Pumpp pumpp’s pumpp';
    const corrected = correctedQuery(typed, [{ word: 'pumpp', term: 'pump' }], ['of an oil', 'Two Pumps, old']);
    expect(corrected).toBe('Pumps (Pumps) pumpp_x pumpps 2pumpp épumpp Pumpp Pumps’s Pumps');
  });
});
