import { once } from './once.ts';
import { positionOf, type Question } from './question.ts';

/**
 * Where the question has what somebody wants to do: `turn` in `How do I turn on the lamp?`.
 * @param asking matches what stands before it; a regular expression without flag `g`
 * @returns position among the terms of the question; -1 where there is none
 */
export function actAskedBy(asking: RegExp): (question: Question) => number {
  return once(({ text, tokens, terms }) => {
    const found = asking.exec(text);
    if (found === null) return -1;
    const act = tokens.find(({ start, empty }) => start >= found.index + found[0].length && !empty);
    return positionOf({ terms }, act);
  });
}
