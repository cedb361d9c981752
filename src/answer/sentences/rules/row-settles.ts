import type { Span } from '../../../core/types.ts';
import { analyseWords, fullWords } from '../../../text/analysis/words.ts';
import { isOpening } from '../../../text/languages/days.ts';
import { labelFor } from '../../../text/languages/question-words.ts';
import { personColumn } from '../../../text/languages/values-asked.ts';
import { keyValue } from '../manuals/key-asked.ts';
import type { Candidate, Scored, WholeDocuments } from '../question/candidate.ts';
import { matchTerms, type Question, sameWord } from '../question/question.ts';
import { isDegree } from '../question/wanted.ts';
import { dayCellOf } from '../structure/table.ts';
import { extremeRow } from './extreme-row.ts';
import { rowOf } from './row-contest.ts';
import { daysAskedOf } from './row-match.ts';

const ofNumber = labelFor('number')!;

const ofPlace = labelFor('place')!;

/** `Where does Ann live?` asks for what a column `address` has. */
const lives =
  /^(?:live[sd]?|living|reside[sd]?|wohn(?:t|en|te)|leb(?:t|en|te)|habit[ea]n?t?|vi(?:t|vent|ve|ven|vono)|mora|moram)$/iu;
const isPlace = ({ type }: Question, name: string): boolean => type === 'place' && ofPlace.test(name);

/** `Which department does Ann work in?` asks for what a column `department` has. */
const isIn =
  /^(?:works?|working|sits?|belongs?|located|based|has|have|needed|required|necessary|benötigt|nötig|nécessaire|arbeitet|travaille|trabaja|lavora)$/iu;
/** A number or an address is of one row alone, a name of a department is not. */
const ofOne = /\p{N}|@/u;

/** `When` over days, where the question begins with it: the one word that it leaves is the verb. */
const mostOfVerb = 1;
const askingName = /^(?:when|where|who|wann|wo|wer|quand|où|qui|cuándo|dónde|quién|quando|dove|chi|onde|quem)$/iu;

function isAskingWord({ text }: Question, name: string): boolean {
  return askingName.test(name) && text.trim().toLowerCase().startsWith(`${name.toLowerCase()} `);
}

/** The columns whose cells the question names whole, but for the first, of which a word is enough. */
function columnsNamed(question: Question, cells: readonly string[]): number[] {
  const isWhole = (cell: string): boolean => {
    const words = fullWords(cell);
    return words.length > 0 && words.every(({ term }) => question.known.has(term));
  };
  const isFirst = matchTerms(question, analyseWords(cells[0]!)).some((match) => match >= sameWord);
  const whole = [...cells.keys()].filter((i) => i > 0 && isWhole(cells[i]!));
  return isFirst ? [0, ...whole] : whole;
}

interface AskedCell {
  readonly text: string;
  readonly column: number;
  /** The row is that of what the question names, which does not only stand in another column of it. */
  readonly isOfFirst: boolean;
}

/** The cell of the row of what the question names, in the one column whose name has all its other words. */
function cellAsked(question: Question, candidate: Candidate): AskedCell | undefined {
  const row = candidate.unit.kind === 'row' ? rowOf(candidate) : undefined;
  if (row === undefined) return undefined;
  const { names, asAbove } = row;
  const cells = row.cells.map(({ text }, i) => asAbove[i] ?? text);
  if (names.length < 2 || cells.length !== names.length) return undefined;
  const days = daysAskedOf(question, row);
  const day = days.length > 0 ? dayCellOf(row) : -1;
  const named = [...new Set([...columnsNamed(question, cells), ...(day < 0 ? [] : [day])])];
  if (named.length === 0) return undefined;
  const subject = matchTerms(question, analyseWords(named.map((i) => cells[i]!).join('\n')));
  const ofSubject = matchTerms(question, analyseWords(named.map((i) => names[i]!).join('\n')));
  // `phone number` is what a column `phone` has
  const byName = names.map((name) => matchTerms(question, analyseWords(name)));
  const isColumn = (j: number): boolean => byName.some((match) => match[j]! >= sameWord);
  const others = [...question.terms.keys()].filter((j) => {
    const { word } = question.terms[j]!;
    // what the page is called says nothing of its rows
    if (day >= 0 && (days.includes(j) || isOpening(word) || (candidate.titleMatch[j]! >= sameWord && !isColumn(j))))
      return false;
    if (subject[j]! >= sameWord || ofNumber.test(word) || isDegree(word) || isIn.test(word)) return false;
    return !(question.type === 'place' && lives.test(word));
  });
  // two names together, as of a ship and a rank, are of one row as well
  const asksWho = question.type === 'person' && (named.length > 1 || named.some((i) => ofOne.test(cells[i]!)));
  const columns = names.flatMap((name, i) => {
    if (named.includes(i)) return [];
    const match = byName[i]!;
    if (asksWho) return personColumn.test(name) && others.every((j) => ofSubject[j]! >= sameWord) ? [i] : [];
    const isOnly = isPlace(question, name) || (day >= 0 && names.length === 2);
    if (i > 0 && others.length <= mostOfVerb && isAskingWord(question, name)) return [i];
    const isAsked = others.length > 0 ? others.every((j) => match[j]! >= sameWord) : isOnly;
    return i > 0 && isAsked ? [i] : [];
  });
  const [column, ...more] = columns;
  const text = column === undefined || more.length > 0 ? '' : cells[column]!;
  return text === '' ? undefined : { text, column: column!, isOfFirst: named.includes(0) };
}

/** Where the value stands that a row has in the column that is asked for, in offsets of the chunk's text. */
export function valueAsked(question: Question, candidate: Candidate): Span | undefined {
  const asked = cellAsked(question, candidate);
  const cell = asked && rowOf(candidate)!.cells[asked.column];
  return cell && cell.text === asked.text ? { start: cell.start, end: cell.end } : undefined;
}

/**
 * The rows that answer whatever else was found: of what the question names, with a value in the column that is asked for;
 * none where such rows have several values. Asked for the most or the least of something, the row that has it.
 */
export function settlingRows(
  question: Question,
  ranked: readonly Scored[],
  whole: WholeDocuments = new Set(),
): ReadonlySet<Candidate> {
  const extreme = extremeRow(question, ranked, whole);
  if (extreme) return new Set(extreme.isSure ? [extreme.candidate] : []);
  const cells = new Map<Candidate, string>();
  const ofFirst = new Map<Candidate, string>();
  for (const { candidate } of ranked) {
    const key = keyValue(question, candidate);
    const asked = key === undefined ? cellAsked(question, candidate) : undefined;
    const cell = key ?? asked?.text;
    if (cell === undefined) continue;
    cells.set(candidate, cell);
    if (asked?.isOfFirst) ofFirst.set(candidate, cell);
  }
  // asked for the telephone of Ann, not that of whom Ann leads
  const own = ofFirst.size > 0 ? ofFirst : cells;
  return new Set(new Set(own.values()).size === 1 ? own.keys() : []);
}

/** On the scale of the trees. */
export const gainOfSettlingRow = 8;
