import { asksCount } from '../../../text/languages/counting.ts';
import { once } from './once.ts';
import { positionsOf, type Question } from './question.ts';

/** `How many supreme court justices are there`: the last word or two of a name say what is counted. */
const mostWords = 2;

/** Positions of the terms that name what a question wants counted: `justices` in `How many justices are there?` */
export const countedTerms: (question: Question) => readonly number[] = once(({ text, tokens, terms }) => {
  const match = asksCount.exec(text);
  if (match === null) return [];
  const behind = tokens.filter(({ start }) => start >= match.index + match[0].length);
  const end = behind.findIndex(({ empty }) => empty);
  const named = end < 0 ? behind.slice(0, mostWords) : behind.slice(Math.max(0, end - mostWords), end);
  return positionsOf({ terms }, named);
});
