import { foldWord } from './fold.ts';

const operators = new Set('=== !== == != <= >= <=> => -> <- && || := += -= |>'.split(' '));
const inOperators = new Uint8Array(128);
for (const operator of operators) for (const sign of operator) inOperators[sign.charCodeAt(0)] = 1;
const PLUS = 0x2b;
const HASH = 0x23;
const BLANK = 0x20;
/** Names with signs behind them are short: C++, F#. */
const LONGEST_NAME = 16;

/**
 * Passes the terms of what stands between two words, or at an end of the text, to `take`: operators of code that stand
 * alone (`===`, not a line of them), and the word before with the signs that belong to its name (`c++`, `c#`).
 * @param word where the word before begins; `from` where it ends, `to` where the next word begins
 */
export function eachSign(text: string, word: number, from: number, to: number, take: (term: string) => void): void {
  if (to - from < 2 && to < text.length) return; // most words have one blank between them
  const name = from - word;
  if (name > 0 && name <= LONGEST_NAME) {
    const signs = signsOfName(text, from, to);
    if (signs > 0) take(foldWord(text.slice(word, from)) + text.slice(from, from + signs));
  }
  for (let at = from; at + 1 < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit <= BLANK || unit >= inOperators.length || inOperators[unit] === 0) continue;
    const start = at++;
    while (at < to && inOperators[text.charCodeAt(at)] === 1) at++;
    if (at - start > 3) continue;
    const run = text.slice(start, at);
    if (operators.has(run)) take(run);
  }
}

/** How many signs right behind a word are part of its name. */
function signsOfName(text: string, from: number, to: number): number {
  const first = text.charCodeAt(from);
  if (first === PLUS) return text.charCodeAt(from + 1) === PLUS && text.charCodeAt(from + 2) !== PLUS ? 2 : 0;
  const isApart = from + 1 < to || to === text.length; // page#part is an address
  return first === HASH && isApart && text.charCodeAt(from + 1) !== HASH ? 1 : 0;
}
