import { analyseWords, fullWords } from '../../../text/analysis/words.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { negation } from '../../../text/languages/negation.ts';
import { asksForPeople, columnOfPeople } from '../../../text/languages/people-listed.ts';
import { asksWhichColumn } from '../../../text/languages/values-asked.ts';
import { yesOrNo } from '../../../text/languages/yes-no.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { matchTerms, positionOf, type Question, sameWord } from '../question/question.ts';
import { isWholeTable, type WholeDocuments } from './extreme-row.ts';
import { rowOf, tablesIn } from './row-contest.ts';

/**
 * The rows that a question lists: it asks which of what the first column names (`Which projects does Ann Moor own?`),
 * by what other cells of the row are; or it asks for people (`Who works in Sales?`). Only of one table, all of whose
 * rows are there; none where the question says more than the names of these columns do.
 */
export function listedRows(question: Question, ranked: readonly Scored[], whole: WholeDocuments): readonly Candidate[] {
  const people = asksForPeople.exec(question.text)?.[0];
  const isOfPeople = people !== undefined;
  const asks = asksWhichColumn.exec(question.text);
  const thing = asks && question.tokens.find(({ start }) => start === asks[0].length);
  const j = thing && !thing.empty ? positionOf(question, thing) : -1;
  if (j < 0 && !isOfPeople) return [];
  const lists: Candidate[][] = [];
  for (const rows of tablesIn(ranked).values()) {
    const { names } = rowOf(rows[0]!)!;
    const isOfThing = j >= 0 && matchTerms(question, analyseWords(names[0] ?? ''))[j]! >= sameWord;
    if (names.length < 2 || !(isOfThing || (isOfPeople && columnOfPeople.test(names[0]!)))) continue;
    const asking = new Set(question.tokens.flatMap(({ end, term }) => (end <= (people ?? '').length ? [term] : [])));
    const own = rows.filter((row) => isListed(question, row, j, asking));
    const fewest = isOfThing ? 1 : 2; // of one person other rules know
    if (own.length >= fewest && isWholeTable(rows, ranked, whole)) lists.push(own);
  }
  return lists.length === 1 ? lists[0]! : [];
}

/** Whether the first column of a table in a text may be called as what a question asks which of: `Project | Owner`. */
export function mayList(question: string, text: string): boolean {
  const isOfPeople = asksForPeople.test(question);
  const asks = asksWhichColumn.exec(question)?.[0];
  const thing = asks === undefined ? undefined : /^\p{L}+/u.exec(question.slice(asks.length))?.[0];
  const start = (thing ?? '').length < 3 ? undefined : thing!.slice(0, Math.max(3, thing!.length - 2)).toLowerCase();
  if (start === undefined && !isOfPeople) return false;
  return text.split('\n').some((line) => {
    const first = /^[\s|*_]*([^|\t\n]*)[|\t]/u.exec(line)?.[1]?.trim();
    if (first === undefined) return false;
    return (start !== undefined && first.toLowerCase().startsWith(start)) || (isOfPeople && columnOfPeople.test(first));
  });
}

/**
 * Whether cells of a row, but for its first, are what the question names, and their columns are called as the rest. A
 * cell below the name of a property says whether the row has it: `Waterproof`, `yes`.
 * @param asking terms of what asks for people, which no row has to say
 */
function isListed(question: Question, candidate: Candidate, thing: number, asking: ReadonlySet<string>): boolean {
  const { names, cells, asAbove } = rowOf(candidate)!;
  const named = names.flatMap((name, i) => {
    if (i === 0) return [];
    const cell = asAbove[i] ?? cells[i]?.text ?? '';
    const flag = yesOrNo(cell);
    if (flag !== undefined) {
      const isNamed = analyseWords(name).some(({ term, empty }) => !empty && question.known.has(term));
      return isNamed && flag !== negation.test(question.text) ? [i] : [];
    }
    const words = fullWords(cell);
    return words.length > 0 && words.every(({ term }) => question.known.has(term)) ? [i] : [];
  });
  if (named.length === 0) return false;
  const said = named.map((i) => `${names[i]}\n${asAbove[i] ?? cells[i]!.text}`).join('\n');
  const held = matchTerms(question, analyseWords(said));
  return question.terms.every(
    ({ term, word }, j) =>
      j === thing ||
      asking.has(term) ||
      held[j]! >= sameWord ||
      isCommonWord(word) ||
      candidate.titleMatch[j]! >= sameWord,
  );
}
