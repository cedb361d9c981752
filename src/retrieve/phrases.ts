import { contentTokens } from '../text/analysis/analysis.ts';
import { hashTerm } from './hash.ts';

/** A title's positions lie before the text's, this far apart, so that no pair spans both. */
const TITLE_GAP = 8;
const SATURATION = 0.6;

const noForms: ReadonlyMap<number, number> = new Map();

const callable = 'function method';
const beforeCallable = 'function method def fn func fun sub void int bool boolean string';
const kinds = 'class enum interface macro module namespace package protocol record struct trait type';
const terms = (words: string): string[] => words.split(' ').flatMap(contentTokens);
/**
 * What stands before a name where it is declared, by the word that a question puts behind it: "the Debug struct" is
 * declared by `struct Debug`, "the parse function" by `def parse`.
 */
const declaring = new Map<string, readonly number[]>([
  ...terms(kinds).map((kind): [string, number[]] => [kind, [hashTerm(kind)]]),
  ...terms(callable).map((kind): [string, number[]] => [kind, terms(beforeCallable).map(hashTerm)]),
]);

/** Whether a pair with this second term is also met where the first one is declared. */
export const isKind = (term: string): boolean => declaring.has(term);

/** Hashes of two neighbouring terms of a query. */
interface TermPair {
  readonly first: number;
  readonly second: number;
  readonly weight: number;
  /** Terms before the first one that are as good as the second one behind it. */
  readonly before: readonly number[];
}

/** Neighbouring, different terms of a query, each pair worth the smaller of the two weights. */
export function termPairs(tokens: readonly string[], weightOf: (token: string) => number): TermPair[] {
  const pairs: TermPair[] = [];
  for (let i = 0; i + 1 < tokens.length; i++) {
    const [first, second] = [tokens[i]!, tokens[i + 1]!];
    if (first === second) continue;
    pairs.push({
      first: hashTerm(first),
      second: hashTerm(second),
      weight: Math.min(weightOf(first), weightOf(second)),
      before: declaring.get(second) ?? [],
    });
  }
  return pairs;
}

/**
 * The weighted share of pairs that stand in order, at most two places apart, in title or text, or are declared there; a
 * pair met often counts more.
 * @param title hashes of terms, in order; likewise `text`
 * @param forms hashes of terms that count as a term of the pairs, each with that one's
 * @returns in [0, 1]
 */
export function pairScore(
  pairs: readonly TermPair[],
  title: Uint32Array,
  text: Uint32Array,
  forms: ReadonlyMap<number, number> = noForms,
): number {
  if (pairs.length === 0) return 0;
  const positions = new Map<number, number[]>();
  for (const { first, second, before } of pairs) for (const term of [first, second, ...before]) positions.set(term, []);
  for (const [form, term] of forms) {
    const own = positions.get(term);
    if (own && !positions.has(form)) positions.set(form, own);
  }
  // most terms are none of the query's, and a look-up costs more than this
  let bits = 0;
  for (const term of positions.keys()) bits |= 1 << (term & 31);
  const note = (terms: Uint32Array, offset: number): void => {
    for (let i = 0; i < terms.length; i++)
      if ((bits >>> (terms[i]! & 31)) & 1) positions.get(terms[i]!)?.push(offset + i);
  };
  note(title, 0);
  note(text, title.length + TITLE_GAP);
  let sum = 0;
  let total = 0;
  for (const { first, second, weight, before } of pairs) {
    total += weight;
    let met = countInOrder(positions.get(first)!, positions.get(second)!);
    for (const term of before) met += countInOrder(positions.get(term)!, positions.get(first)!);
    if (met > 0) sum += (weight * met) / (met + SATURATION);
  }
  return total === 0 ? 0 : sum / total;
}

/** How often a position of `second` follows one of `first` by 1 or 2; both ascending. */
function countInOrder(first: readonly number[], second: readonly number[]): number {
  let met = 0;
  let from = 0;
  for (const at of first) {
    while (from < second.length && second[from]! <= at) from++;
    for (let i = from; i < second.length && second[i]! <= at + 2; i++) met++;
  }
  return met;
}

/** Whether the terms stand side by side, in order, in title or text. */
export function holdsPhrase(phrase: Uint32Array, title: Uint32Array, text: Uint32Array): boolean {
  return isRunOf(phrase, title) || isRunOf(phrase, text);
}

export function isRunOf(phrase: Uint32Array, tokens: Uint32Array): boolean {
  for (let start = 0; start + phrase.length <= tokens.length; start++) {
    let i = 0;
    while (i < phrase.length && tokens[start + i] === phrase[i]) i++;
    if (i === phrase.length) return true;
  }
  return false;
}
