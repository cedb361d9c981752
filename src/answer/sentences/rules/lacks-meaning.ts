import { asksMeaning, explainsMeaning } from '../../../text/languages/definitions.ts';
import type { Candidate } from '../question/candidate.ts';
import { askedTerm, definitionGain } from '../question/defined.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** Whether it is asked what a word means, and a sentence only uses it. */
export function lacksMeaning(question: Question, candidate: Candidate): boolean {
  const term = asksMeaning.test(question.text) ? askedTerm(question) : undefined;
  if (term === undefined || term.asksUse || candidate.unit.kind === 'row') return false;
  return !explainsMeaning.test(textOf(candidate)) && definitionGain(question, term, candidate) === 0;
}
