import { describe, expect, it } from 'vitest';
import { queryForms } from '../../../../src/text/analysis/query-forms.ts';

const none: ReadonlySet<string> = new Set();
const pairs = (text: string, own = none): string[] =>
  queryForms(text, own).map(({ term, others }) => `${term}: ${others.join(' ')}`);

describe('queryForms', () => {
  it('gives terms of the index, each with those of the other forms', () => {
    expect(pairs('Who wrote about frozen pipes?')).toEqual(['wrote: write written', 'frozen: freez froze']);
    expect(pairs("the children's books")).toEqual(['children: child']);
    expect(pairs('The Men')).toEqual(['men: man']);
  });

  it('takes the words of the language of the question; words alone for English', () => {
    expect(pairs('Wer schrieb den Vertrag?')).toEqual([
      'schrieb: schreiben schreibt schrieben geschrieben',
      'vertrag: verträge',
    ]);
    expect(pairs('Die Häuser')).toEqual(['häuser: hau']); // the stem of `Haus`; not the beginning `häuse*`
    expect(pairs('frozen pipes')).toEqual(['frozen: freez froze']);
    expect(pairs('Was ist ein Child?')).toEqual([]);
  });

  it('leaves words that only look like a form, and terms that stand for themselves', () => {
    expect(pairs('wines of sites, manes and spines')).toEqual([]);
    expect(pairs('frozen freeze', new Set(['freez']))).toEqual(['frozen: froze']);
    expect(pairs('frozen', new Set(['frozen']))).toEqual([]);
  });

  it('puts no term into two groups', () => {
    expect(pairs('freeze frozen froze')).toEqual(['freez: froze frozen']);
  });
});
