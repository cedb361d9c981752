import { isFileNamed, wordsOfName } from '../answer/sentences/question/file-name.ts';
import type { CallOptions, Hit } from '../core/types.ts';
import { sqlIn, sqlString } from '../store/sql.ts';
import { alongside } from './alongside.ts';
import type { QuestionSearch } from './question-search.ts';

/** With more of them a name says too little. */
const mostFiles = 5;
/** Files whose names are looked at. */
const mostLookedAt = 200;
const passages = 5;

/**
 * Passages of the documents that a question calls by the names of their files (`What does the NDA say about prices?`), of
 * which no text or title needs to have the name. Only questions that ask what a document says are looked at.
 * @param found those that are there already
 */
export async function passagesOfNamed(
  search: QuestionSearch,
  question: string,
  found: readonly Hit[],
  options: CallOptions,
): Promise<readonly Hit[]> {
  const words = wordsOfName(question);
  if (words.length === 0) return [];
  const like = words.map(({ word }) => `lower(uri) LIKE ${sqlString(`%${word.toLowerCase().slice(0, 24)}%`)}`);
  const chunks = await search.passagesWhere(`position = 0 AND ${like.join(' AND ')}`, mostLookedAt);
  const uris = chunks.flatMap(({ uri }) => (isFileNamed(uri, words) ? [uri] : []));
  if (uris.length === 0 || uris.length > mostFiles) return [];
  return alongside(found, await search.searchWithin(question, sqlIn('uri', uris), { limit: passages, ...options }));
}
