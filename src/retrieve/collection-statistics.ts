import type { CallOptions } from '../core/types.ts';
import type { WordCounts } from '../store/contract.ts';
import { contentTerms } from '../text/analysis/words.ts';

/** How rare words are in a collection. */
export interface CollectionStatistics {
  /** Live chunks in the index. */
  readonly rows: number;
  /** Chunks that hold the term (as `contentTerms` spells it) in text, title or headings; 0 when unknown. */
  documentFrequency(term: string): number;
}

/** How rare the terms of `contentTerms(text)` are in an index. */
export async function collectionStatistics(
  words: WordCounts,
  text: string,
  options: CallOptions = {},
): Promise<CollectionStatistics> {
  const terms = contentTerms(text);
  const counts = await words.counts(terms, options);
  const frequencies = new Map(terms.map((term, i) => [term, counts[i]!]));
  return { rows: words.liveRows, documentFrequency: (term) => frequencies.get(term) ?? 0 };
}
