import { givesOtherDirection } from '../../../text/languages/dimensions.ts';
import { givesOtherDimension } from '../../../text/languages/dimensions-elsewhere.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { headerTextOf, textOf } from '../structure/unit-text.ts';

/** Whether a sentence gives the length of something, where its height is asked for. */
export function isOfOtherDimension({ text, type }: Question, candidate: Candidate): boolean {
  if (type === 'choice' || type === 'reason') return false;
  const said = `${headerTextOf(candidate)} ${textOf(candidate)}`;
  return givesOtherDimension(text, said) || givesOtherDirection(text, said);
}
