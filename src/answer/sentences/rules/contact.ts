import { isCommonWord } from '../../../text/languages/common-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { holdsContact } from '../question/wanted.ts';

/** On the scale of the trees: a number to call is no word of the question. */
const gain = 2;

/** How much a sentence gains since it has the telephone number or the address that is asked for, and says of what. */
export function contactGain(question: Question, candidate: Candidate): number {
  if (!holdsContact(question, candidate)) return 0;
  const { match } = candidate;
  return question.terms.some(({ word }, j) => match[j]! >= sameWord && !isCommonWord(word)) ? gain : 0;
}
