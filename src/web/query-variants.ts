import type { CallOptions } from '../core/types.ts';
import { collectionStatistics } from '../retrieve/collection-statistics.ts';
import type { WordCounts } from '../store/contract.ts';
import { fullWords } from '../text/analysis/words.ts';
import { LEAST_ROWS } from './overlay.ts';

/** A query with fewer words of its own is asked as it is. */
const LEAST_WORDS = 4;
/** Shares of a query's words that are asked for by themselves, the rarest ones. */
const SHARES = [1 / 2, 1 / 3];
const LEAST_KEPT = 2;

/**
 * The query, and after it its rarest half and its rarest third, in the query's order: a search engine that weighs every
 * word drowns a long question's subject in the rest of it, and names 20 pages of a whole web. What is rare is what is
 * rare in the index. Only the query itself where the index is too small to tell, the query is short, or its script has
 * no words.
 */
export async function queryVariants(
  query: string,
  lexical: WordCounts,
  options: CallOptions = {},
): Promise<readonly string[]> {
  if (lexical.liveRows < LEAST_ROWS) return [query];
  const tokens = fullWords(query);
  if (tokens.some(({ unspaced }) => unspaced)) return [query];
  const { rows, documentFrequency } = await collectionStatistics(lexical, query, options);
  /** An identifier and its parts stand at one place; the rarest of them speaks for it. */
  const words = new Map<string, { readonly at: number; readonly text: string; rarity: number }>();
  for (const { term, start, end } of tokens) {
    const text = query.slice(start, end);
    const rarity = rows - documentFrequency(term);
    const known = words.get(text.toLowerCase());
    if (known) known.rarity = Math.max(known.rarity, rarity);
    else words.set(text.toLowerCase(), { at: start, text, rarity });
  }
  if (words.size < LEAST_WORDS) return [query];
  const rarest = [...words.values()].sort((a, b) => b.rarity - a.rarity || a.at - b.at);
  const kept = SHARES.map((share) =>
    rarest
      .slice(0, Math.max(LEAST_KEPT, Math.ceil(share * rarest.length)))
      .sort((a, b) => a.at - b.at)
      .map(({ text }) => text)
      .join(' '),
  );
  return [...new Set([query, ...kept])];
}
