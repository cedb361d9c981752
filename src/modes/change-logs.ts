import { releaseAt } from '../answer/sentences/structure/release-line.ts';
import type { CallOptions, StoredChunk } from '../core/types.ts';
import { sqlString } from '../store/sql.ts';
import { releaseEndAsked } from '../text/languages/latest-release.ts';
import { alongside, hitsOf } from './alongside.ts';
import type { QuestionSearch } from './question-search.ts';
import type { Completed } from './whole-tables.ts';

const mostDocuments = 3;
/** Of one change log: with more of them, those at its beginning alone. */
const mostPassages = 40;
const ofBeginning = 4;
const named = /(?:^|[/._-])(?:change|history|release|news|version|what)/iu;

/**
 * The hits, with the passages of change logs where a question asks for the latest or first release: the words of the
 * question stand as well in what is told of any other one.
 */
export async function withChangeLogs(
  search: QuestionSearch,
  question: string,
  { hits, whole }: Completed,
  call: CallOptions,
): Promise<Completed> {
  if (releaseEndAsked(question) === undefined) return { hits, whole };
  const more = await search.search(`${question} changelog release notes history`, {
    limit: 2 * mostDocuments,
    ...call,
  });
  const logs = [...hits, ...more].filter(({ origin, chunk }) => origin === 'local' && isOfChangeLog(chunk));
  const uris = [...new Set(logs.map(({ chunk }) => chunk.uri))].slice(0, mostDocuments);
  const complete = new Set(whole);
  const chunks: StoredChunk[] = [];
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

function isOfChangeLog({ uri, text, headings }: StoredChunk): boolean {
  if (named.test(uri.slice(uri.lastIndexOf('/') + 1))) return true;
  return headings.some((one) => releaseAt(one)) || text.split('\n').some((line) => line.length < 80 && releaseAt(line));
}
