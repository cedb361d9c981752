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

/** Where the quote is that ends a string; -1 when there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let from = end;
    while (from > start && text.charCodeAt(from - 1) === BACKSLASH) from -= 1;
    if ((end - from) % 2 === 0) return end;
  }
  return -1;
}
