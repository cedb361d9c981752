import { asksIndirectly } from '../../../text/languages/indirect-questions.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: it has all the words of the question. */
const loss = -4;

/** Whether a sentence only asks what the question asks, or says that nobody knows it: `Nobody knew who owns the crane.` */
export function isIndirect({ text }: Question, candidate: Candidate): boolean {
  if (candidate.unit.kind === 'row') return false;
  const asked = asksIndirectly.exec(textOf(candidate))?.[1]?.toLowerCase();
  return asked !== undefined && text.toLowerCase().trimStart().startsWith(asked);
}

/** What such a sentence loses. */
export function indirectLoss(question: Question, candidate: Candidate): number {
  return isIndirect(question, candidate) ? loss : 0;
}
