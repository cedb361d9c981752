import { stopWords } from '../languages/function-words.ts';

const LINE_FEED = 0x0a;
const hyphens = [0x2d, 0x2010, 0xad];
const lineEnd = /^.\n[ \t>]*$/u;
const letters = /^\p{L}[\p{L}\p{M}]+$/u;
const goesOn = /^\p{Ll}[\p{L}\p{M}]*$/u;

/**
 * A word whose line ends within it, at a hyphen: `docu-` and below it `ment`. A word that has a hyphen of its own breaks
 * there too, so that both parts stay words as well.
 * @param word where the first part begins; `from` where it ends
 * @param start where the second part begins; `end` where it ends
 */
export function brokenWord(text: string, word: number, from: number, start: number, end: number): string | undefined {
  if (start - from < 2 || text.charCodeAt(from + 1) !== LINE_FEED || !hyphens.includes(text.charCodeAt(from)))
    return undefined;
  const [head, tail] = [text.slice(word, from), text.slice(start, end)];
  if (!letters.test(head) || !goesOn.test(tail) || stopWords.has(tail) || !lineEnd.test(text.slice(from, start)))
    return undefined; // `pre-` and below it `and` is no word
  return head + tail;
}
