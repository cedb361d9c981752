import type { Span } from '../../../core/types.ts';
import { monthsByName } from '../../../text/languages/calendar.ts';
import { orLess, orMore } from '../../../text/languages/limits.ts';
import {
  aboveAmount,
  afterTimeBound,
  andBound,
  beforeTimeBound,
  belowAmount,
  betweenBounds,
  leastAmount,
  mostAmount,
  untilTimeBound,
  withinTimeBound,
} from '../../../text/languages/row-bounds.ts';
import { monthOf, type Time, timeOf, timeOfKey } from '../structure/column-values.ts';
import { valuesOf } from '../structure/values.ts';
import { once } from './once.ts';
import type { Question } from './question.ts';

/** How the values that are asked for stand to the one of a bound. */
type Relation = 'below' | 'most' | 'within' | 'least' | 'above';

/** What a question says of the rows that it asks for: `less than €20`, `before 2015`, `in March`. */
export interface Bound {
  readonly relation: Relation;
  /** From the word before the value to the end of it, in offsets of the question. */
  readonly span: Span;
  /** The number or the days of the value; of a month without a year, those of the year 0. */
  readonly value: Time;
  readonly kind: 'amount' | 'time' | 'month';
  /** The sign beside an amount, and the word behind: `€`, `seats`; '' without one. */
  readonly sign: string;
  readonly word: string;
}

/** A value of the question, before the words around it are looked at. */
interface Given extends Span {
  readonly value: Time;
  readonly kind: Bound['kind'];
  readonly sign: string;
}

/** `1 000`, written with the space of a keyboard. */
const betweenDigits = /(?<=\d) (?=\d{3}(?!\d))/g;
const leastYear = 1000;
const lastYear = 2100;

function givenIn({ text, tokens }: Pick<Question, 'text' | 'tokens'>): Given[] {
  const given: Given[] = [];
  for (const { kind, key, amount, unit, start, end } of valuesOf(text.replace(betweenDigits, '\u00a0'))) {
    const time = kind === 'date' ? timeOfKey(key) : undefined;
    if (time) given.push({ start, end, value: time, kind: 'time', sign: '' });
    else if (kind === 'number')
      given.push({ start, end, value: { from: amount, to: amount }, kind: 'amount', sign: unit });
  }
  for (const { word, start, end } of tokens) {
    const month = monthsByName.get(word);
    const isFree = given.every((one) => end <= one.start || start >= one.end);
    if (month !== undefined && isFree && /^\p{L}{3}/u.test(word))
      given.push({ start, end, value: timeOf(0, month), kind: 'month', sign: '' });
  }
  return given.sort((a, b) => a.start - b.start);
}

const ofAmount: readonly (readonly [Relation, RegExp])[] = [
  ['most', mostAmount],
  ['least', leastAmount],
  ['below', belowAmount],
  ['above', aboveAmount],
];
const ofTime: readonly (readonly [Relation, RegExp])[] = [
  ['below', beforeTimeBound],
  ['above', afterTimeBound],
  ['most', untilTimeBound],
  ['within', withinTimeBound],
];

const isYear = ({ kind, value: { from }, sign }: Given, text: string, end: number): boolean =>
  kind === 'amount' &&
  sign === '' &&
  Number.isInteger(from) &&
  from >= leastYear &&
  from <= lastYear &&
  !/^[.,]?\d/.test(text.slice(end));

/** The bounds of a question, in order. A number or a time without a word that says how it bounds is none. */
export const boundsAsked: (question: Question) => readonly Bound[] = once(({ text, tokens }) => {
  const given = givenIn({ text, tokens });
  const bounds: Bound[] = [];
  for (let i = 0; i < given.length; i++) {
    const one = given[i]!;
    const before = text.slice(0, one.start);
    const next = given[i + 1];
    const between = betweenBounds.exec(before);
    if (between && next && andBound.test(text.slice(one.end, next.start))) {
      const areYears = isYear(one, text, one.end) && isYear(next, text, next.end);
      const [low, high] = areYears ? [asYear(one), asYear(next)] : [one, next];
      const span = { start: between.index, end: next.end };
      bounds.push(boundOf('least', { ...low, sign: low.sign || high.sign }, span, text));
      bounds.push(boundOf('most', { ...high, sign: high.sign || low.sign }, span, text));
      i++;
      continue;
    }
    const timed = isYear(one, text, one.end) ? asYear(one) : one;
    const [relation, found] = said(timed.kind === 'amount' ? ofAmount : ofTime, before);
    if (relation && found) {
      bounds.push(boundOf(relation, timed, { start: found.index, end: one.end }, text));
      continue;
    }
    const [beyond, cue] = said(ofAmount, before);
    const behind = text.slice(one.end);
    const more: Relation | undefined = orMore.test(behind) ? 'least' : orLess.test(behind) ? 'most' : undefined;
    if (one.kind !== 'amount' || !(beyond ?? more)) continue;
    bounds.push(boundOf((beyond ?? more)!, one, { start: cue?.index ?? one.start, end: one.end }, text));
  }
  return bounds;
});

const asYear = (one: Given): Given => ({ ...one, kind: 'time', value: timeOf(one.value.from) });

function said(
  relations: readonly (readonly [Relation, RegExp])[],
  before: string,
): [Relation, RegExpExecArray] | [undefined, undefined] {
  for (const [relation, words] of relations) {
    const found = words.exec(before);
    if (found) return [relation, found];
  }
  return [undefined, undefined];
}

function boundOf(relation: Relation, { value, kind, sign }: Given, span: Span, text: string): Bound {
  const word = /^[ \u00a0-]?(\p{L}[\p{L}\p{M}]*)/u.exec(text.slice(span.end))?.[1] ?? '';
  return { relation, value, kind, sign, word, span };
}

/** Whether a value, from its least to its greatest, is as a bound asks; undefined where one part of it is so and another is not. */
export function isWithin({ relation, value: { from, to }, kind, value }: Bound, own: Time): boolean | undefined {
  if (kind === 'month') {
    const month = monthOf(own);
    if (relation !== 'within' || month === undefined) return undefined;
    return month === monthOf(value);
  }
  const decided = (isSo: boolean, isNot: boolean): boolean | undefined => (isSo ? true : isNot ? false : undefined);
  if (relation === 'below') return decided(own.to < from, own.from >= from);
  if (relation === 'above') return decided(own.from > to, own.to <= to);
  if (relation === 'most') return decided(own.to <= to, own.from > to);
  if (relation === 'least') return decided(own.from >= from, own.to < from);
  return decided(own.from >= from && own.to <= to, own.to < from || own.from > to);
}
