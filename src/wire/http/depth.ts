/** No answer of a service comes near; whoever walks through one by recursion is safe below. */
export const MAX_LEVELS = 1_000;

const QUOTE = 34;
const BACKSLASH = 92;

/** Whether JSON is nested deeper than `MAX_LEVELS`. What is no JSON may be told either way. */
export function isTooDeep(text: string): boolean {
  if (text.length <= MAX_LEVELS) return false;
  let level = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
      if (at === -1) return false;
    } else if (code === 0x5b || code === 0x7b) {
      level += 1;
      if (level > MAX_LEVELS) return true;
    } else if (code === 0x5d || code === 0x7d) level -= 1;
  }
  return false;
}

/**
 * Where `next`, which begins with the quote that ends a string, follows the characters of the string; -1 when it does
 * not. Found by its whole length rather than quote by quote; that there is no other quote before it is left to whoever
 * reads the string.
 */
export function endOfString(text: string, start: number, next = '"'): number {
  for (let end = text.indexOf(next, start); end !== -1; end = text.indexOf(next, end + 1)) {
    let from = end;
    while (from > start && text.charCodeAt(from - 1) === BACKSLASH) from -= 1;
    if ((end - from) % 2 === 0) return end;
  }
  return -1;
}
