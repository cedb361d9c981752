/** Terms of one request: more cost at least twenty seconds of sound. */
const MOST_TERMS = 100;
const LEAST_USES = 2;
const TERM_CHARS = 49;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.-]*[\p{L}\p{N}]|\p{L}/gu;
const SENTENCE_START = /(?:^|[.!?:…\n]["”’)\]]*\s*|^\s*[-*#>|]+\s*)$/u;

/**
 * Names and terms of documents that a listener could not spell: capitalised words inside sentences that are never
 * written small, and words with capitals or digits inside. Most frequent first; two names that stand together are one
 * term.
 */
export function keytermsOf(texts: Iterable<string>): string[] {
  const capitalised = new Map<string, number>();
  const small = new Set<string>();
  for (const text of texts) {
    let last: { readonly term: string; readonly end: number } | undefined;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (/^\p{Ll}+$/u.test(word)) small.add(word);
      const isOdd = /\p{L}.*\p{N}|\p{N}.*\p{L}|\p{Ll}\p{Lu}/u.test(word);
      const isName = /^\p{Lu}[\p{L}'’-]+$/u.test(word) && !/^\p{Lu}+$/u.test(word);
      const starts = SENTENCE_START.test(text.slice(Math.max(0, index - 12), index));
      if (!isOdd && (!isName || starts)) {
        last = undefined;
        continue;
      }
      const joined = last?.end === index - 1 && text[index - 1] === ' ' ? `${last.term} ${word}` : word;
      capitalised.set(joined, (capitalised.get(joined) ?? 0) + 1);
      last = { term: word, end: index + word.length };
    }
  }
  return [...capitalised]
    .filter(([term, uses]) => uses >= LEAST_USES && term.length <= TERM_CHARS && !small.has(term.toLowerCase()))
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_TERMS)
    .map(([term]) => term);
}
