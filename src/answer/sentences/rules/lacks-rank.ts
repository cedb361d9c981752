import { rank } from '../../../text/languages/offices.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, relatedWord } from '../question/question.ts';

/** Places of the terms that say which holder of an office is asked for: `deputy` of `the deputy head teacher`. */
const ranksAsked = once(({ type, terms }: Question): readonly number[] =>
  type === 'person' ? terms.flatMap(({ word }, j) => (rank.test(word) ? [j] : [])) : [],
);

/** Whether the deputy is asked for, and a sentence and what stands over it speak of no deputy. */
export function lacksRank(question: Question, { match, titleMatch }: Candidate): boolean {
  return ranksAsked(question).some((j) => Math.max(match[j]!, titleMatch[j]!) < relatedWord);
}
