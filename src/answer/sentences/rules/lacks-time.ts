import { asksWhenRuled, asksWhenToAct, conditionWord } from '../../../text/languages/times.ts';
import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const loss = -4;

/** What a sentence loses without any time or condition, where it is asked when something can or should be done. */
export function noTimeLoss(question: Question, candidate: Candidate): number {
  return lacksTime(question, candidate) ? loss : 0;
}

/** Whether it is asked when something can or should be done, and a sentence has neither a figure, a day, nor a condition. */
export function lacksTime({ type, text }: Question, candidate: Candidate): boolean {
  const { unit, holds } = candidate;
  if (type !== 'date' || unit.kind === 'row' || !asksWhenToAct.test(text)) return false;
  if (holds.years > 0 || holds.dates > 0 || holds.recurs || holds.relative) return false;
  const own = textOf(candidate);
  return !/\p{Nd}/u.test(own) && !conditionWord.test(own);
}

/** Whether it is asked when something may or must be done, and a sentence about all that says under which condition. */
export function saysCondition({ type, text, terms }: Question, { holds, match, titleMatch, unit }: Candidate): boolean {
  if (type !== 'date' || unit.kind === 'row' || !asksWhenRuled.test(text) || !holds.conditional) return false;
  return terms.every((_, j) => Math.max(match[j]!, titleMatch[j]!) >= sameWord);
}
