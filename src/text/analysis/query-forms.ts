import { languageOf } from '../languages/detect.ts';
import { wordForms } from '../languages/word-forms.ts';
import { contentTokens } from './analysis.ts';
import { foldWord } from './fold.ts';
import { scanWords } from './scan.ts';

/** Other terms that a term of a query stands for: those of other forms of its word. */
export interface QueryForms {
  readonly term: string;
  readonly others: readonly string[];
  /** Whether they stand in for a term that the index does not hold, and for no other. */
  readonly light: boolean;
}

/**
 * The terms of a query whose words have other forms than a stemmer sees. No term is in two of them.
 * @param own terms that stand for nothing but themselves: quoted ones, and names of code
 */
export function queryForms(text: string, own: ReadonlySet<string>): readonly QueryForms[] {
  const found: QueryForms[] = [];
  const taken = new Set(own);
  let language: string | undefined;
  scanWords(text, (start, end, unspaced) => {
    if (unspaced) return;
    const word = foldWord(text.slice(start, end).normalize('NFC')).replace(/'s$/, '');
    const byLanguage = wordForms(word);
    if (byLanguage === undefined) return;
    language ??= languageOf(text);
    // words alone, without one that tells, are taken for English
    const known = byLanguage.get(language === 'und' ? 'en' : language);
    const term = termOf(word);
    if (known === undefined || term === undefined || taken.has(term)) return;
    const others = new Set(known.forms.flatMap((form) => termOf(foldWord(form)) ?? []));
    if (!others.has(term)) return; // `wines` is no form of `win`
    for (const other of [term, ...taken]) others.delete(other);
    if (others.size === 0) return;
    found.push({ term, others: [...others], light: known.light });
    for (const one of [term, ...others]) taken.add(one);
  });
  return found;
}

/** The term of a word as a whole: of a word with letters outside ASCII not its beginning. */
function termOf(word: string): string | undefined {
  return contentTokens(word)[0];
}
