import type { CallOptions, Hit } from '../core/types.ts';
import { sqlIn } from '../store/sql.ts';
import { documentsAsked } from '../text/languages/documents-asked.ts';
import { alongside } from './alongside.ts';
import type { QuestionSearch } from './question-search.ts';

/** Further searches, each without the documents found before. */
const rounds = 3;
const passages = 20;

/**
 * Passages of further documents where a question asks for all that have something: the best passages may all be of one.
 * @param found those that are there already
 */
export async function passagesOfOthers(
  search: QuestionSearch,
  question: string,
  found: readonly Hit[],
  call: CallOptions,
): Promise<readonly Hit[]> {
  const asked = documentsAsked(question);
  if (!asked?.isForAll) return [];
  const all: Hit[] = [];
  for (let i = 0; i < rounds; i++) {
    const uris = new Set([...found, ...all].filter(({ origin }) => origin === 'local').map(({ chunk }) => chunk.uri));
    if (uris.size === 0) break;
    const more = await search.searchWithin(asked.subject, `NOT ${sqlIn('uri', [...uris])}`, {
      limit: passages,
      ...call,
    });
    if (more.length === 0) break;
    all.push(...more);
  }
  return alongside(found, all);
}
