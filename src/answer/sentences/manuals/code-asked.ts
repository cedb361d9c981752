import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, relatedWord, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: beside other codes of the same words, which say more. */
const gain = 8;

/** `Which exit code`, `What status code is returned`, and not `What does exit code 5 mean?`. */
const asksCode =
  /^\W*(?:with )?(?:what|which)(?: is the)? (?:(?:exit|error|return|status|http|response)[ -]?){1,2}(?:code|status|value|number)?\b(?! \d)/iu;
/** What only asks, or says that a program ends with it. */
const leans =
  /^(?:exit\p{L}*|error|return\p{L}*|status\p{L}*|code|value|number|http|response|give[ns]?|get|use[ds]?|signal\p{L}*|indicate\p{L}*|mean|means|end|ends|happen\p{L}*|command|program|tool)$/iu;
/** `127    if the command is not found`, `4: The key is wrong.`, `| 4 | The key is wrong |` */
const codeLine = /^[\s|*_`•-]*\d{1,3}[*_`]*(?:\s*[|:–—]\s*|\s+-\s+|\t+|\s{2,}|\s+(?=if\b|when\b|on\b))(?=\S)/u;

/** Positions of the terms of the condition under which the code is returned. */
const conditionOf: (question: Question) => readonly number[] = once(({ text, terms }) =>
  asksCode.test(text) ? terms.flatMap(({ word }, j) => (leans.test(word) ? [] : [j])) : [],
);

/**
 * How much a sentence gains since it is the entry of the code that is asked for by what it means: it begins with a number,
 * and has all words of the condition, but for those of its title, as the name of the program.
 */
export function codeGain(question: Question, candidate: Candidate): number {
  const condition = conditionOf(question);
  if (condition.length === 0 || !codeLine.test(textOf(candidate))) return 0;
  const { match, titleMatch } = candidate;
  const isSaid = condition.some((j) => match[j]! >= sameWord);
  return isSaid && condition.every((j) => Math.max(match[j]!, titleMatch[j]!) >= sameWord) ? gain : 0;
}

/** Whether a code is asked for, and a sentence has none, or nothing of the condition that its title has not. */
export function lacksCodeAsked(question: Question, candidate: Candidate): boolean {
  const condition = conditionOf(question);
  if (condition.length === 0) return false;
  if (!/\p{N}|\p{L}_\p{L}|`/u.test(textOf(candidate))) return true;
  const { match, titleMatch } = candidate;
  const own = condition.filter((j) => titleMatch[j]! < sameWord);
  return own.length > 0 && own.every((j) => match[j]! < relatedWord);
}
