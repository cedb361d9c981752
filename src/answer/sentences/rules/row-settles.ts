import { analyseWords } from '../../../text/analysis/words.ts';
import { labelFor } from '../../../text/languages/question-words.ts';
import { personColumn } from '../../../text/languages/values-asked.ts';
import { keyValue } from '../manuals/key-asked.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { matchTerms, type Question, sameWord } from '../question/question.ts';
import { headerTextOf, rowCells, textOf } from '../structure/unit-text.ts';

const ofNumber = labelFor('number')!;

const ofPlace = labelFor('place')!;

/** `Where does Ann live?` asks for what a column `address` has. */
const lives =
  /^(?:live[sd]?|living|reside[sd]?|wohn(?:t|en|te)|leb(?:t|en|te)|habit[ea]n?t?|vi(?:t|vent|ve|ven|vono)|mora|moram)$/iu;
const isPlace = ({ type }: Question, name: string): boolean => type === 'place' && ofPlace.test(name);

/** `Which department does Ann work in?` asks for what a column `department` has. */
const isIn = /^(?:works?|working|sits?|belongs?|located|based|has|have|arbeitet|travaille|trabaja|lavora)$/iu;
/** A number or an address is of one row alone, a name of a department is not. */
const ofOne = /\p{N}|@/u;

/** The columns whose cells the question names whole, but for the first, of which a word is enough. */
function columnsNamed(question: Question, cells: readonly string[]): number[] {
  const isWhole = (cell: string): boolean => {
    const words = analyseWords(cell).filter(({ empty }) => !empty);
    return words.length > 0 && words.every(({ term }) => question.known.has(term));
  };
  const isFirst = matchTerms(question, analyseWords(cells[0]!)).some((match) => match >= sameWord);
  const whole = [...cells.keys()].filter((i) => i > 0 && isWhole(cells[i]!));
  return isFirst ? [0, ...whole] : whole;
}

/** The cell of the row of what the question names, in the one column whose name has all its other words. */
function cellAsked(question: Question, candidate: Candidate): string | undefined {
  if (candidate.unit.kind !== 'row') return undefined;
  const [names = []] = headerTextOf(candidate).split('\n').map(rowCells);
  const cells = rowCells(textOf(candidate));
  if (names.length < 2 || cells.length !== names.length) return undefined;
  const named = columnsNamed(question, cells);
  if (named.length === 0) return undefined;
  const subject = matchTerms(question, analyseWords(named.map((i) => cells[i]!).join('\n')));
  const ofSubject = matchTerms(question, analyseWords(named.map((i) => names[i]!).join('\n')));
  // `phone number` is what a column `phone` has
  const others = [...question.terms.keys()].filter((j) => {
    const { word } = question.terms[j]!;
    if (subject[j]! >= sameWord || ofNumber.test(word) || isIn.test(word)) return false;
    return !(question.type === 'place' && lives.test(word));
  });
  const asksWho = question.type === 'person' && named.some((i) => ofOne.test(cells[i]!));
  const columns = names.flatMap((name, i) => {
    if (named.includes(i)) return [];
    const match = matchTerms(question, analyseWords(name));
    if (asksWho) return personColumn.test(name) && others.every((j) => ofSubject[j]! >= sameWord) ? [i] : [];
    const isAsked = others.length > 0 ? others.every((j) => match[j]! >= sameWord) : isPlace(question, name);
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
