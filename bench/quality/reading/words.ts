/** Words of two readings of one file, compared as counts: what one has and the other has not. */

export type Counts = Map<string, number>;

const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+/gu;

/** In lower case, without ligatures, soft hyphens and marks of direction. Scripts without blanks give characters. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
    .toLowerCase();
  return plain.match(WORD) ?? [];
}

export function countsOf(words: readonly string[]): Counts {
  const counts: Counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

export function sum(counts: Counts): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

export interface Comparison {
  /** Words of the independent extraction. */
  readonly words: number;
  /** In every independent extraction and not in ours, without what is meant. */
  readonly missing: Counts;
  /** Missing for a stated reason: reason → number of words. */
  readonly meant: ReadonlyMap<string, number>;
  /** In our text and in none of the others. */
  readonly invented: Counts;
}

/**
 * @param ours words in order
 * @param others independent extractions of the same file, in order: a word is missing when all of them have it more
 * often, and invented when none has it as often
 * @param leftOut reason → words that are left out on purpose
 */
export function compareWords(
  ours: readonly string[],
  others: readonly (readonly string[])[],
  leftOut: Iterable<readonly [reason: string, words: readonly string[]]> = [],
): Comparison {
  const own = countsOf(ours);
  const theirs = others.map(countsOf);
  const least = (word: string): number => Math.min(...theirs.map((counts) => counts.get(word) ?? 0));
  const most = (word: string): number => Math.max(...theirs.map((counts) => counts.get(word) ?? 0));
  const missing: Counts = new Map();
  for (const word of theirs[0]?.keys() ?? []) add(missing, word, least(word) - (own.get(word) ?? 0));
  const invented: Counts = new Map();
  for (const [word, count] of own) add(invented, word, count - most(word));
  for (const other of others) joinParts(other, missing, invented);
  joinParts(ours, invented, missing);
  const meant = new Map<string, number>();
  for (const [reason, words] of leftOut) {
    for (const word of words) {
      if (!missing.has(word)) continue;
      add(missing, word, -1);
      meant.set(reason, (meant.get(reason) ?? 0) + 1);
    }
  }
  return { words: Math.min(...others.map((words) => words.length)), missing, meant, invented };
}

/** Adds to a count; what falls to zero is gone. */
function add(counts: Counts, word: string, by: number): void {
  const count = (counts.get(word) ?? 0) + by;
  if (count > 0) counts.set(word, count);
  else counts.delete(word);
}

/** A word that one side has whole and the other in up to four parts (`compo-nents`) is neither missing nor invented. */
function joinParts(words: readonly string[], parts: Counts, wholes: Counts): void {
  for (let i = 0; i < words.length; i++) {
    let whole = '';
    for (let n = 0; n < 4 && i + n < words.length && parts.has(words[i + n]!); n++) {
      whole += words[i + n];
      if (n === 0 || !wholes.has(whole)) continue;
      add(wholes, whole, -1);
      for (const part of words.slice(i, i + n + 1)) add(parts, part, -1);
      break;
    }
  }
}
