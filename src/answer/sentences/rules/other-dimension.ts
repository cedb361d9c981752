import { givesOtherDimension } from '../../../text/languages/dimensions-elsewhere.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { headerTextOf, textOf } from '../structure/unit-text.ts';

/** Whether a sentence gives the length of something, where another language than English asks for its height. */
export function isOfOtherDimension({ text, type }: Question, candidate: Candidate): boolean {
  return (
    type !== 'choice' &&
    type !== 'reason' &&
    givesOtherDimension(text, `${headerTextOf(candidate)} ${textOf(candidate)}`)
  );
}
