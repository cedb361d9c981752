import { listsThings } from '../../../text/languages/listings.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { positionOf, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 4;
const fewestOthers = 2;

/** The position of the term that says of what kind things are asked for: `documents` in `Which documents are accepted?` */
const kindOf: (question: Question) => number = once(({ type, tokens, terms }) => {
  const first = type === 'list' ? tokens.find(({ empty }) => !empty) : undefined;
  return positionOf({ terms }, first);
});

/**
 * How much a sentence gains since it names things one by one and has all words of the question; it may call their kind by
 * another word: `Accepted forms of proof are: a card, a letter, a bill.`
 */
export function listsKindGain(question: Question, candidate: Candidate): number {
  const kind = kindOf(question);
  if (kind < 0 || candidate.unit.kind === 'row' || question.terms.length <= fewestOthers) return 0;
  if (!question.terms.every((_, j) => j === kind || candidate.match[j]! >= sameWord)) return 0;
  return listsThings.test(textOf(candidate)) ? gain : 0;
}
