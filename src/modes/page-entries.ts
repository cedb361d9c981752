import { entryIn } from '../answer/sentences/manuals/entry-asked.ts';
import { holdsEntry, isPageOf } from '../answer/sentences/manuals/manual-entry.ts';
import type { CallOptions, Hit } from '../core/types.ts';
import { sqlIn, sqlString } from '../store/sql.ts';
import { alongside, hitsOf } from './alongside.ts';
import type { QuestionSearch } from './question-search.ts';

/** Documents that are called like the program. */
const mostPages = 3;
const mostLookedAt = 200;
/** Passages of a page that are read. */
const mostRead = 2000;
const mostEntries = 3;

/**
 * Passages that hold the entry which a question asks for, of the page of its program (`What does curl -A do?`): the letter
 * of an option has no weight in a search. None where a passage that was found holds it.
 */
export async function passagesOfEntry(
  search: QuestionSearch,
  question: string,
  found: readonly Hit[],
  { signal }: CallOptions,
): Promise<readonly Hit[]> {
  const asked = entryIn(question);
  if (asked?.owner === undefined) return [];
  const { owner } = asked;
  if (found.some(({ chunk }) => isPageOf(owner, chunk) && holdsEntry(asked, chunk.text))) return [];
  const like = sqlString(`%${owner.replaceAll('-', '_')}%`);
  const named = `position = 0 AND (lower(uri) LIKE ${like} OR lower(title) LIKE ${like})`;
  const pages = (await search.passagesWhere(named, mostLookedAt)).filter((chunk) => isPageOf(owner, chunk));
  if (pages.length === 0 || pages.length > mostPages) return [];
  signal?.throwIfAborted();
  const uris = pages.map(({ uri }) => uri);
  const chunks = await search.passagesWhere(sqlIn('uri', uris), mostRead);
  const holding = chunks.filter(({ text }) => holdsEntry(asked, text)).slice(0, mostEntries);
  return alongside(found, hitsOf(holding));
}
