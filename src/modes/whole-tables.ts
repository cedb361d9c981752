import type { WholeDocuments } from '../answer/sentences/question/candidate.ts';
import { mayList } from '../answer/sentences/rules/listed-rows.ts';
import type { CallOptions, Hit, StoredChunk } from '../core/types.ts';
import { sqlString } from '../store/sql.ts';
import { columnNamesFor } from '../text/languages/column-words.ts';
import { asksForRows, asksWho } from '../text/languages/row-bounds.ts';
import { extremeAsked, timeExtremeAsked } from '../text/languages/superlatives.ts';
import { alongside, hitsOf } from './alongside.ts';
import type { QuestionSearch } from './question-search.ts';

/** Documents of the best hits that are looked at, and how many passages one may have. */
const mostDocuments = 5;
const mostPassages = 24;

export interface Completed {
  readonly hits: readonly Hit[];
  /** Documents all of whose passages that the question may have are among the hits. */
  readonly whole: WholeDocuments;
}

/**
 * The hits, with all passages of short documents that have a table, where a question asks for the row with the most or the
 * least of something, or for all rows of a kind: a table may be cut, and rows of it then stand in passages that have few
 * words of the question. `Who earns the most?` has no word of a table of salaries, whose columns are searched for.
 */
export async function withWholeTables(
  search: QuestionSearch,
  question: string,
  hits: readonly Hit[],
  call: CallOptions = {},
): Promise<Completed> {
  const whole = new Set<string>();
  const isExtreme = (extremeAsked(question) ?? timeExtremeAsked(question)) !== undefined;
  const isTable = ({ text, context = '', title, uri, headings }: StoredChunk): boolean =>
    isExtreme ? /[|\t]/.test(text) : mayList(question, `${context}\n${text}`, [title, uri, ...headings].join('\n'));
  const names = mayAskRows(question) || isExtreme ? columnNamesFor(question) : '';
  const named = names === '' ? [] : await search.search(names, { limit: mostDocuments, ...call });
  const local = [...hits, ...named].filter(({ origin, chunk }) => origin === 'local' && isTable(chunk));
  const uris = [...new Set(local.map(({ chunk }) => chunk.uri))].slice(0, mostDocuments);
  const chunks: StoredChunk[] = [];
  for (const uri of uris) {
    const all = await passagesOf(search, uri);
    if (all.length > 0) whole.add(uri);
    chunks.push(...all);
  }
  return { hits: [...hits, ...alongside(hits, hitsOf(chunks))], whole };
}

const mayAskRows = (question: string): boolean => asksForRows.test(question) || asksWho.test(question);

/**
 * Every passage of a document; of two indexes that are read as one, those of both documents of this uri. None where
 * there are too many.
 */
async function passagesOf(search: QuestionSearch, uri: string): Promise<readonly StoredChunk[]> {
  const all = await search.passagesWhere(`uri = ${sqlString(uri)}`, 2 * mostPassages);
  const different = [...new Map(all.map((chunk) => [`${chunk.position} ${chunk.text}`, chunk])).values()];
  return new Set(different.map(({ position }) => position)).size > mostPassages ? [] : different;
}
