import { asksForRelease } from '../manuals/release.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { versionHeading } from '../structure/version-note.ts';

/** On the scale of the trees: whatever words it has, any sentence of the subject's own folder is nearer. */
const loss = -8;

/**
 * Whether a sentence is of something else than a folder is about which the question names: its passage lies elsewhere and
 * does not name it, or it tells of a version of what only uses it.
 */
export function isOfOtherSubject(question: Question, { passage: { ofSubject }, headings }: Candidate): boolean {
  if (ofSubject === 'other') return true;
  return ofSubject === 'named' && versionHeading(headings) !== undefined && asksForRelease(question.text);
}

/** What such a sentence loses. */
export function otherSubjectLoss(question: Question, candidate: Candidate): number {
  return isOfOtherSubject(question, candidate) ? loss : 0;
}
