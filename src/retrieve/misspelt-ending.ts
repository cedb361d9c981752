import { contentTokens } from '../text/analysis/analysis.ts';

/** Letters at the end of a word that a stemmer may take away. */
const ENDING = 6;
/** A shorter stem has many endings by chance: `add` and `address`. */
const SHORTEST_STEM = 5;
/** Letters that may stand in for another one: an alphabet, and some with accents. */
const MOST_LETTERS = 40;
/** Terms whose letters are looked at. */
const MOST_TERMS = 1000;

/**
 * Terms of a dictionary that a word has once a slip in its ending is undone. A slip there keeps the stemmer from taking
 * the ending away, so that the stem is far from the right one: `calibraton` is none of `calibr`. A word that has an
 * ending is spelt as it is meant.
 * @param word as typed
 * @param dictionary terms with the first letter of the word
 */
export function misspeltEndings(word: string, dictionary: ReadonlyMap<string, number>): readonly string[] {
  const typed = word.toLowerCase();
  if (contentTokens(typed)[0] !== typed) return [];
  const letters = [...typed];
  const alphabet = lettersOf(dictionary);
  const found = new Set<string>();
  const from = Math.max(1, letters.length - ENDING);
  for (let at = from; at <= letters.length; at++) {
    const [before, after] = [letters.slice(0, at), letters.slice(at)];
    const one = after[0] ?? '';
    const changed = [
      ...(one === '' ? [] : [after.slice(1)]),
      ...(after.length < 2 ? [] : [[after[1]!, one, ...after.slice(2)]]),
      ...alphabet.flatMap((letter) => [[letter, ...after], ...(one === '' ? [] : [[letter, ...after.slice(1)]])]),
    ];
    for (const rest of changed) {
      const [term, ...more] = contentTokens([...before, ...rest].join(''));
      if (term === undefined || more.length > 0 || term.length < SHORTEST_STEM) continue;
      if (dictionary.has(term)) found.add(term);
    }
  }
  return [...found];
}

function lettersOf(dictionary: ReadonlyMap<string, number>): readonly string[] {
  const letters = new Set<string>();
  const seen = new Set<string>();
  let terms = 0;
  for (const term of dictionary.keys()) {
    for (const letter of term) {
      if (seen.has(letter)) continue;
      seen.add(letter);
      if (/\p{L}/u.test(letter)) letters.add(letter);
    }
    if (++terms >= MOST_TERMS || letters.size >= MOST_LETTERS) break;
  }
  return [...letters].slice(0, MOST_LETTERS);
}
