import { asksFuture } from '../../../text/languages/futures.ts';
import { saysMayBecome } from '../../../text/languages/validity.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: it often has all words of the question. */
const loss = -3;

const asksOfChange = once(({ text }: Question) => asksFuture.test(text) || saysMayBecome.test(text));

/** Whether a sentence says what may become otherwise, where it is asked what is so. */
export function mayBecome(question: Question, candidate: Candidate): boolean {
  return candidate.unit.kind === 'sentence' && !asksOfChange(question) && saysMayBecome.test(textOf(candidate));
}

/** What a sentence loses by that. */
export function mayBecomeLoss(question: Question, candidate: Candidate): number {
  return mayBecome(question, candidate) ? loss : 0;
}
