import { asksHowDied, asksOwnBirth, saysBirth, saysHowDied } from '../../../text/languages/lives.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { headerTextOf, namesOver, textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const loss = -3;

/**
 * Whether a sentence says nothing of the birth that is asked for, or not how somebody died: `Ann Moor died in 1938.`,
 * asked how she died.
 */
export function lacksLife({ text }: Question, candidate: Candidate): boolean {
  const own = textOf(candidate);
  if (asksHowDied.test(text)) return !saysHowDied.test(own);
  if (!asksOwnBirth.test(text)) return false;
  return ![own, headerTextOf(candidate), ...namesOver(candidate)].some((said) => saysBirth.test(said));
}

/** What a sentence loses by that. */
export function lifeUnsaidLoss(question: Question, candidate: Candidate): number {
  return lacksLife(question, candidate) ? loss : 0;
}
