import { describe, expect, it } from 'vitest';
import { contentTokens } from '../../../../src/text/analysis/analysis.ts';
import { foldWord } from '../../../../src/text/analysis/fold.ts';
import { wordForms } from '../../../../src/text/languages/word-forms.ts';

describe('wordForms', () => {
  it.each([
    ['en', 'froze', 'freeze froze frozen'],
    ['en', 'freezing', 'freeze froze frozen'],
    ['en', 'children', 'child children'],
    ['en', 'flies', 'fly flew flown'],
    ['de', 'schrieb', 'schreiben schreibt schrieb schrieben geschrieben'],
    ['de', 'verträge', 'vertrag verträge'],
    ['sv', 'böcker', 'bok boken böcker böckerna'],
  ])('are known in %s: %s', (language, word, forms) => {
    expect(wordForms(word)?.get(language)).toEqual({ forms: forms.split(' '), light: false });
  });

  it('of verbs that lean on a noun are marked', () => {
    expect(wordForms('went')?.get('en')).toEqual({ forms: ['go', 'went', 'gone'], light: true });
    expect(wordForms('ging')?.get('de')?.light).toBe(true);
  });

  it.each(['found', 'saw', 'rose', 'axes', 'leaves'])('are found by others, and find none: %s', (word) => {
    expect(wordForms(word)?.get('en')).not.toMatchObject({ light: false });
    const base = { found: 'find', saw: 'see', rose: 'rise', axes: 'axis', leaves: 'leaf' }[word]!;
    expect(wordForms(base)!.get('en')!.forms).toContain(word);
  });

  it.each(['led', 'lead', 'ground', 'bore', 'bear', 'wound', 'bound', 'lay', 'meeting', 'building'])(
    'do not count where they are often another word: %s',
    (word) => {
      expect(wordForms(word)?.get('en')).toBeUndefined();
    },
  );

  it.each(['freeze', 'woman', 'criterion', 'eat', 'die', 'penny', 'axis'])('have other terms: %s', (word) => {
    const { forms } = wordForms(word)!.get('en')!;
    expect(new Set(forms.map((form) => contentTokens(foldWord(form))[0])).size).toBeGreaterThan(1);
  });
});
