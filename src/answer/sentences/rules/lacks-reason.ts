import { negation } from '../../../text/languages/negation.ts';
import { asksWhy, joinsReason } from '../../../text/languages/reasons-joined.ts';
import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';
import { isEcho } from './says-no-more.ts';
import { sectionGain } from './section.ts';

const fewestTerms = 2;
/** Of what is so no more, a sentence that says it is so tells nothing. */
const asksNoLonger = /\bno longer\b/iu;

/**
 * Whether a sentence only tells again what the question asks the reason for: it has all words of the question, or no other
 * word, and nothing that joins a reason to them. `The pump failed on 2 August.`, asked why it failed.
 */
export function lacksReason(question: Question, candidate: Candidate): boolean {
  const { type, terms, text } = question;
  if (type !== 'reason' || !asksWhy.test(text) || terms.length < fewestTerms || candidate.unit.kind === 'row')
    return false;
  const { match, holds } = candidate;
  const own = textOf(candidate);
  if (holds.reason || sectionGain(question, candidate) > 0) return false;
  if (asksNoLonger.test(text) && !negation.test(own))
    return match.every((held, j) => held >= sameWord || terms[j]!.word === 'longer');
  if (isEcho(question, candidate)) return true;
  if (!match.every((held) => held >= sameWord)) return false;
  return !joinsReason.test(own);
}
