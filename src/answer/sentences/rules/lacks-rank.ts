import { rank } from '../../../text/languages/offices.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { positionsOf, type Question, relatedWord } from '../question/question.ts';

/** So many words stand before it in `Who is our new deputy head teacher?`; one behind them is of somebody else. */
const mostBefore = 4;

/** Places of the terms that say which holder of an office is asked for: `deputy` of `the deputy head teacher`. */
const ranksAsked = once(({ type, terms, tokens }: Question): readonly number[] => {
  if (type !== 'person') return [];
  const ranks = tokens.slice(0, mostBefore + 1).filter(({ word }) => rank.test(word));
  return positionsOf({ terms }, ranks);
});

/** Whether the deputy is asked for, and a sentence and what stands over it speak of no deputy. */
export function lacksRank(question: Question, { match, titleMatch }: Candidate): boolean {
  return ranksAsked(question).some((j) => Math.max(match[j]!, titleMatch[j]!) < relatedWord);
}
