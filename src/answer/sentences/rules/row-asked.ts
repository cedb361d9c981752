import { analyseWords, fullWords } from '../../../text/analysis/words.ts';
import { asksBirth } from '../../../text/languages/lives.ts';
import { unitsSaid } from '../../../text/languages/measures.ts';
import { labelFor } from '../../../text/languages/question-words.ts';
import { asksOwnValue, asksValue, asksWhichColumn, unsaidValue } from '../../../text/languages/values-asked.ts';
import type { Candidate } from '../question/candidate.ts';
import { countedTerms } from '../question/counted-terms.ts';
import {
  heldShare,
  matchTerms,
  positionOf,
  positionsOf,
  type Question,
  relatedWord,
  sameWord,
} from '../question/question.ts';
import { isDegree, unitAsked } from '../question/wanted.ts';
import type { Row } from '../structure/table.ts';
import { headerTextOf, rowCells, textOf } from '../structure/unit-text.ts';
import { rowOf } from './row-contest.ts';
import { signKeyGain } from './sign-key.ts';

/** Of the question's weight. */
const leastOfRow = 0.6;

const mostWords = 3;

const ofNumber = labelFor('number')!;

/** Positions of the terms for what is asked of something: what it has, or what it has a number of. */
function askedOf(question: Question, hasColumns: boolean): readonly number[] {
  const counted = countedTerms(question);
  const { text, tokens, type } = question;
  if (counted.length > 0) return counted;
  const own = asksOwnValue.exec(text);
  const match = own ?? asksValue.exec(text) ?? (hasColumns && type === 'other' ? asksWhichColumn.exec(text) : null);
  if (match === null) return [];
  const behind = tokens.filter(({ start }) => start >= match[0].length);
  const end = behind.findIndex(({ empty }) => empty);
  if (own !== null && end < 0 && behind.length <= mostWords) return positionsOf(question, behind);
  if (end < 1 || end > mostWords || !behind.slice(end).some(({ empty }) => !empty)) return [];
  const named = behind.slice(0, end);
  if (named.some(({ word }) => ofNumber.test(word) || unsaidValue.test(word))) return [];
  return positionsOf(question, named);
}

/**
 * Whether a row says something else of what the question names: neither its cells, nor its header and headings, nor the
 * sentence above its table speak of what is asked: the hardness of a steel, asked for its density. So does a row whose cell
 * in the column that is asked for is empty.
 */
export function isOfOtherColumn(
  question: Question,
  candidate: Pick<Candidate, 'passage' | 'unit' | 'match' | 'titleMatch' | 'index'>,
): boolean {
  const { passage, unit, match, titleMatch, index } = candidate;
  if (unit.kind !== 'row') return false;
  const row = rowOf(candidate);
  const header = headerTextOf(candidate);
  const asAbove = row?.asAbove ?? [];
  if (isEmptyInNamed(question, candidate, header) || isOfOtherMeasure(question, candidate, header)) return true;
  if (isOfOtherYear(question, row)) return true;
  const asked = askedOf(question, row !== undefined);
  if (asked.length === 0) return false;
  if (
    hasNoCell(
      question,
      asked,
      rowCells(textOf(candidate)).map((cell, i) => asAbove[i] ?? cell),
      header,
    )
  )
    return true;
  if (endsWithColumn(question, header)) return false;
  const leaves = (held: ArrayLike<number>): boolean => asked.every((j) => held[j]! < relatedWord);
  if (!leaves(match) || !leaves(titleMatch)) return false;
  if (question.type === 'number' && ofNumber.test(`${header}\n${textOf(candidate)}`)) return false; // `Number of seats | 9`
  const above = passage.units.slice(0, index).findLast(({ kind }) => kind === 'sentence');
  return !above || leaves(matchTerms(question, analyseWords(textOf({ passage, unit: above }))));
}

/** A year of another column: `built | serviced by` over `2024 | Ann Moor`, asked when it was serviced. */
function isOfOtherYear(question: Question, row: Row | undefined): boolean {
  if (question.type !== 'date' || row === undefined) return false;
  const isNamed = (i: number): boolean =>
    matchTerms(question, analyseWords(row.names[i] ?? '')).some((held) => held >= sameWord);
  const dated = row.cells.flatMap(({ text }, i) => (year.test(text) ? [i] : []));
  if (dated.length === 0 || dated.some((i) => isNamed(i) || i === 0)) return false;
  return row.names.some((_, i) => i > 0 && isNamed(i));
}

/** Kinds of measures that a row gives with their unit, or under their name. */
const measures: ReadonlySet<string> = new Set(['length', 'mass', 'speed', 'temperature', 'time']);

/** Asked how heavy something is, a row of several columns that has no weight: neither a unit nor a name says so. */
function isOfOtherMeasure(
  question: Question,
  { match, unit: place, passage }: Pick<Candidate, 'passage' | 'unit' | 'match'>,
  header: string,
): boolean {
  const unit = question.type === 'number' || question.type === 'date' ? unitAsked(question) : undefined;
  if (unit === undefined || !measures.has(unit) || rowCells(header.split('\n')[0]!).length < 2) return false;
  const degree = question.terms.findIndex(({ word }) => isDegree(word));
  if (degree < 0 || match[degree]! >= relatedSlightly) return false;
  const own = `${header}\n${textOf({ passage, unit: place })}`.replaceAll('_', ' '); // `delivery_days`
  if (asksBirth.test(question.text)) return !asksBirth.test(own); // an age
  return !unitsSaid[unit]!.test(own) && !labelFor(unit)?.test(own) && !(unit === 'time' && year.test(own));
}
const relatedSlightly = 0.3;
const year = /(?<!\p{N})(?:1[5-9]|20)\p{N}\p{N}(?!\p{N})/u;

/** `How many games has the club lost?` asks for a column `Lost`. */
function endsWithColumn(question: Question, header: string): boolean {
  const last = question.tokens.findLast(({ empty }) => !empty);
  const j = positionOf(question, last);
  if (j < 0) return false;
  return rowCells(header.split('\n')[0]!).some((name) => {
    const words = fullWords(name);
    return words.length === 1 && matchTerms(question, words)[j]! >= sameWord;
  });
}

/** One column has a name of the question that the row has not, and the row has nothing there: `Currency | € | ` below `| Malta | Oman`. */
function isEmptyInNamed(question: Question, candidate: Pick<Candidate, 'passage' | 'unit'>, header: string): boolean {
  const names = rowCells(header.split('\n')[0] ?? '').map((name) => fullWords(name));
  const cells = rowCells(textOf(candidate));
  if (cells.length !== names.length) return false;
  const own = matchTerms(question, analyseWords(textOf(candidate)));
  const isNamed = (words: (typeof names)[number]): boolean => {
    const held = matchTerms(question, words);
    return words.length > 0 && question.terms.some((_, j) => held[j]! >= sameWord && own[j]! < relatedWord);
  };
  const named = names.flatMap((words, i) => (isNamed(words) ? [i] : []));
  return named.length === 1 && named[0]! > 0 && cells[named[0]!] === '';
}

/** One column is called as what is asked, more than all others, and the row has nothing there. */
function hasNoCell(question: Question, asked: readonly number[], cells: readonly string[], header: string): boolean {
  const [names = []] = header.split('\n').map(rowCells);
  const counts = names.map((name) => {
    const held = matchTerms(question, analyseWords(name));
    return asked.filter((j) => held[j]! >= sameWord).length;
  });
  const most = Math.max(0, ...counts);
  const isAlone = most > 0 && counts.filter((count) => count === most).length === 1;
  return isAlone && cells.length > 1 && (cells[counts.indexOf(most)] ?? '') === '';
}

/**
 * A row whose cells, header and headings hold too little of the question. Its numbers count something else; its names,
 * where somebody is asked for, stand for something else.
 */
export function leavesOpen(question: Question, candidate: Candidate): boolean {
  const { unit, match, titleMatch, holds } = candidate;
  if (unit.kind !== 'row' || (holds.numbers === 0 && question.type !== 'person')) return false;
  if (signKeyGain(question, candidate) > 0) return false; // a sign and a letter are no words
  const share = heldShare(
    question,
    (j) => Math.max(match[j]!, titleMatch[j]!),
    ({ word }) => !isDegree(word),
  );
  return share !== undefined && share < leastOfRow;
}
