import { asksPriceOf } from '../../../text/languages/prices.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, relatedWord } from '../question/question.ts';

/** On the scale of the trees. */
const loss = -3;

/** Indices of the terms of a thing whose price is asked for. */
const priced = once((question: Question): readonly number[] => {
  const found = asksPriceOf.exec(question.text);
  const thing = Object.values(found?.groups ?? {}).find((one) => one !== undefined);
  if (found === null || thing === undefined) return [];
  const start = found.index + found[0].indexOf(thing);
  const words = question.tokens.filter((token) => token.start >= start && token.end <= start + thing.length);
  const terms = new Set(words.map(({ term }) => term));
  return [...question.terms.keys()].filter((j) => terms.has(question.terms[j]!.term));
});

/** What a sentence loses that may not be of the thing whose price is asked for. */
export function otherPriceLoss(question: Question, candidate: Candidate): number {
  return isOtherPrice(question, candidate) ? loss : 0;
}

/** Whether the price of a thing is asked for that neither the passage nor what stands over it has a word of. */
export function isOtherPrice(question: Question, { passage, titleMatch }: Candidate): boolean {
  const terms = priced(question);
  return terms.length > 0 && terms.every((j) => Math.max(passage.match[j]!, titleMatch[j]!) < relatedWord);
}
