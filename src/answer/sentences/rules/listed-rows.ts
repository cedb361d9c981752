import { analyseWords, fullWords } from '../../../text/analysis/words.ts';
import { isColumnOf, leansOnCell } from '../../../text/languages/column-words.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { negation } from '../../../text/languages/negation.ts';
import { asksForPeople } from '../../../text/languages/people-listed.ts';
import { asksForRows, asksWho, countsRows, peopleWord } from '../../../text/languages/row-bounds.ts';
import { isTotal } from '../../../text/languages/superlatives.ts';
import { yesOrNo } from '../../../text/languages/yes-no.ts';
import { boundsAsked } from '../question/bounds-asked.ts';
import type { Candidate, Scored, WholeDocuments } from '../question/candidate.ts';
import { stemOf } from '../question/file-name.ts';
import { once } from '../question/once.ts';
import { holdsAnyTerm, matchTerms, positionOf, type Question, raise, sameWord } from '../question/question.ts';
import { isDegree } from '../question/wanted.ts';
import type { Row } from '../structure/table.ts';
import { textOf } from '../structure/unit-text.ts';
import { valuesOf } from '../structure/values.ts';
import {
  type BoundColumn,
  columnMatch,
  columnOfBound,
  hasPeople,
  isInName,
  isWithinAll,
  tableMatch,
} from './column-held.ts';
import { isWholeTable } from './extreme-row.ts';
import { rowOf, tablesIn } from './row-contest.ts';

/** Words behind what asks for rows, one of which says what they are of: `open invoices`. */
const mostBeforeThing = 3;

/** What a question asks the rows of. */
interface Asked {
  /** Positions of the terms that may say it, in order. */
  readonly things: readonly number[];
  /** It asks for people: `who`, `employees`. */
  readonly isOfPeople: boolean;
  /** Terms of what asks for them, which no row has to say. */
  readonly asking: ReadonlySet<string>;
  readonly isCounting: boolean;
}

const askedOf = once((question: Question): Asked | undefined => {
  const { text, tokens } = question;
  const rows = asksForRows.exec(text)?.[0];
  const behind = rows === undefined ? [] : tokens.filter(({ start, empty }) => start >= rows.length && !empty);
  const first = behind.slice(0, mostBeforeThing);
  const people =
    asksForPeople.exec(text)?.[0] ?? (boundsAsked(question).length > 0 ? asksWho.exec(text)?.[0] : undefined);
  const named = first.find(({ word }) => peopleWord.test(word));
  const isOfPeople = people !== undefined || named !== undefined;
  const things = first.map((token) => positionOf(question, token)).filter((j) => j >= 0);
  if (things.length === 0 && !isOfPeople) return undefined;
  const asking = tokens.filter((token) => token.end <= (people ?? rows ?? '').length || token === named);
  return {
    things,
    isOfPeople,
    asking: new Set(asking.map(({ term }) => term)),
    isCounting: asksHowMany(question),
  };
});

/** Whether a question asks how many rows there are. */
export function asksHowMany({ text }: Question): boolean {
  return countsRows.test(text);
}

/**
 * The rows that a question lists or counts: it asks which of what the first column or the title names (`Which projects
 * does Ann Moor own?`), by what other cells of the row are, or by a bound (`before 2020`, `more than €500`); or it asks for
 * people (`Who works in Sales?`). Only of one table, or of several with the same columns, all of whose rows are there;
 * none where the question says more than the names of these columns do, or where a row may be one of them or not.
 */
export function listedRows(question: Question, ranked: readonly Scored[], whole: WholeDocuments): readonly Candidate[] {
  const asked = askedOf(question);
  if (asked === undefined) return [];
  const lists: { readonly columns: string; readonly rows: readonly Candidate[] }[] = [];
  for (const candidates of tablesIn(ranked).values()) {
    const { names } = rowOf(candidates[0]!)!;
    const thing = thingOf(question, asked, names, candidates[0]!);
    const isOfPeople = asked.isOfPeople && hasPeople(question.text, names);
    if (names.length < 2 || !(thing !== undefined || isOfPeople)) continue;
    const own = listedOf(question, asked, candidates, thing);
    const hasBounds = boundsAsked(question).length > 0;
    const fewest = thing !== undefined || hasBounds || asked.isCounting ? 1 : 2; // of one person other rules know
    if (own.length >= fewest && isWholeTable(candidates, ranked, whole))
      lists.push({ columns: names.join('|'), rows: own });
  }
  const areAlike = lists.every(({ columns }) => columns === lists[0]!.columns);
  return !areAlike || (asked.isCounting && isCountSaid(question, ranked))
    ? []
    : withoutCopies(lists.flatMap(({ rows }) => rows));
}

/** One table may stand in several documents. */
function withoutCopies(rows: readonly Candidate[]): readonly Candidate[] {
  const uriOf = ({ passage }: Candidate): string => passage.hit.chunk.uri;
  const first = new Map(rows.map((row) => [textOf(row), uriOf(row)] as const).reverse());
  return rows.filter((row) => first.get(textOf(row)) === uriOf(row));
}

/** The term that says what the rows are of, by the first column, the title, another column or the file; undefined where none does. */
function thingOf(
  question: Question,
  { things }: Asked,
  [first = '', ...others]: readonly string[],
  { titleMatch, passage }: Candidate,
): number | undefined {
  const held = matchTerms(question, analyseWords(first));
  const ofOthers = matchTerms(question, analyseWords(`${others.join('\n')}\n${stemOf(passage.hit.chunk.uri)}`));
  return things.find((j) => [held, titleMatch, ofOthers].some((match) => match[j]! >= sameWord));
}

/** A sentence has a number and all words of the question: it says how many there are. */
function isCountSaid({ terms }: Question, ranked: readonly Scored[]): boolean {
  return ranked.some(({ candidate }) => {
    const lacks = terms.some(({ word }, j) => candidate.match[j]! < sameWord && !isDegree(word));
    if (candidate.unit.kind === 'row' || lacks) return false;
    return valuesOf(textOf(candidate)).some(({ kind }) => kind === 'number');
  });
}

/** What a table has of the question as a whole. */
interface TableAsked {
  /** The term that says what its rows are of. */
  readonly thing: number | undefined;
  /** How well its title and the name of its file hold each term. */
  readonly over: Float32Array;
  /** The same of the name of each column. */
  readonly byName: readonly Float32Array[];
  /** Whether a term asks for what any column has. */
  readonly isOfColumn: readonly boolean[];
  readonly bounds: readonly BoundColumn[];
}

/** The rows of a table that are as the question asks; none where one may be so or not. */
function listedOf(
  question: Question,
  asked: Asked,
  candidates: readonly Candidate[],
  thing: number | undefined,
): Candidate[] {
  const rows = candidates.map((candidate) => rowOf(candidate)!);
  const { names } = rows[0]!;
  const bounds = boundsAsked(question)
    .filter((bound) => !isInName(question, bound, names))
    .map((bound) => columnOfBound(question, bound, rows));
  if (bounds.includes(undefined)) return [];
  const columns = bounds as readonly BoundColumn[];
  const table: TableAsked = {
    thing,
    over: tableMatch(question, candidates[0]!, []),
    byName: names.map((name) => columnMatch(question, name)),
    isOfColumn: question.terms.map(({ word }) => names.some((name) => isColumnOf(word, name))),
    bounds: columns,
  };
  const own: Candidate[] = [];
  for (const [i, candidate] of candidates.entries()) {
    const row = rows[i]!;
    if (isTotal(row.cells.find(({ text }) => text !== '')?.text ?? '')) continue;
    if (!isListed(question, asked, row, table)) continue;
    const isSo = isWithinAll(columns, i);
    if (isSo === undefined) return [];
    if (isSo) own.push(candidate);
  }
  return own.sort((a, b) => placeOf(a) - placeOf(b) || a.unit.start - b.unit.start);
}

const placeOf = ({ passage }: Candidate): number => passage.hit.chunk.position;

/**
 * Whether cells of a row, but for its first, are what the question names, and their columns are called as the rest. A
 * cell below the name of a property says whether the row has it: `Waterproof`, `yes`.
 */
function isListed(
  question: Question,
  { asking }: Asked,
  { names, cells, asAbove }: Row,
  { thing, over, byName, isOfColumn, bounds }: TableAsked,
): boolean {
  const bounded = bounds.map(({ column }) => column);
  const isNot = denies(question);
  const cellAt = (i: number): string => asAbove[i] ?? cells[i]?.text ?? '';
  const isOther = names.some((name, i) => i > 0 && yesOrNo(cellAt(i)) === isNot && isNameAsked(question, name));
  if (isOther) return false;
  const named = names.flatMap((name, i) => {
    if (i === 0 || bounded.includes(i)) return [];
    const cell = cellAt(i);
    if (yesOrNo(cell) !== undefined) return isNameAsked(question, name) ? [i] : [];
    // who does not work in Sales is not who does
    return !isNot && isNamedWhole(question, cell) && !isOfOtherColumn(question, cell, names, i) ? [i] : [];
  });
  if (named.length === 0 && bounds.length === 0) return false;
  const held = matchTerms(question, analyseWords(named.map((i) => asAbove[i] ?? cells[i]!.text).join('\n')));
  for (const i of [...named, ...bounded]) raise(held, byName[i]!, 1);
  const isOfBound = (term: string): boolean =>
    question.tokens.some((token) => token.term === term && bounds.some(({ bound }) => isInBound(bound, token)));
  return question.terms.every(
    ({ term, word }, j) =>
      j === thing ||
      asking.has(term) ||
      held[j]! >= sameWord ||
      isOfBound(term) ||
      isCommonWord(word) ||
      leansOnCell.test(word) ||
      isOfColumn[j] ||
      over[j]! >= sameWord,
  );
}

/** Whether a question asks for what is not so; `not more than` belongs to a bound. */
const denies = once((question: Question): boolean => {
  const outside = boundsAsked(question).reduceRight(
    (text, { span }) => `${text.slice(0, span.start)} ${text.slice(span.end)}`,
    question.text,
  );
  return negation.test(outside);
});

/** `Waterproof` in `Which lamps are waterproof?` */
function isNameAsked({ known }: Question, name: string): boolean {
  return analyseWords(name).some(({ term, empty }) => !empty && known.has(term));
}

/** A word within a bound, or the word for its unit behind: `€`, `euros`. */
function isInBound(
  { span, word }: BoundColumn['bound'],
  token: { readonly start: number; readonly end: number; readonly word: string },
): boolean {
  if (token.start >= span.start && token.end <= span.end) return true;
  return token.start >= span.end && token.start <= span.end + 1 && token.word === word.toLowerCase();
}

const fewestLetters = 3;
const endsWith = (question: string, cell: string): boolean =>
  question
    .toLowerCase()
    .replace(/\P{L}+$/u, '')
    .endsWith(` ${cell.toLowerCase()}`);

/** All words of a cell, or of one of several things in it, stand in the question. */
function isNamedWhole(question: Question, cell: string): boolean {
  const isKnown = (text: string): boolean => {
    const words = fullWords(text);
    if (words.length === 0) return text.length >= fewestLetters && endsWith(question.text, text); // `done`
    return words.every((word) => question.known.has(word.term) || holdsAnyTerm(question, word));
  };
  return isKnown(cell) || (severalThings.test(cell) && cell.split(betweenThings).some(isKnown));
}

/** `to Porto` asks for the column `To`, though another one has Porto too. */
function isOfOtherColumn({ text }: Question, cell: string, names: readonly string[], own: number): boolean {
  const asked = text.toLowerCase();
  const isSaid = (name: string): boolean => asked.includes(` ${name} ${cell}`.toLowerCase());
  return !isSaid(names[own]!) && names.some(isSaid);
}

const betweenThings = /[,;/]/;
const severalThings = /\p{L}\s*[,;/]\s*\p{L}/u;

/** Whether a text has a table that may be of what a question asks the rows of, by its first column or the title of the text. */
export function mayList(question: string, text: string, title = ''): boolean {
  const from = asksForRows.exec(question)?.[0].length;
  const words = from === undefined ? [] : (question.slice(from).match(/\p{L}+/gu) ?? []).slice(0, mostBeforeThing);
  const starts = words
    .filter((word) => word.length >= 3)
    .map((word) => word.slice(0, Math.max(3, word.length - 2)).toLowerCase());
  const isOfPeople =
    asksForPeople.test(question) ||
    (asksWho.test(question) && /\d/.test(question)) ||
    words.some((word) => peopleWord.test(word));
  if (starts.length === 0 && !isOfPeople) return false;
  const isOfTitle = starts.some((start) => title.toLowerCase().includes(start));
  return text.split('\n').some((line) => {
    const first = /^[\s|*_]*([^|\t\n]*)[|\t]/u.exec(line)?.[1]?.trim();
    if (first === undefined) return false;
    if (isOfTitle || starts.some((start) => first.toLowerCase().startsWith(start))) return true;
    return (
      isOfPeople &&
      hasPeople(
        question,
        line
          .split(/[|\t]/u)
          .map((cell) => cell.replace(/[\s*_]+/gu, ' ').trim())
          .filter((cell) => cell !== ''),
      )
    );
  });
}
