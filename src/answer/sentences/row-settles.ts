import { analyseWords } from '../../text/analysis/words.ts';
import { labelFor } from '../../text/languages/question-words.ts';
import type { Candidate } from './features.ts';
import { matchTerms, type Question } from './question.ts';
import type { Scored } from './rank.ts';
import { headerTextOf, textOf } from './unit-text.ts';

const held = 0.75;
const ofNumber = labelFor('number')!;

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/\||\t/)
    .map((cell) => cell.trim());

/** The cell of the row of what the question names, in the one column whose name has all its other words. */
function cellAsked(question: Question, candidate: Candidate): string | undefined {
  if (candidate.unit.kind !== 'row') return undefined;
  const [names = []] = headerTextOf(candidate).split('\n').map(cellsOf);
  const cells = cellsOf(textOf(candidate));
  if (names.length < 2 || cells.length !== names.length) return undefined;
  const subject = matchTerms(question, analyseWords(cells[0]!));
  // `phone number` is what a column `phone` has
  const others = [...question.terms.keys()].filter(
    (j) => subject[j]! < held && !ofNumber.test(question.terms[j]!.word),
  );
  if (others.length === 0 || !question.terms.some((_, j) => subject[j]! >= held)) return undefined;
  const columns = names.flatMap((name, i) => {
    const match = matchTerms(question, analyseWords(name));
    return i > 0 && others.every((j) => match[j]! >= held) ? [i] : [];
  });
  const cell = columns.length === 1 ? cells[columns[0]!] : undefined;
  return cell === '' ? undefined : cell;
}

/**
 * Whether a row answers whatever else was found: it is that of what the question names, and has a value in the column that
 * is asked for; no other row has both.
 */
export function settlesByRow(question: Question, candidate: Candidate, ranked: readonly Scored[]): boolean {
  const cell = cellAsked(question, candidate);
  if (cell === undefined) return false;
  return ranked.every((one) => {
    const other = one.candidate === candidate ? cell : cellAsked(question, one.candidate);
    return other === undefined || other === cell;
  });
}
