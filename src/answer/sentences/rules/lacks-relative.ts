import { type AnalysedWord, analyseWords } from '../../../text/analysis/words.ts';
import { kinWord } from '../../../text/languages/kin.ts';
import { personPronoun } from '../../../text/languages/pronouns.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchOf, positionOf, type Question, relatedWord } from '../question/question.ts';
import { headerTextOf, textOf } from '../structure/unit-text.ts';

const asksOf: ReadonlySet<Question['type']> = new Set(['date', 'number', 'place']);
/** `Born: 2 March 1919` */
const label = /^[\s>*+•–-]*[*_`]{0,3}\p{L}[^:\n!?;.]{0,48}[:：]/u;

/** Positions of the terms that name a relative of somebody, of whom a date, a number or a place is asked. */
const relatives: (question: Question) => readonly number[] = once(({ type, terms }) =>
  asksOf.has(type) ? terms.flatMap(({ word }, j) => (kinWord.test(word) ? [j] : [])) : [],
);

/**
 * Whether a row, a labelled line or a sentence about somebody says nothing of the relative: `Born: 2 March 1919`, asked
 * when her daughter was born.
 */
export function lacksRelative(
  question: Question,
  { passage, unit, match, titleMatch, tokens }: Pick<Candidate, 'passage' | 'unit' | 'match' | 'titleMatch' | 'tokens'>,
): boolean {
  const asked = relatives(question);
  if (asked.length === 0) return false;
  const isLine = unit.kind === 'row' || label.test(textOf({ passage, unit }));
  if (!isLine && !isAboutOwner(question, match, tokens)) return false;
  const header = analyseWords(headerTextOf({ passage, unit }));
  const isOver = (j: number): boolean => header.some((token) => (matchOf(question, token)?.[j] ?? 0) >= relatedWord);
  return asked.some((j) => Math.max(match[j]!, titleMatch[j]!) < relatedWord && !isOver(j));
}

/** `Ann Moor’s daughter`, `the daughter of Ann Moor` */
const hasOwner = /['’]s? |(?<!\p{L})(?:of|von|der|des|de|du|di)(?!\p{L})/u;

/** Whether a sentence is about somebody whose relative is asked about: it has the name, and no pronoun for the relative. */
function isAboutOwner(question: Question, match: ArrayLike<number>, tokens: readonly AnalysedWord[]): boolean {
  if (!hasOwner.test(question.text) || tokens.some(({ word }) => personPronoun.test(word))) return false;
  const names = question.tokens.filter(
    ({ capital, empty, word }, i) => i > 0 && capital && !empty && !kinWord.test(word.toLowerCase()),
  );
  const found = names.filter((name) => match[positionOf(question, name)]! > 0);
  // German nouns have a capital too
  return names.length > 0 && found.length >= (question.language === 'de' ? Math.min(2, names.length) : names.length);
}
