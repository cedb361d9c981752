import { documentTokens } from '../text/analysis/analysis.ts';
import { scanWords } from '../text/analysis/scan.ts';
import type { Correction } from './query-terms.ts';

/** One pattern for all words: to make one of a word takes longer than the rest of this. */
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;

/**
 * The query as it was searched: in place of each word that the index does not hold, the word that stood in.
 * @param texts where that word is looked up as people write it, because the index holds stems; the best first
 */
export function correctedQuery(query: string, corrections: readonly Correction[], texts: readonly string[]): string {
  return corrections.reduce((corrected, { word, term }) => {
    const spelt = spelling(term, texts) ?? term;
    return corrected.replaceAll(WORD, (one) => (one === word ? spelt : one));
  }, query);
}

function spelling(term: string, texts: readonly string[]): string | undefined {
  const others = new Set<string>();
  for (const text of texts) {
    let found: string | undefined;
    scanWords(text, (start, end, unspaced) => {
      if (found !== undefined || unspaced) return;
      const word = text.slice(start, end);
      if (others.has(word)) return;
      if (documentTokens(word).includes(term)) found = word;
      else others.add(word);
    });
    if (found !== undefined) return found;
  }
  return undefined;
}
