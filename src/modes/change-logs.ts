import { releaseSubject } from '../answer/sentences/manuals/latest-release.ts';
import { releaseAt } from '../answer/sentences/structure/release-line.ts';
import type { StoredChunk } from '../core/types.ts';
import { sqlString } from '../store/sql.ts';
import { fullWords } from '../text/analysis/words.ts';
import { alongside, hitsOf } from './alongside.ts';
import type { QuestionSearch } from './question-search.ts';
import type { Completed } from './whole-tables.ts';

const mostDocuments = 6;
/** Of one change log: with more of them, those at its beginning alone. */
const mostPassages = 40;
const ofBeginning = 12;
const namesOfLogs = ['change', 'history', 'release', 'news', 'version'];
const named: RegExp = new RegExp(`(?:^|[._-])(?:${namesOfLogs.join('|')})`, 'iu');
/** Documents whose names are looked at. */
const mostLookedAt = 400;

/**
 * The hits, with the passages of change logs where a question asks for the latest or first release: the words of the
 * question stand as well in what is told of any other one.
 */
export async function withChangeLogs(
  search: QuestionSearch,
  question: string,
  { hits, whole }: Completed,
): Promise<Completed> {
  const subject = releaseSubject(question);
  if (subject === undefined) return { hits, whole };
  const chunks: StoredChunk[] = [];
  const more = subject.length > 0 ? await logsCalled(search, subject) : [];
  const found = hits.flatMap(({ origin, chunk }) => (origin === 'local' && isOfChangeLog(chunk) ? [chunk] : []));
  const uris = [...new Set([...more, ...found].map(({ uri }) => uri))].slice(0, mostDocuments);
  const complete = new Set(whole);
  for (const uri of uris) {
    const all = await search.passagesWhere(`uri = ${sqlString(uri)}`, mostPassages);
    if (all.length > 0) complete.add(uri);
    const own =
      all.length > 0
        ? all
        : await search.passagesWhere(`uri = ${sqlString(uri)} AND position < ${ofBeginning}`, 2 * ofBeginning);
    chunks.push(...own);
  }
  return { hits: [...hits, ...alongside(hits, hitsOf(chunks))], whole: complete };
}

/** The beginnings of change logs whose title or address has all terms of a subject. */
async function logsCalled(search: QuestionSearch, subject: readonly string[]): Promise<readonly StoredChunk[]> {
  const like = namesOfLogs.map((name) => `lower(uri) LIKE ${sqlString(`%${name}%`)}`);
  const chunks = await search.passagesWhere(`position = 0 AND (${like.join(' OR ')})`, mostLookedAt);
  return chunks.filter(({ uri, title }) => {
    const words = new Set(fullWords(`${title}\n${uri.replaceAll(/[/._-]+/g, ' ')}`).map(({ term }) => term));
    return named.test(uri.slice(uri.lastIndexOf('/') + 1)) && subject.every((term) => words.has(term));
  });
}

function isOfChangeLog({ uri, text, headings }: StoredChunk): boolean {
  if (named.test(uri.slice(uri.lastIndexOf('/') + 1))) return true;
  return headings.some((one) => releaseAt(one)) || text.split('\n').some((line) => line.length < 80 && releaseAt(line));
}
