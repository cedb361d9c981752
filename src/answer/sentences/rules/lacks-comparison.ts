import { asksWhichIsMore, saysMore } from '../../../text/languages/comparisons.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

const asks = once(({ text }: Question): boolean => asksWhichIsMore.test(text));

/** Whether it is asked which of several is louder, and a sentence compares nothing: `Air makes it loud.` */
export function lacksComparison(question: Question, candidate: Candidate): boolean {
  return asks(question) && !saysMore.test(textOf(candidate));
}
