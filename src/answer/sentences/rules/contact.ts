import { isCommonWord } from '../../../text/languages/common-words.ts';
import { contactWord } from '../../../text/languages/contacts.ts';
import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { holdsContact, lacksContact } from '../question/wanted.ts';

/** On the scale of the trees: a number to call is no word of the question. */
const gain = 2;
const loss = -3;

/** Whether a sentence has the contact that is asked for, and it, its title and its passage all words that say of what. */
export function settlesContact(question: Question, candidate: Candidate): boolean {
  if (contactGain(question, candidate) <= 0) return false;
  const { match, titleMatch, passage } = candidate;
  return question.terms.every(
    ({ word }, j) =>
      isCommonWord(word) ||
      contactWord.test(word) ||
      Math.max(match[j]!, titleMatch[j]!, passage.match[j]!) >= sameWord,
  );
}

/**
 * How much a sentence gains since it has the telephone number or the address that is asked for, and says of what, or loses
 * since it has none.
 */
export function contactGain(question: Question, candidate: Candidate): number {
  if (!holdsContact(question, candidate)) return lacksContact(question, candidate) ? loss : 0;
  const { match } = candidate;
  return question.terms.some(({ word }, j) => match[j]! >= sameWord && !isCommonWord(word)) ? gain : 0;
}
