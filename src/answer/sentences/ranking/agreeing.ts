import { negation } from '../../../text/languages/negation.ts';
import { asksYesOrNo } from '../../../text/languages/question-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';
import { valuesOf } from '../structure/values.ts';

/** Share of a question's weight that both sentences hold. */
const leastHeld = 0.5;

/** Whether two sentences answer a question alike, in whatever words: with the same number or date, or both with a no or a yes. */
export function answersAlike(question: Question, first: Candidate, other: Candidate): boolean {
  const { type, text } = question;
  const isFigure = type === 'number' || type === 'date';
  if (!isFigure && !asksYesOrNo.test(text.trim())) return false;
  if ([first, other].some((one) => heldOf(question, one) < leastHeld * question.weight)) return false;
  if (isFigure) return shares(valuesIn(question, first), valuesIn(question, other));
  return negation.test(textOf(first)) === negation.test(textOf(other));
}

const shares = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => [...a].some((one) => b.has(one));

/** The numbers and dates of a sentence that the question has not. */
function valuesIn({ text }: Question, candidate: Candidate): Set<string> {
  const asked = new Set(valuesOf(text).map(({ key }) => key));
  return new Set(valuesOf(textOf(candidate)).flatMap(({ key }) => (asked.has(key) ? [] : [key])));
}

function heldOf({ terms }: Question, { match }: Candidate): number {
  return terms.reduce((sum, { weight }, j) => sum + (match[j]! >= sameWord ? weight : 0), 0);
}
