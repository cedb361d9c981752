import type { Span } from '../../../core/types.ts';
import { monthsByName, weekdaysByName } from '../../../text/languages/calendar.ts';
import { magnitudes, monthVerbs } from '../../../text/languages/question-words.ts';

/** A number or a date that a sentence states. */
export interface Value extends Span {
  readonly kind: 'number' | 'date';
  /** Equal for equal values: `1,500,000` and `1.5 million`, `5 May 2019` and `2019-05-05`. */
  readonly key: string;
  /** Of a number. */
  readonly amount: number;
  /** Digits of the amount that count: two of `1.5 million`. */
  readonly digits: number;
  /** `%`, or the sign of a currency; '' for others, whose unit is the word behind. */
  readonly unit: string;
}

/** Names as an alternative of a pattern, the longest first. */
const oneOf = (names: ReadonlyMap<string, number>): string =>
  [...names.keys()].sort((a, b) => b.length - a.length).join('|');

const monthName = String.raw`(${oneOf(monthsByName)})(?!\p{L})\.?`;
const monthNames = new RegExp(String.raw`(?<![\p{L}\p{N}])${monthName}`, 'giu');
const dateForms = [
  String.raw`(\d{4})-(\d{2})-(\d{2})`,
  String.raw`(\d{1,2})(?:st|nd|rd|th|\.)?\s(?:de\s|of\s)?${monthName}(?:,?\s(?:de\s)?(\d{4}))?`,
  String.raw`${monthName}\s(\d{1,2})(?:st|nd|rd|th)?(?!\d)(?:,?\s(\d{4}))?`,
  String.raw`${monthName}\s(\d{4})`,
  String.raw`(\d{1,2})\.\s?(0?[1-9]|1[0-2])\.\s?(\d{4})`,
];
const datePattern = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${dateForms.join('|')})(?!\p{N})`, 'giu');

const weekdayName = String.raw`(${oneOf(weekdaysByName)})s?(?!\p{L})`;
const weekdayRange = new RegExp(
  String.raw`(?<!\p{L})${weekdayName}(?:\s?(?:[-–—]|to|till|until|through|bis|au|à|a|al)\s?${weekdayName})?`,
  'giu',
);

const small = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'
  .concat(' seventeen eighteen nineteen')
  .split(' ');
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const words: ReadonlyMap<string, number> = new Map([
  ...small.map((word, i): [string, number] => [word, i]),
  ...tens.map((word, i): [string, number] => [word, 20 + 10 * i]),
  ['hundred', 100],
  ['dozen', 12],
]);

const numberPattern =
  /([$€£¥]|\b(?:USD|EUR|GBP|CHF)\s?)?(?<![\p{L}\p{N}.,])(\d+(?:[.,'’\u00a0\u202f]\d+)*)(?:\s?(%|percent\b|per cent\b|Prozent\b)|\s?(€|EUR\b|USD\b))?/gu;
/** Most texts have none, and are not gone through word by word. */
const numberWord = new RegExp([...words.keys()].join('|'), 'i');
const wordPattern = /\p{L}+(?:-\p{L}+)?/gu;

/** Smaller numbers are never rounded ones. */
const EXACT_BELOW = 1000;

/** The dates and numbers of a text, in order, without overlap. */
export function valuesOf(text: string): Value[] {
  const values = datesIn(text);
  const isFree = ({ start, end }: Span): boolean => values.every((one) => end <= one.start || start >= one.end);
  for (const match of text.matchAll(numberPattern)) {
    const [all, sign = '', digits = '', percent, behind] = match;
    const start = match.index;
    let end = start + all.length;
    let amount = amountOf(digits);
    if (Number.isNaN(amount)) continue;
    for (const [pattern, factor] of magnitudes) {
      const found = pattern.exec(text.slice(end));
      if (!found) continue;
      amount *= factor;
      end += found[0].length;
    }
    const unit = percent === undefined ? (behind ?? sign).trim() : '%';
    const counting = amount < EXACT_BELOW ? digits : digits.replace(/^0+|0+$/g, '');
    const value = numberOf(amount, unit, { start, end }, counting.replace(/\D/g, '').length);
    if (isFree(value)) values.push(value);
  }
  for (const match of numberWord.test(text) ? text.matchAll(wordPattern) : []) {
    const amount = wordsAmount(match[0].toLowerCase());
    if (amount === undefined) continue;
    const value = numberOf(amount, '', { start: match.index, end: match.index + match[0].length }, 2);
    if (isFree(value)) values.push(value);
  }
  return values.sort((a, b) => a.start - b.start);
}

function numberOf(amount: number, unit: string, span: Span, digits: number): Value {
  return { ...span, kind: 'number', key: `${amount} ${unit}`, amount, digits: Math.max(1, digits), unit };
}

/** The first date with a year in a text, as `2024-05`, or `2024-05-01` where it has a day. */
export function dateIn(text: string): string | undefined {
  for (const { key } of datesIn(text)) {
    const [year = '', month = '', day = ''] = key.split('-');
    const date = [year, month.padStart(2, '0'), ...(day === '0' ? [] : [day.padStart(2, '0')])].join('-');
    if (isDate(date)) return date;
  }
  return undefined;
}

/** Whether there is such a year, month or day: `2024`, `2024-05`, `2024-05-31`. */
export function isDate(iso: string): boolean {
  return /^\d{4}(?:-\d{2}){0,2}$/.test(iso) && new Date(iso).toJSON()?.startsWith(iso) === true;
}

function datesIn(text: string): Value[] {
  const dates: Value[] = [];
  if (!/\d/.test(text)) return dates;
  for (const match of text.matchAll(datePattern)) {
    const [all, y1, m1, d1, d2, n2, y2, n3, d3, y3, n4, y4, d5, m5, y5] = match;
    const name = n2 ?? n3 ?? n4;
    const month = name === undefined ? Number(m1 ?? m5) : monthsByName.get(name.toLowerCase());
    const [year, day] = [y1 ?? y2 ?? y3 ?? y4 ?? y5 ?? '', d1 ?? d2 ?? d3 ?? d5 ?? ''];
    const key = [year, month, Number(day)].join('-');
    const span = { start: match.index, end: match.index + all.length };
    dates.push({ ...span, kind: 'date', key, amount: Number.NaN, digits: 0, unit: '' });
  }
  return dates;
}

const shortName = 3;

/** The months that a text names, alone or in dates. Short names count with a capital, behind another word. */
export function monthsIn(text: string): ReadonlySet<number> {
  const found = new Set(datesIn(text).map(({ key }) => Number(key.split('-')[1])));
  for (const { 0: name, index } of text.matchAll(monthNames)) {
    const isShort = name.length <= shortName && (index === 0 || !/^\p{Lu}/u.test(name));
    if (!isShort && !monthVerbs.has(name)) found.add(monthsByName.get(name.replace('.', '').toLowerCase())!);
  }
  return found;
}

/** The days of the week that a text names, from Monday, 0, on, with those between two that are joined. */
export function weekdaysIn(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [, first = '', last] of text.matchAll(weekdayRange)) {
    const from = weekdaysByName.get(first.toLowerCase())!;
    const to = last === undefined ? from : weekdaysByName.get(last.toLowerCase())!;
    for (let day = from; ; day = (day + 1) % 7) {
      found.add(day);
      if (day === to) break;
    }
  }
  return found;
}

/** `1,500` and `1.500` are 1500; `1,5` and `1.50` are 1.5, `0.125` is an eighth; `2.3.1` is no number. */
function amountOf(digits: string): number {
  const isGrouped = /^[1-9]\d{0,2}(?:([.,'’\u00a0\u202f])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?$/.test(digits);
  const [whole = '', fraction = ''] = isGrouped ? digits.split(/[.,](?=\d{1,2}$)/) : digits.split(/[.,](?=\d+$)/);
  return isGrouped || /^\d+$/.test(whole) ? Number(`${whole.replace(/\D/g, '')}.${fraction}`) : Number.NaN;
}

function wordsAmount(word: string): number | undefined {
  const [first = '', second] = word.split('-');
  const amount = words.get(first);
  if (second === undefined || amount === undefined) return second === undefined ? amount : undefined;
  const more = words.get(second);
  return amount >= 20 && amount < 100 && more !== undefined && more < 10 ? amount + more : undefined;
}

/** Whether one of two numbers is the other, rounded to the digits that it has. */
export function isRounded(a: Value, b: Value): boolean {
  const [coarse, fine] = a.digits <= b.digits ? [a, b] : [b, a];
  return Number(fine.amount.toPrecision(coarse.digits)) === Number(coarse.amount.toPrecision(coarse.digits));
}
