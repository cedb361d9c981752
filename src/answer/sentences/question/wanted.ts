import { contacts } from '../../../text/languages/contacts.ts';
import { asksDegree } from '../../../text/languages/counting.ts';
import { asksHowOften } from '../../../text/languages/how-often.ts';
import { unitAskedIn } from '../../../text/languages/measures.ts';
import { asksWhen, asksWhenToAct, asksWhenWas, endsWithWhen } from '../../../text/languages/times.ts';
import { type Placed, textOf } from '../structure/unit-text.ts';
import type { Holdings } from './holdings.ts';
import { once } from './once.ts';
import type { Question } from './question.ts';

/** The kind of unit that a question asks for, if its words say so. */
export const unitAsked: (question: Question) => string | undefined = once(({ text }) => unitAskedIn(text));

/** Asks for a condition, not for a date. */
const condition =
  /\bwhen (?:(?:should|do|does|can|could|would|must|to|is it|using|i|you)\b|(?:is|are) .*\b(?:required|needed|necessary|allowed|permitted)\b)/i;

/** A number or a date is asked for, and a sentence has none of its own: it may well be no answer. */
export function lacksFigure(question: Question, held: Holdings): boolean {
  const { type, text } = question;
  if ((type === 'date' || asksHowOften.test(text)) && held.recurs) return false;
  if (type === 'date' && (held.relative || (held.named && asksWhenWas.test(text)))) return false;
  if (type === 'number' && held.years > 0 && unitAsked(question) === 'time' && held.lasting) return false;
  const asksCondition =
    condition.test(text) ||
    (held.conditional && [asksWhen, asksWhenToAct, endsWithWhen].some((asks) => asks.test(text)));
  const wantsFigure = type === 'number' || (type === 'date' && !asksCondition);
  if (type === 'date' && held.numbers > 0 && unitAsked(question) === 'time') return false; // an age
  return wantsFigure && (holdsWanted(question, held) <= 0.3 || countsNone(question, held));
}

/** A telephone number or an address of mail is asked for, and a sentence has none. */
export function lacksContact({ text }: Question, placed: Placed): boolean {
  const own = textOf(placed);
  return contacts.some(([asks, holds]) => asks.test(text) && !holds.test(own));
}

/** A telephone number or an address of mail is asked for, and a sentence has one. */
export function holdsContact({ text }: Question, placed: Placed): boolean {
  const own = textOf(placed);
  return contacts.some(([asks, holds]) => asks.test(text) && holds.test(own));
}

/** Has numbers where one is asked for, and none of them counts anything. */
export function countsNone({ type }: Question, { numbers, idle }: Holdings): boolean {
  return type === 'number' && numbers > 0 && numbers === idle;
}

/** A word that asks how much of something there is: no answer repeats it. */
export function isDegree(word: string): boolean {
  return asksDegree.test(word);
}

/** How far a sentence holds what the question asks for, in [0, 1]; 0.5 where the question does not say. */
export function holdsWanted({ type }: Pick<Question, 'type'>, held: Holdings): number {
  const { numbers, years, dates, names, runs } = held;
  switch (type) {
    case 'number':
      return numbers > 0 ? 1 : years > 0 || dates > 0 ? 0.3 : 0;
    case 'date':
      return years > 0 || (dates > 0 && numbers > 0) ? 1 : dates > 0 ? 0.7 : numbers > 0 ? 0.2 : 0;
    case 'person':
      return runs > 0 ? 1 : names >= 1 ? 0.7 : names > 0 ? 0.3 : 0;
    case 'place':
      return held.place ? 1 : names > 0 ? 0.5 : 0;
    case 'reason':
      return held.reason ? 1 : 0.2;
    case 'steps':
      return held.steps || held.code ? 1 : 0.2;
    case 'definition':
      return held.definition ? 1 : 0.2;
    case 'list':
      return Math.min(1, held.items / 3);
    case 'code':
      return held.code ? 1 : 0;
    default:
      return 0.5;
  }
}
