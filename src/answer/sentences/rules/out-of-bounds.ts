import { analyseWords } from '../../../text/analysis/words.ts';
import {
  beginsRange,
  endsRange,
  greaterThan,
  orLess,
  orMore,
  smallerThan,
  toNumber,
} from '../../../text/languages/limits.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { rowsOf } from '../structure/table.ts';
import { textOf } from '../structure/unit-text.ts';
import { valuesOf } from '../structure/values.ts';

/** On the scale of the trees. */
const loss = -2;

/** A number with the word behind it: `under four hours`. */
export interface Measure {
  readonly amount: number;
  /** Term of the word behind the number. */
  readonly unit: string;
  readonly bound: 'below' | 'above' | undefined;
}

/** The numbers of a text that have a word behind them. */
export function measuresIn(text: string): Measure[] {
  return valuesOf(text).flatMap(({ kind, start, end, amount }) => {
    const word = /^[ \u00a0-](\p{L}+)/u.exec(text.slice(end))?.[1];
    const unit = kind === 'number' && word !== undefined ? analyseWords(word)[0]?.term : undefined;
    if (unit === undefined) return [];
    const before = text.slice(0, start);
    const bound = smallerThan.test(before) ? 'below' : greaterThan.test(before) ? 'above' : undefined;
    return [{ amount, unit, bound }];
  });
}

/** The amounts that a cell of a table is for, with the terms of its unit, which the name of its column may have. */
interface Range {
  readonly least: number;
  readonly most: number;
  readonly units: readonly string[];
}

const rangesIn = ({ passage, unit }: Candidate): Range[] => {
  const row = rowsOf(passage.hit.chunk).get(unit.start);
  return (row?.cells ?? []).flatMap(({ text }, i) => {
    const range = rangeOf(text);
    if (range === undefined) return [];
    const units = analyseWords(`${range.unit} ${row!.names[i] ?? ''}`).map(({ term }) => term);
    return [{ ...range, units }];
  });
};

/** `15 to 29 minutes`, `60 minutes or more`, `up to 2 kg`: the amounts from the least to the most. */
function rangeOf(cell: string): (Omit<Range, 'units'> & { readonly unit: string }) | undefined {
  const [first, last = first, ...more] = valuesOf(cell).filter(({ kind }) => kind === 'number');
  if (first === undefined || last === undefined || more.length > 0) return undefined;
  const behind = cell.slice(last.end);
  const unit = /^[ \u00a0-]?(\p{L}+)/u.exec(behind)?.[1] ?? '';
  if (first !== last)
    return toNumber.test(cell.slice(first.end, last.start).replace(unit, '').trim())
      ? { least: first.amount, most: last.amount, unit }
      : undefined;
  const before = cell.slice(0, first.start);
  const { amount } = first;
  if (smallerThan.test(before)) return { least: -Infinity, most: amount - Number.EPSILON * amount, unit };
  if (endsRange.test(before) || orLess.test(behind)) return { least: -Infinity, most: amount, unit };
  if (greaterThan.test(before) || beginsRange.test(before) || orMore.test(behind))
    return { least: amount, most: Infinity, unit };
  return undefined;
}

/** Whether each range of a row that has the unit of what a question gives is of other amounts; undefined where none has. */
function isOfOtherRange(question: Question, candidate: Candidate): boolean | undefined {
  const given = givenIn(question);
  if (given.length === 0 || given.some(({ bound }) => bound)) return undefined;
  const ranges = rangesIn(candidate);
  for (const { amount, unit } of given) {
    const own = ranges.filter(({ units }) => units.includes(unit));
    if (own.length > 0) return own.every(({ least, most }) => amount < least || amount > most);
  }
  return undefined;
}

/** Whether a row is for the amount that a question gives: `30 to 59 minutes` for a delay of 40 minutes. */
export function isOfRange(question: Question, candidate: Candidate): boolean {
  return candidate.unit.kind === 'row' && isOfOtherRange(question, candidate) === false;
}

/** What a question gives as it is, without a bound of its own. */
const givenIn = once(({ text }: Question) => measuresIn(text));

/**
 * Whether a sentence or row is about those that are smaller or greater than what a question names: `Flights under four
 * hours`, where it asks about one of six hours.
 */
export function isOutOfBounds(question: Question, candidate: Candidate): boolean {
  const given = givenIn(question);
  if (given.length === 0 || given.some(({ bound }) => bound)) return false;
  if (candidate.unit.kind === 'row') return isOfOtherRange(question, candidate) === true;
  const said = measuresIn(textOf(candidate));
  return given.some(({ amount, unit }) => {
    const own = said.filter((one) => one.unit === unit);
    return own.length > 0 && own.every((one) => excludes(one, amount));
  });
}

const excludes = ({ bound, amount: limit }: Measure, amount: number): boolean =>
  bound === 'below' ? amount >= limit : bound === 'above' ? amount < limit : false;

/** What a sentence loses that is about smaller or greater ones than what a question names. */
export function outOfBoundsLoss(question: Question, candidate: Candidate): number {
  return isOutOfBounds(question, candidate) ? loss : 0;
}
