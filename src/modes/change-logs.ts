import { releaseSubject } from '../answer/sentences/manuals/latest-release.ts';
import { aboveReleases, compareVersions, releaseAt } from '../answer/sentences/structure/release-line.ts';
import type { StoredChunk } from '../core/types.ts';
import { sqlString } from '../store/sql.ts';
import { fullWords } from '../text/analysis/words.ts';
import { alongside, hitsOf } from './alongside.ts';
import type { QuestionSearch } from './question-search.ts';
import type { Completed } from './whole-tables.ts';

const mostDocuments = 6;
/** Of one change log: with more of them, those at its beginning and end alone. */
const mostPassages = 40;
const ofEnd = 12;
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
  const more = await logsCalled(search, subject);
  const found = hits.flatMap(({ origin, chunk }) => (origin === 'local' && isOfChangeLog(chunk) ? [chunk] : []));
  const all = [...new Set([...more, ...found].map(({ uri }) => uri))];
  const ends = atEnds(all);
  // those between the ends that were found are compared as well
  const uris = ends.length === 0 ? [] : [...new Set([...ends, ...found.map(({ uri }) => uri)])];
  const most = all.length > mostDocuments ? ofEnd : mostPassages;
  const complete = new Set(whole);
  const ended = new Set<string>();
  for (const uri of uris) {
    const own = `uri = ${sqlString(uri)}`;
    const passages = await search.passagesWhere(own, most);
    chunks.push(...passages);
    if (passages.length > 0) {
      complete.add(uri);
      continue;
    }
    const beginning = await search.passagesWhere(`${own} AND position < ${ofEnd}`, 2 * ofEnd);
    // of two indexes with a document of this uri the count says no position
    const last = (await search.countWhere(own)) - ofEnd;
    const end = await search.passagesWhere(`${own} AND position >= ${last}`, ofEnd);
    if (end.length === ofEnd) ended.add(uri);
    chunks.push(...beginning, ...end);
  }
  const known = Object.assign(complete, { ended });
  return { hits: [...hits, ...alongside(hits, hitsOf(chunks))], whole: known };
}

/**
 * Of many change logs those with the least and the greatest numbers in their names: `notes-2.9.md`, `notes-2.10.md`. None
 * where one has no number: the latest release may stand in any of them.
 */
function atEnds(uris: readonly string[]): readonly string[] {
  if (uris.length <= mostDocuments) return uris;
  const numbered = uris.map((uri) => ({ uri, version: uri.match(/\d+(?:\.\d+)*/g)?.at(-1) ?? '', day: '' }));
  if (numbered.some(({ version }) => version === '')) return [];
  const inOrder = numbered.sort(compareVersions).map(({ uri }) => uri);
  return [...inOrder.slice(0, mostDocuments / 2), ...inOrder.slice(-mostDocuments / 2)];
}

/** The beginnings of change logs that have all terms of a subject in their title, address or above their releases. */
async function logsCalled(search: QuestionSearch, subject: readonly string[]): Promise<readonly StoredChunk[]> {
  const like = namesOfLogs.map((name) => `lower(uri) LIKE ${sqlString(`%${name}%`)}`);
  const chunks = await search.passagesWhere(`position = 0 AND (${like.join(' OR ')})`, mostLookedAt);
  return chunks.filter(({ uri, title, text }) => {
    const own = [title, uri.replaceAll(/[/._-]+/g, ' '), aboveReleases(text)].join('\n');
    const words = new Set(fullWords(own).map(({ term }) => term));
    return named.test(uri.slice(uri.lastIndexOf('/') + 1)) && subject.every((term) => words.has(term));
  });
}

function isOfChangeLog({ uri, text, headings }: StoredChunk): boolean {
  if (named.test(uri.slice(uri.lastIndexOf('/') + 1))) return true;
  return headings.some((one) => releaseAt(one)) || text.split('\n').some((line) => line.length < 80 && releaseAt(line));
}
