import { asksNow, heldUntil, wasDoneBy } from '../../../text/languages/validity.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const loss = -3;

const isAsked = once(({ text }: Question) => asksNow.test(text));

/** What a sentence loses that says what held until some time, or who did it, where it is asked what holds now. */
export function noLongerLoss(question: Question, candidate: Candidate): number {
  return isNoLonger(question, candidate) ? loss : 0;
}

/** Whether it is asked what holds now, or who does it, and a sentence says what held until some time, or who did it. */
export function isNoLonger(question: Question, candidate: Candidate): boolean {
  if (!isAsked(question) || candidate.unit.kind === 'row') return false;
  const own = textOf(candidate);
  return heldUntil.test(own) || (question.type === 'person' && wasDoneBy.test(own));
}
