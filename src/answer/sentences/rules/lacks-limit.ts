import { asksLimit, setsLimit } from '../../../text/languages/limits.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { headerTextOf, namesOver, textOf } from '../structure/unit-text.ts';

/** Whether a maximum or a minimum is asked for, and nothing in a sentence or over it sets a limit. */
export function lacksLimit(question: Question, candidate: Candidate): boolean {
  if (!asksLimit.test(question.text)) return false;
  return ![textOf(candidate), headerTextOf(candidate), ...namesOver(candidate)].some((text) => setsLimit.test(text));
}
