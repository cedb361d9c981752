import type { CallOptions } from '../core/types.ts';
import type { LexicalReader } from '../lexical/reader.ts';
import type { CollectionStatistics } from './contract.ts';
import { questionTerms } from './question.ts';

/** What `answerExtractive` must know of an index to answer `question`: how rare its words are. */
export async function collectionStatistics(
  lexical: Pick<LexicalReader, 'liveRows' | 'terms'>,
  question: string,
  options: CallOptions = {},
): Promise<CollectionStatistics> {
  const terms = questionTerms(question);
  const postings = await lexical.terms(terms, options);
  const frequencies = new Map(terms.map((term, i) => [term, postings[i]!.ordinals.length]));
  return { rows: lexical.liveRows, documentFrequency: (term) => frequencies.get(term) ?? 0 };
}
