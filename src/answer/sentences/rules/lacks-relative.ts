import { analyseWords } from '../../../text/analysis/words.ts';
import { kinWord } from '../../../text/languages/kin.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchOf, type Question, relatedWord } from '../question/question.ts';
import { headerTextOf, textOf } from '../structure/unit-text.ts';

const asksOf: ReadonlySet<Question['type']> = new Set(['date', 'number', 'place']);
/** `Born: 2 March 1919` */
const label = /^[\s>*+•–-]*[*_`]{0,3}\p{L}[^:\n!?;.]{0,48}[:：]/u;

/** Positions of the terms that name a relative of somebody, of whom a date, a number or a place is asked. */
const relatives: (question: Question) => readonly number[] = once(({ type, terms }) =>
  asksOf.has(type) ? terms.flatMap(({ word }, j) => (kinWord.test(word) ? [j] : [])) : [],
);

/** Whether a row or a labelled line says nothing of the relative: `Born: 2 March 1919`, asked when her daughter was born. */
export function lacksRelative(
  question: Question,
  { passage, unit, match, titleMatch }: Pick<Candidate, 'passage' | 'unit' | 'match' | 'titleMatch'>,
): boolean {
  const asked = relatives(question);
  if (asked.length === 0 || !(unit.kind === 'row' || label.test(textOf({ passage, unit })))) return false;
  const header = analyseWords(headerTextOf({ passage, unit }));
  const isOver = (j: number): boolean => header.some((token) => (matchOf(question, token)?.[j] ?? 0) >= relatedWord);
  return asked.some((j) => Math.max(match[j]!, titleMatch[j]!) < relatedWord && !isOver(j));
}
