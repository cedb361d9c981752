import { asksForRelease } from '../answer/sentences/manuals/release.ts';
import { type SubjectFolder, subjectFolders } from '../answer/sentences/question/subject-folder.ts';
import type { CallOptions, Hit } from '../core/types.ts';
import { sqlString } from '../store/sql.ts';
import { alongside, hitsOf } from './alongside.ts';
import type { QuestionSearch } from './question-search.ts';

/** With more of them a name says too little. */
const mostFolders = 3;
const passages = 10;
/** First passages of documents that are looked at for the names of their folders. */
const mostLookedAt = 200;
/** `accepts`, `@quay/lift`, `lift.js`: what may be the name of a folder. */
const word = /(?<=\s)@?[\p{L}\p{N}][\p{L}\p{N}._/-]*[\p{L}\p{N}](?=[?!,]?(?:\s|$))/gu;
const mostWords = 6;
/** `@quay/lift` can be nothing else. */
const scoped = /(?<=\s)@[\p{L}\p{N}]/u;

/**
 * Passages of the folders that a question names, which are called as what their documents are about (`Which licence does
 * accepts have?`): the licence, the history and the manifest of a package seldom have its name.
 * @param found those that are there already
 */
export async function passagesOfFolders(
  search: QuestionSearch,
  question: string,
  found: readonly Hit[],
  options: CallOptions,
): Promise<readonly Hit[]> {
  let folders: readonly SubjectFolder[] = subjectFolders(question, found);
  if (folders.length === 0 && (asksForRelease(question) || scoped.test(question)))
    folders = await foldersNamed(search, question);
  if (folders.length === 0 || folders.length > mostFolders) return [];
  const within = folders.map(({ prefix }) => `starts_with(uri, ${sqlString(prefix)})`).join(' OR ');
  return alongside(found, await search.searchWithin(question, within, { limit: passages, ...options }));
}

/** The same where no document was found that says what its folder is about: versions stand in many histories. */
async function foldersNamed(search: QuestionSearch, question: string): Promise<readonly SubjectFolder[]> {
  const words = (question.match(word) ?? []).filter((one) => /\p{L}/u.test(one)).slice(-mostWords);
  if (words.length === 0) return [];
  const like = words.map((one) => `lower(uri) LIKE ${sqlString(`%/${one.toLowerCase()}/%`)}`);
  const chunks = await search.passagesWhere(`position = 0 AND (${like.join(' OR ')})`, mostLookedAt);
  return subjectFolders(question, hitsOf(chunks));
}
