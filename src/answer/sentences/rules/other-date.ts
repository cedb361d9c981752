import { isYear } from '../../../text/languages/question-words.ts';
import { beginsTime, endsTime, spansTime, toTime } from '../../../text/languages/times.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { headerTextOf, namesOver, textOf, wholeText } from '../structure/unit-text.ts';
import { monthsIn, type Value, valuesOf, weekdaysIn } from '../structure/values.ts';

/** On the scale of the trees. */
const loss = -2;

/** A day with its month, and the year where it has one. */
interface Day {
  readonly year: string;
  readonly day: string;
}

function dayOf({ kind, key }: Value): Day | undefined {
  if (kind !== 'date') return undefined;
  const [year = '', month = '', day = ''] = key.split('-');
  return day === '0' ? undefined : { year, day: `${month}-${day}` };
}

const daysIn = (text: string): Day[] => valuesOf(text).flatMap((value) => dayOf(value) ?? []);
const isSame = (a: Day, b: Day): boolean => a.day === b.day && (a.year === b.year || a.year === '' || b.year === '');

const year = /(?<!\d)(?:1\d|20)\d\d(?!\d)/;
const range = /(?<!\d)((?:1\d|20)\d\d)\s?(?:[-–—/]|to|bis|until|au|a|al)\s?((?:1\d|20)\d\d)(?!\d)/g;

const monthsAsked = once(({ text }) => monthsIn(text));
const daysAsked = once(({ text }) => daysIn(text));

/** Whether a day is in a time that begins or ends at one of a sentence's days, or lies between two: 20 June in `after 15 June`. */
function isWithin(asked: Day, own: string): boolean {
  const at = orderOf(asked);
  const days = valuesOf(own).flatMap((value) => {
    const found = dayOf(value);
    return found === undefined ? [] : [{ ...found, start: value.start, end: value.end }];
  });
  return days.some((one, i) => {
    if (one.year !== '' && asked.year !== '' && one.year !== asked.year) return false;
    const before = own.slice(0, one.start);
    const [last, next] = [days[i - 1], days[i + 1]];
    const isFrom = last !== undefined && toTime.test(own.slice(last.end, one.start));
    const isTo = next !== undefined && toTime.test(own.slice(one.end, next.start));
    if (beginsTime.test(before)) return at >= orderOf(one) && !(isTo && at > orderOf(next));
    return endsTime.test(before) && at <= orderOf(one) && !(isFrom && at < orderOf(last));
  });
}

const orderOf = ({ day }: Day): number => {
  const [month = 0, dayOfMonth = 0] = day.split('-').map(Number);
  return 100 * month + dayOfMonth;
};

/** Whether a sentence has days, none of which is the question's; undefined where one of the two has none. */
function isOfOtherDay(question: Question, own: string): boolean | undefined {
  const asked = daysAsked(question);
  if (asked.length === 1 && isWithin(asked[0]!, own)) return undefined;
  const held = asked.length === 0 ? [] : daysIn(own);
  return held.length === 0 ? undefined : !held.some((one) => asked.some((other) => isSame(one, other)));
}

/**
 * Whether a sentence speaks of another month than the question: it names one, or its title and headings do, and nothing
 * that it is read with names the question's. Two months may be the ends of a time that holds the question's.
 */
function isOfOtherMonth(question: Question, candidate: Candidate): boolean {
  if (question.type === 'date' || question.type === 'choice') return false;
  const asked = monthsAsked(question);
  if (asked.size !== 1) return false;
  const { passage, unit } = candidate;
  const own = textOf(candidate);
  const over = namesOver(candidate);
  const named = monthsIn(own);
  if (unit.kind === 'row' && named.size === 0 && isOfOtherMonths(asked, headerTextOf(candidate), over)) return true;
  if ((named.size === 0 ? monthsIn(over.join('\n')) : named).size !== 1) return false;
  const around = unit.kind === 'row' ? [own, headerTextOf(candidate)] : [passage.hit.chunk.text];
  const [month] = asked;
  return !monthsIn([...around, ...over].join('\n')).has(month!);
}

/** Whether columns are those of months, each of one, and neither they nor what stands over them name one that is asked. */
function isOfOtherMonths(asked: ReadonlySet<number>, header: string, over: readonly string[]): boolean {
  const columns = header.split(/[|\t\n]/).map((cell) => monthsIn(cell));
  const named = columns.filter(({ size }) => size > 0);
  if (named.length < 2 || named.some(({ size }) => size > 1)) return false;
  const said = new Set([...named.flatMap((months) => [...months]), ...monthsIn(over.join('\n'))]);
  return [...asked].every((month) => !said.has(month));
}

const weekdaysAsked = once(({ text }) => weekdaysIn(text));

/** Whether a sentence or row names days of the week, and none that the question gives. */
function isOfOtherWeekday(question: Question, candidate: Candidate): boolean {
  const asked = weekdaysAsked(question);
  if (asked.size === 0) return false;
  const own = weekdaysIn(`${textOf(candidate)}\n${headerTextOf(candidate)}`);
  return own.size > 0 && [...own].every((day) => !asked.has(day));
}

/** A question that gives a date and does not ask for one. */
const givesDate = ({ text, type }: Question): boolean => /\d/.test(text) && type !== 'date' && type !== 'choice';

/**
 * Whether a sentence speaks of another day, month or year than the question: it has days of the week or of months, none
 * of which is the question's, or another month alone, or years, where its passage has none of the question's; or its
 * document is called by another year.
 */
export function isOfOtherDate(question: Question, candidate: Candidate): boolean {
  if (isOfOtherMonth(question, candidate) || isOfOtherWeekday(question, candidate)) return true;
  const { type, text } = question;
  // the party of 2027 is not that of a plan for 2025, though its day is asked for
  const asksForDay = type === 'date' && /\d/.test(text);
  if (!asksForDay && !givesDate(question)) return false;
  const own = textOf(candidate);
  const isOfOther = asksForDay ? undefined : isOfOtherDay(question, own);
  if (isOfOther !== undefined) return isOfOther;
  const years = question.tokens.filter(({ word }) => isYear(word)).map(({ word }) => word.slice(0, 4));
  if (years.length === 0) return false;
  const said = `${own}\n${headerTextOf(candidate)}`;
  // a year of its own speaks against one that the passage has elsewhere
  const around =
    !asksForDay && year.test(own) ? [said, ...namesOver(candidate)].join('\n') : wholeText(candidate.passage);
  if (years.some((one) => around.includes(one))) return false;
  const span = spansTime.exec(said)?.groups; // `from May 1996 until April 1998`
  const spans = [...said.matchAll(range)].map(([, from = '', to = '']) => [from, to] as const);
  if (span) spans.push([span.since ?? span.after!, span.until!]);
  if (spans.some(([from, to]) => years.some((one) => from <= one && one <= to))) return false;
  return (!asksForDay && year.test(said)) || isOfOtherEdition(candidate, years);
}

/** Whether the title or the file of a document gives one year, and that is none of these: the policy of 2025 is not that of 2019. */
function isOfOtherEdition({ passage: { hit } }: Candidate, years: readonly string[]): boolean {
  const { title, uri } = hit.chunk;
  const own = new Set(`${title}\n${uri.slice(uri.lastIndexOf('/') + 1)}`.match(/(?<!\d)(?:1\d|20)\d\d(?!\d)/g));
  return own.size === 1 && !years.some((one) => own.has(one));
}

/**
 * What a sentence of another day than the question loses; else 0. One of another year may lead to what is asked for: the
 * film of 1988 to its director.
 */
export function otherDayLoss(question: Question, candidate: Candidate): number {
  return givesDate(question) && isOfOtherDay(question, textOf(candidate)) === true ? loss : 0;
}
