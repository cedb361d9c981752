import { asksWhy, joinsReason } from '../../../text/languages/reasons-joined.ts';
import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';
import { sectionGain } from './section.ts';

const fewestTerms = 2;

/**
 * Whether a sentence only tells again what the question asks the reason for: it has all words of the question, and nothing
 * that joins a reason to them. `The pump failed on 2 August.`, asked why it failed.
 */
export function lacksReason(question: Question, candidate: Candidate): boolean {
  const { type, terms, text } = question;
  if (type !== 'reason' || !asksWhy.test(text) || terms.length < fewestTerms || candidate.unit.kind === 'row')
    return false;
  const { match, holds } = candidate;
  if (!match.every((held) => held >= sameWord) || holds.reason || joinsReason.test(textOf(candidate))) return false;
  return sectionGain(question, candidate) === 0;
}
