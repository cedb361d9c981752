import { analyseWords } from '../../../text/analysis/words.ts';
import { currencies, isColumnOf } from '../../../text/languages/column-words.ts';
import type { Bound } from '../question/bounds-asked.ts';
import { isWithin } from '../question/bounds-asked.ts';
import { matchTerms, type Question, sameWord } from '../question/question.ts';
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
    return [{ bound, column, values, held }];
  });
  const most = Math.max(0, ...found.map(({ held }) => held));
  if (most === 0 && bound.kind === 'amount' && !isSigned(bound)) return undefined;
  const best = found.filter(({ held }) => held === most);
  return best.length === 1 ? best[0] : undefined;
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
  const isNamed = columnHolds(word, name) || columnHolds(word, behind);
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
