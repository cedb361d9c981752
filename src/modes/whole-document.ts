import { isCalled, wordsAsWritten } from '../answer/sentences/rules/about-document.ts';
import type { Hit } from '../core/types.ts';
import { sqlString } from '../store/sql.ts';
import { aboutAsked } from '../text/languages/about-documents.ts';
import { alongside, hitsOf } from './alongside.ts';
import type { QuestionSearch } from './question-search.ts';

const mostDocuments = 3;
/** Documents whose names are looked at. */
const mostLookedAt = 200;
/** What a document is about stands in its first passages, its main points in the first ones of its sections. */
const passages = { about: 3, points: 24 } as const;

/**
 * The beginning of the documents that a question calls by their title or file, where it asks what they are about or for
 * their main points: they seldom have the words of such a question.
 * @param found those that are there already
 */
export async function passagesOfWhole(
  search: QuestionSearch,
  question: string,
  found: readonly Hit[],
): Promise<readonly Hit[]> {
  const asked = aboutAsked(question);
  if (asked === undefined) return [];
  const like = wordsAsWritten(asked.subject).map((word) => `lower(uri) LIKE ${sqlString(`%${word}%`)}`);
  const byName =
    like.length === 0 ? [] : await search.passagesWhere(`position = 0 AND ${like.join(' AND ')}`, mostLookedAt);
  const local = found.flatMap(({ origin, chunk }) => (origin === 'local' ? [chunk] : []));
  const own = [...local, ...byName].filter((chunk) => isCalled(chunk, asked.subject));
  const uris = [...new Set(own.map(({ uri }) => uri))].slice(0, mostDocuments);
  const count = asked.asksPoints ? passages.points : passages.about;
  const chunks = [];
  for (const uri of uris)
    chunks.push(...(await search.passagesWhere(`uri = ${sqlString(uri)} AND position < ${count}`, 2 * count)));
  return alongside(found, hitsOf(chunks));
}
