import type { Candidate } from '../question/candidate.ts';
import { matchOf, type Question, sameWord } from '../question/question.ts';

/** Whether a sentence says no more than a question that asks how: `Compute the length of a boat.` above the line that does. */
export function saysNoMore(question: Question, { tokens, unit }: Candidate): boolean {
  if (question.type !== 'steps' || unit.kind === 'row') return false;
  return tokens.every((token) => token.empty || matchOf(question, token)?.some((held) => held >= sameWord));
}
