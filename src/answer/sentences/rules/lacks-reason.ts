import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';
import { sectionGain } from './section.ts';

/** What joins a reason to what happened, be it loosely; most sentences that give a reason have one of these. */
const joins =
  /\b(?:so|as|to|for|by|after|from|through|with|without|if|when|while|unless|until|out of|mean\p{L}*|makes?|made|making|lets?|helps?|allow\p{L}*|prevent\p{L}*|would|could|(?<!\p{N}\.? )may(?! \p{N})|might|can|cannot|need\p{L}*|must|want\p{L}*|only|too|thanks|lack|account|view|why|how|not|no|\p{L}+ing)\b|n['’]t\b|[:;—–(]/iu;
const fewestTerms = 2;
const why = /\bwhy\b/iu;

/**
 * Whether a sentence only tells again what the question asks the reason for: it has all words of the question, and nothing
 * that joins a reason to them. `The pump failed on 2 August.`, asked why it failed.
 */
export function lacksReason(question: Question, candidate: Candidate): boolean {
  const { type, terms, text } = question;
  if (type !== 'reason' || !why.test(text) || terms.length < fewestTerms || candidate.unit.kind === 'row') return false;
  const { match, holds } = candidate;
  if (!match.every((held) => held >= sameWord) || holds.reason || joins.test(textOf(candidate))) return false;
  return sectionGain(question, candidate) === 0;
}
