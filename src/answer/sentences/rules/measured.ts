import { degreeWord, dimensionAsked } from '../../../text/languages/dimensions.ts';
import { isNumberWord } from '../../../text/languages/question-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 4;

const clauseEnd = /[,;()—–]/;

const hasNumber = (clause: string): boolean =>
  /\p{N}/u.test(clause) || clause.toLowerCase().split(/\s+/).some(isNumberWord);

const nounAsked = once(({ text, type }) => (type === 'number' ? dimensionAsked(text) : undefined));

/**
 * How much a sentence gains since it measures what the question asks with the noun for it: `The length of the hawser is 40
 * fathoms.`, asked how long it is. It has a word of the question, and it, its title or its passage all others.
 */
export function measuredGain(question: Question, candidate: Candidate): number {
  const noun = nounAsked(question);
  const { unit, holds, match, titleMatch, passage } = candidate;
  if (noun === undefined || unit.kind === 'row' || holds.numbers === 0 || holds.numbers === holds.idle) return 0;
  if (
    !textOf(candidate)
      .split(clauseEnd)
      .some((clause) => noun.test(clause) && hasNumber(clause))
  )
    return 0;
  const named = question.terms.flatMap(({ word }, j) => (degreeWord.test(word) ? [] : [j]));
  if (!named.some((j) => match[j]! >= sameWord)) return 0;
  return named.every((j) => Math.max(match[j]!, titleMatch[j]!, passage.match[j]!) >= sameWord) ? gain : 0;
}
