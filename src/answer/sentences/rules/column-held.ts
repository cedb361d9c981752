import { analyseWords } from '../../../text/analysis/words.ts';
import { currencies, isColumnOf, unitLetters } from '../../../text/languages/column-words.ts';
import { columnOfOneKind, columnOfPeople } from '../../../text/languages/people-listed.ts';
import { asksWho } from '../../../text/languages/row-bounds.ts';
import { type Bound, isWithin } from '../question/bounds-asked.ts';
import type { Candidate } from '../question/candidate.ts';
import { stemOf } from '../question/file-name.ts';
import { matchTerms, type Question, raise, sameWord } from '../question/question.ts';
import { amountOf, type Time, timesOf } from '../structure/column-values.ts';
import type { Row } from '../structure/table.ts';

/** How well the name of a column holds each term: by its own words, or as what the term asks for: `earns`, and `Salary`. */
export function columnMatch(question: Question, name: string): Float32Array {
  const out = matchTerms(question, analyseWords(name));
  question.terms.forEach(({ word }, j) => {
    if (out[j]! < sameWord && isColumnOf(word, name)) out[j] = sameWord;
  });
  return out;
}

/** A column whose values a bound can be compared with. */
export interface BoundColumn {
  readonly bound: Bound;
  readonly column: number;
  /** Of each row, as a range; undefined for an empty cell. */
  readonly values: readonly (Time | undefined)[];
}

/**
 * The column that a bound is about: all of its cells are times, or amounts of the unit of the bound, and its name, or the
 * unit, is one that the question says; the only column of times needs no name. Undefined where none is, or several are.
 */
export function columnOfBound(question: Question, bound: Bound, rows: readonly Row[]): BoundColumn | undefined {
  const { names } = rows[0]!;
  const found = names.flatMap((name, column) => {
    const cells = rows.map(({ cells, asAbove }) => asAbove[column] ?? cells[column]?.text ?? '');
    const values = bound.kind === 'amount' ? amountsOf(question, bound, name, cells) : timesOf(cells);
    if (values === undefined) return [];
    const held = columnMatch(question, name).filter((match) => match >= sameWord).length;
    return [{ bound, column, values, held: held + (isUnitIn(bound.word, name) ? 1 : 0) }];
  });
  const most = Math.max(0, ...found.map(({ held }) => held));
  if (most === 0 && bound.kind === 'amount' && !isSigned(bound)) return undefined;
  const best = found.filter(({ held }) => held === most);
  return best.length === 1 ? best[0] : undefined;
}

/** `m` of `Height (m)`, `min` for minutes, `W` for watts */
function isUnitIn(word: string, name: string): boolean {
  const unit = /\(([^()]+)\)/u.exec(name)?.[1]?.toLowerCase();
  if (unit === undefined || word === '') return false;
  const asked = word.toLowerCase();
  return unit === asked || (unit.length > 1 ? asked.startsWith(unit) : unitLetters.get(unit)?.test(asked) === true);
}

/** Whether the year of a bound is a part of the name of a column: `Hours 2024`. */
export function isInName({ text }: Question, { span, kind, relation }: Bound, names: readonly string[]): boolean {
  const year =
    kind === 'time' && relation === 'within' ? /\d{4}/.exec(text.slice(span.start, span.end))?.[0] : undefined;
  return year !== undefined && names.some((name) => name.includes(year));
}

/** How well a table holds each term: by what stands over it, the name of its file, and those of its columns. */
export function tableMatch(
  question: Question,
  { titleMatch, passage }: Candidate,
  byName: readonly Float32Array[],
): Float32Array {
  const out = matchTerms(question, analyseWords(stemOf(passage.hit.chunk.uri)));
  for (const match of [titleMatch, ...byName]) raise(out, match, 1);
  return out;
}

/** Whether one of the first columns has people of whom a question asks. */
export function hasPeople(question: string, names: readonly string[]): boolean {
  const isOne = asksWho.test(question);
  return names.slice(0, 2).some((name) => columnOfPeople.test(name) || (isOne && columnOfOneKind.test(name)));
}

const isSigned = ({ sign, word }: Bound): boolean => sign !== '' || currencyOf(word) !== undefined;

function currencyOf(word: string): string | undefined {
  for (const [sign, names] of currencies) if (names.test(word)) return sign;
  return undefined;
}

/** The amounts of a column; undefined where a cell is none, or the unit is another than that of the bound. */
function amountsOf(
  { language }: Question,
  { sign, word }: Bound,
  name: string,
  cells: readonly string[],
): (Time | undefined)[] | undefined {
  const wanted = currencyOf(sign || word) ?? sign;
  const own = new Set<string>();
  const out: (Time | undefined)[] = [];
  for (const cell of cells) {
    const found = cell === '' ? undefined : amountOf(cell, language);
    if (cell !== '' && found === undefined) return undefined;
    if (found) own.add(`${found.before}|${found.unit}`);
    out.push(found && { from: found.amount, to: found.amount });
  }
  const [unit] = own;
  if (unit === undefined || own.size > 1) return undefined;
  const [before = '', behind = ''] = unit.split('|');
  const inName = analyseWords(name)
    .map(({ word: one }) => currencyOf(one))
    .find((one) => one !== undefined);
  const signOfName = [...currencies.keys()].find((one) => name.includes(one));
  const held = currencyOf(before || behind) ?? inName ?? signOfName ?? (/%/.test(unit + name) ? '%' : '');
  if (wanted !== '' && held !== '' && wanted !== held) return undefined;
  // an amount of money is none of seats, nor one of days a price
  const isNamed = columnHolds(word, name) || columnHolds(word, behind) || isUnitIn(word, name);
  if (wanted !== '' && held === '') return undefined;
  return wanted === '' && word !== '' && behind !== '' && !isNamed && held === '' ? undefined : out;
}

function columnHolds(word: string, name: string): boolean {
  const [asked] = analyseWords(word);
  return (
    asked !== undefined && (isColumnOf(asked.word, name) || analyseWords(name).some(({ term }) => term === asked.term))
  );
}

/** Whether a row is as all bounds ask; undefined where that is not certain. */
export function isWithinAll(columns: readonly BoundColumn[], at: number): boolean | undefined {
  let isSure = true;
  for (const { bound, values } of columns) {
    const own = values[at];
    const isSo = own === undefined ? false : isWithin(bound, own);
    if (isSo === false) return false;
    if (isSo === undefined) isSure = false;
  }
  return isSure ? true : undefined;
}
