import { analyseWords } from '../../text/analysis/words.ts';
import { labelFor } from '../../text/languages/question-words.ts';
import type { Candidate } from './features.ts';
import { keyValue } from './key-asked.ts';
import { matchTerms, type Question } from './question.ts';
import type { Scored } from './rank.ts';
import { headerTextOf, textOf } from './unit-text.ts';

const held = 0.75;
const ofNumber = labelFor('number')!;

const ofPlace = labelFor('place')!;
/** `Where does Ann live?` asks for what a column `address` has. */
const lives =
  /^(?:live[sd]?|living|reside[sd]?|wohn(?:t|en|te)|leb(?:t|en|te)|habit[ea]n?t?|vi(?:t|vent|ve|ven|vono)|mora|moram)$/iu;
const isPlace = ({ type }: Question, name: string): boolean => type === 'place' && ofPlace.test(name);

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
  const others = [...question.terms.keys()].filter((j) => {
    const { word } = question.terms[j]!;
    return subject[j]! < held && !ofNumber.test(word) && !(question.type === 'place' && lives.test(word));
  });
  if (!question.terms.some((_, j) => subject[j]! >= held)) return undefined;
  const columns = names.flatMap((name, i) => {
    const match = matchTerms(question, analyseWords(name));
    const isAsked = others.length > 0 ? others.every((j) => match[j]! >= held) : isPlace(question, name);
    return i > 0 && isAsked ? [i] : [];
  });
  const cell = columns.length === 1 ? cells[columns[0]!] : undefined;
  return cell === '' ? undefined : cell;
}

/**
 * The rows that answer whatever else was found: of what the question names, with a value in the column that is asked for;
 * none where such rows have several values.
 */
export function settlingRows(question: Question, ranked: readonly Scored[]): ReadonlySet<Candidate> {
  const cells = new Map<Candidate, string>();
  for (const { candidate } of ranked) {
    const cell = keyValue(question, candidate) ?? cellAsked(question, candidate);
    if (cell !== undefined) cells.set(candidate, cell);
  }
  return new Set(new Set(cells.values()).size === 1 ? cells.keys() : []);
}

/** On the scale of the trees. */
export const gainOfSettlingRow = 8;
