import { isCommonWord } from '../../../text/languages/common-words.ts';
import {
  asksWhatThereIs,
  asksWhetherHas,
  asksWhetherThereIs,
  saysWhatThereIs,
} from '../../../text/languages/there-is.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, relatedWord, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 4;

const isAsked = once(({ text }: Question) => asksWhatThereIs.test(text));

/**
 * How much a sentence gains since it says what there is, where that is asked and the sentence, its headings and its title
 * have all words of the question: the place is often named above (`Summer fair`), and `There will be music.` has none of
 * the question's words.
 */
export function thereIsGain(question: Question, candidate: Candidate): number {
  if (!isAsked(question)) return 0;
  const { match, titleMatch, headingMatch } = candidate;
  const isOfPlace = question.terms.every((_, j) => Math.max(match[j]!, titleMatch[j]!, headingMatch[j]!) >= sameWord);
  return isOfPlace && saysWhatThereIs.test(textOf(candidate)) ? gain : 0;
}

/** Positions of the terms of what is asked for: whether there is it, or whether something has it. */
const things = once(({ text, tokens, terms }: Question): readonly number[] => {
  const has = asksWhetherHas.exec(text);
  if (has === null && !asksWhetherThereIs.test(text)) return [];
  const from = has?.[0].length ?? 0;
  const named = new Set(tokens.filter(({ start, empty }) => start >= from && !empty).map(({ term }) => term));
  return [...terms.keys()].filter((j) => named.has(terms[j]!.term) && !isCommonWord(terms[j]!.word));
});

/** Whether it is asked if there is a thing, and neither the passage nor what stands over it has a word of that. */
export function lacksThing(question: Question, { passage, titleMatch, headingMatch }: Candidate): boolean {
  return things(question).some((j) => Math.max(passage.match[j]!, titleMatch[j]!, headingMatch[j]!) < relatedWord);
}
