const MAX_ARGUMENT = 5000;

/**
 * The argument of a command of TeX in braces, from `from` on, with what stands in brackets before it left out.
 * @returns its text, '' without one, and where it ends
 */
export function argumentAt(text: string, from: number): { readonly text: string; readonly end: number } {
  const before = /^(?:\s|\[[^\]]*\])*/.exec(text.slice(from, from + 200))?.[0].length ?? 0;
  const start = from + before;
  if (text[start] !== '{') return { text: '', end: from };
  let depth = 0;
  for (let at = start; at < text.length && at < start + MAX_ARGUMENT; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return { text: text.slice(start + 1, at), end: at + 1 };
  }
  return { text: '', end: from };
}
