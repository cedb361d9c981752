import { analyseWords } from '../../../text/analysis/words.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { negation } from '../../../text/languages/negation.ts';
import { asksWhichColumn } from '../../../text/languages/values-asked.ts';
import { yesOrNo } from '../../../text/languages/yes-no.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { matchTerms, type Question, sameWord } from '../question/question.ts';
import { isWholeTable, type WholeDocuments } from './extreme-row.ts';
import { rowOf, tablesIn } from './row-contest.ts';

/**
 * The rows that a question lists: it asks which of what the first column names (`Which projects does Ann Moor own?`), by
 * what other cells of the row are. Only of one table, all of whose rows are there; none where the question says more
 * than the names of these columns do.
 */
export function listedRows(question: Question, ranked: readonly Scored[], whole: WholeDocuments): readonly Candidate[] {
  const asks = asksWhichColumn.exec(question.text);
  const thing = asks && question.tokens.find(({ start, empty }) => start >= asks[0].length && !empty);
  const j = thing ? question.terms.findIndex(({ term }) => term === thing.term) : -1;
  if (j < 0 || thing!.start > asks![0].length) return [];
  const lists: Candidate[][] = [];
  for (const rows of tablesIn(ranked).values()) {
    const { names } = rowOf(rows[0]!)!;
    if (names.length < 2 || matchTerms(question, analyseWords(names[0]!))[j]! < sameWord) continue;
    const own = rows.filter((row) => isListed(question, row, j));
    if (own.length > 0 && isWholeTable(rows, ranked, whole)) lists.push(own);
  }
  return lists.length === 1 ? lists[0]! : [];
}

/** Whether the first column of a table in a text may be called as what a question asks which of: `Project | Owner`. */
export function mayList(question: string, text: string): boolean {
  const asks = asksWhichColumn.exec(question)?.[0];
  const thing = asks === undefined ? undefined : /^\p{L}+/u.exec(question.slice(asks.length))?.[0];
  if (thing === undefined || thing.length < 3) return false;
  const start = thing.slice(0, Math.max(3, thing.length - 2)).toLowerCase();
  return text.split('\n').some(
    (line) =>
      /[|\t]/.test(line) &&
      line
        .replace(/^[\s|*_]+/u, '')
        .toLowerCase()
        .startsWith(start),
  );
}

/**
 * Whether cells of a row, but for its first, are what the question names, and their columns are called as the rest. A
 * cell below the name of a property says whether the row has it: `Waterproof`, `yes`.
 */
function isListed(question: Question, candidate: Candidate, thing: number): boolean {
  const { names, cells, asAbove } = rowOf(candidate)!;
  const named = names.flatMap((name, i) => {
    if (i === 0) return [];
    const cell = asAbove[i] ?? cells[i]?.text ?? '';
    const flag = yesOrNo(cell);
    if (flag !== undefined) {
      const isNamed = analyseWords(name).some(({ term, empty }) => !empty && question.known.has(term));
      return isNamed && flag !== negation.test(question.text) ? [i] : [];
    }
    const words = analyseWords(cell).filter(({ empty }) => !empty);
    return words.length > 0 && words.every(({ term }) => question.known.has(term)) ? [i] : [];
  });
  if (named.length === 0) return false;
  const said = named.map((i) => `${names[i]}\n${asAbove[i] ?? cells[i]!.text}`).join('\n');
  const held = matchTerms(question, analyseWords(said));
  return question.terms.every(
    ({ word }, j) => j === thing || held[j]! >= sameWord || isCommonWord(word) || candidate.titleMatch[j]! >= sameWord,
  );
}
