import { yieldToEventLoop } from '../core/event-loop.ts';
import type { CallOptions } from '../core/types.ts';
import type { TermPostings } from '../lexical/contract.ts';
import type { LexicalReader } from '../lexical/reader.ts';
import { contentTokens } from '../text/analysis/analysis.ts';
import type { AnalysedQuery } from '../text/analysis/query.ts';
import { scanWords } from '../text/analysis/scan.ts';
import { slipsFrom } from './edit-distance.ts';
import { type QueryTerm, queryTerm } from './lexical-scores.ts';
import { misspeltEndings } from './misspelt-ending.ts';
import { type NamedWords, unitedPostings } from './united-postings.ts';

/** Longer queries keep their rarest terms, and of those that nothing holds as many as there is room for. */
const MAX_TERMS = 30;
/** Blocks of the dictionary that are read for one word; some 4 MiB. */
const MOST_BLOCKS = 256;
/** A beginning stands for its most frequent words only. */
const MOST_BEGINNING = 100;
/** Shorter words have other words at distance one by chance: goat, boat, goal. */
const SHORTEST = 5;
/** A word without its marks (`pere` for `père`) is another one by chance only where it is shorter. */
const SHORTEST_UNMARKED = 3;
/** Letters that also stand at the beginning of a word with a mark, which people leave out. */
const MARKED: Readonly<Record<string, string>> = {
  ...{ a: 'àáâãäå', c: 'çćč', e: 'èéêë', i: 'ìíîï', l: 'ł', n: 'ñń', o: 'òóôõöøő' },
  ...{ s: 'śšş', u: 'ùúûüű', y: 'ýÿ', z: 'źżž' },
};
/** From this length on two slips are allowed, where no term is one slip away. */
const LONG = 9;
/** Weight of a term that is 0, 1 or 2 typing errors away from the typed word. */
const WORTH = [1, 0.4, 0.2];
/** Weight of a name of code, relative to the other words of the query. */
const NAMED = 2;
/** The idf that a function word counts with at most: rare in an index of another language, it says no more there. */
const MOST_OF_LIGHT = 2.5;

/** Forms of one word that together stand in more rows than this stay apart, unless these are a small share of all. */
const MOST_FORMS = 8192;
const COMMON_SHARE = 0.1;

/** A word of the query that the index does not hold, and the term that was searched in its place. */
export interface Correction {
  /** As typed. */
  readonly word: string;
  readonly term: string;
}

/** A term that was looked up. */
export interface FoundTerm {
  readonly term: string;
  /** Live rows that hold it. */
  readonly rows: number;
  readonly idf: number;
  /** Further terms whose rows these are too: other forms of its word. */
  readonly forms?: readonly string[] | undefined;
}

/** Where the terms of a query are looked up: in one inverted index, or in those of several shards. */
export interface Vocabulary<T extends FoundTerm> {
  /** As `LexicalReader.isRestricted`. */
  readonly isRestricted: boolean;
  /** In the order of `terms`, with none left out. */
  find(terms: readonly string[], options: CallOptions): Promise<readonly T[]>;
  /** Of each, all rows that hold one of its words, as one term of that name. */
  findAny(all: readonly NamedWords[], options: CallOptions): Promise<readonly T[]>;
  /** As `LexicalReader.termsFrom`. */
  termsFrom(start: string, mostBlocks: number, options: CallOptions): Promise<ReadonlyMap<string, number> | undefined>;
}

/** The vocabulary of one inverted index; terms come with their postings. */
export function vocabularyOf(reader: LexicalReader): Vocabulary<FoundTerm & Omit<QueryTerm, 'count'>> {
  const found = (postings: TermPostings) => {
    const { count: _, ...term } = queryTerm(reader, postings, 1);
    return { ...term, term: postings.term };
  };
  return {
    isRestricted: reader.isRestricted,
    find: async (terms, options) => (await reader.terms(terms, options)).map(found),
    findAny: async (all, options) => (await unitedPostings(reader, all, options)).map(found),
    termsFrom: (start, mostBlocks, options) => reader.termsFrom(start, mostBlocks, options),
  };
}

/** The terms of the query that are looked up. */
interface SearchedTerms<T extends FoundTerm> {
  /** With their occurrences in the query. */
  readonly terms: (T & { readonly count: number })[];
  readonly corrections: readonly Correction[];
}

/**
 * The postings of the query's terms. A beginning (`alph*`) is one term with the postings of all words that begin so, and
 * forms of one word are one term with the postings of all.
 * For a word that no live row holds, in any of its forms, the nearest term of the index stands in, at a lower weight.
 */
export async function searchedTerms<T extends FoundTerm>(
  vocabulary: Vocabulary<T>,
  query: AnalysedQuery,
  signal: AbortSignal | undefined,
): Promise<SearchedTerms<T>> {
  const counts = new Map<string, number>();
  for (const token of query.tokens) counts.set(token, (counts.get(token) ?? 0) + (query.named.has(token) ? NAMED : 1));
  const found = await withForms(vocabulary, query.forms, counts, { signal });
  const corrections = await correct(vocabulary, query, found, { signal });
  const terms = found
    .filter(({ term }) => !corrections.has(term))
    .map((one) => {
      const count = counts.get(one.term)!;
      return { ...one, count: query.light.has(one.term) ? count * Math.min(1, MOST_OF_LIGHT / one.idf) : count };
    });
  for (const [token, { found: one, worth }] of corrections) terms.push({ ...one, count: counts.get(token)! * worth });
  for (const prefix of query.prefixes.slice(0, MAX_TERMS))
    terms.push({ ...(await beginning(vocabulary, prefix, { signal })), count: 1 });
  return {
    terms: terms.length <= MAX_TERMS ? terms : terms.sort(byWorth).slice(0, MAX_TERMS),
    corrections: [...corrections.values()].map(({ word, found: { term } }) => ({ word, term })),
  };
}

/**
 * The terms of the query, with their other forms where the index holds any.
 * @param counts of terms in the query; a term that stands with another for one word is added to that
 */
async function withForms<T extends FoundTerm>(
  vocabulary: Vocabulary<T>,
  forms: AnalysedQuery['forms'],
  counts: Map<string, number>,
  options: CallOptions,
): Promise<readonly T[]> {
  const asked = forms.filter(({ term }) => counts.has(term));
  const looked = new Set([...counts.keys(), ...asked.flatMap(({ others }) => others)]);
  const found = new Map((await vocabulary.find([...looked], options)).map((one) => [one.term, one]));
  const joined = asked.flatMap(({ term, others, light }) => {
    const [own, ...more] = [term, ...others].map((one) => found.get(one)!);
    const held = more.filter((one) => one.rows > 0 || counts.has(one.term));
    if (held.length === 0 || (light && own!.rows > 0) || isCommon([own!, ...more])) return [];
    return [{ name: term, words: [term, ...held.map((one) => one.term)] }];
  });
  const united = joined.length === 0 ? [] : await vocabulary.findAny(joined, options);
  joined.forEach(({ name, words: [, ...others] }, i) => {
    found.set(name, { ...united[i]!, forms: others });
    for (const other of others) {
      counts.set(name, counts.get(name)! + (counts.get(other) ?? 0));
      counts.delete(other);
    }
  });
  return [...counts.keys()].map((term) => found.get(term)!);
}

/** Reading their rows together would take long, and they say little. */
function isCommon(forms: readonly FoundTerm[]): boolean {
  const rows = forms.reduce((sum, one) => sum + one.rows, 0);
  // what is in a share of all rows has about the negative logarithm of that as its idf
  const share = forms.reduce((sum, { idf }) => sum + Math.exp(-idf), 0);
  return rows > MOST_FORMS && share > COMMON_SHARE;
}

/** Terms with rows come first: by its count a term without rows would be the rarest of all. */
function byWorth(a: FoundTerm, b: FoundTerm): number {
  return Number(b.rows > 0) - Number(a.rows > 0) || b.idf - a.idf;
}

interface Corrected<T> {
  readonly word: string;
  readonly found: T;
  readonly worth: number;
}

/** By the token that has no postings. */
async function correct<T extends FoundTerm>(
  vocabulary: Vocabulary<T>,
  { text, tokens }: AnalysedQuery,
  found: readonly T[],
  options: CallOptions,
): Promise<Map<string, Corrected<T>>> {
  const corrections = new Map<string, Corrected<T>>();
  const unknown = new Set(found.flatMap(({ term, rows }) => (rows === 0 ? [term] : [])));
  if (unknown.size === 0) return corrections;
  const taken = new Set(tokens);
  // going through the dictionary takes time for each
  for (const [word, token] of [...unknownWords(text, unknown)].slice(0, MAX_TERMS)) {
    await yieldToEventLoop();
    options.signal?.throwIfAborted();
    const near = await nearestTerm(vocabulary, { word, token }, taken, options);
    if (near) corrections.set(token, { word, ...near });
  }
  return corrections;
}

/** Words of letters none of whose terms is known, with their first term. Parts of other scripts have no such words. */
function unknownWords(text: string, unknown: ReadonlySet<string>): Map<string, string> {
  const words = new Map<string, string>();
  scanWords(text, (start, end, unspaced) => {
    const word = text.slice(start, end);
    if (unspaced || word.length < SHORTEST_UNMARKED || !/^[\p{L}\p{M}]+$/u.test(word)) return;
    const terms = contentTokens(word);
    if (terms.length > 0 && terms.every((term) => unknown.has(term))) words.set(word, terms[0]!);
  });
  return words;
}

/**
 * The term of the index that is the fewest slips away, among these the most frequent. People seldom miss the first
 * letter, so that only terms with the same are looked at; of a large index only those with the same two. A slip in the
 * ending of a word counts once, however much it changes the stem. A term that only has marks more is no slip away.
 */
async function nearestTerm<T extends FoundTerm>(
  vocabulary: Vocabulary<T>,
  { word, token }: { readonly word: string; readonly token: string },
  taken: ReadonlySet<string>,
  options: CallOptions,
): Promise<{ found: T; worth: number } | undefined> {
  const letters = [...token];
  const dictionary =
    (await vocabulary.termsFrom(letters[0]!, MOST_BLOCKS, options)) ??
    (await vocabulary.termsFrom(letters.slice(0, 2).join(''), MOST_BLOCKS, options)) ??
    new Map<string, number>();
  const marked = await unmarked(vocabulary, [token, word.toLowerCase()], dictionary, options);
  const near = marked.filter(({ term }) => !taken.has(term));
  const most = word.length < SHORTEST ? 0 : letters.length < LONG ? 1 : 2;
  const slipsTo = slipsFrom(token, most);
  for (const [term, count] of dictionary) {
    const slips = slipsTo(term);
    if (slips !== undefined && !taken.has(term) && /^[\p{L}\p{M}]+$/u.test(term)) near.push({ term, count, slips });
  }
  if (most > 0 && !near.some(({ slips }) => slips < 2))
    for (const term of misspeltEndings(word, dictionary))
      if (!taken.has(term)) near.push({ term, count: dictionary.get(term)!, slips: 1 });
  if (vocabulary.isRestricted) await countLive(vocabulary, near, options);
  near.sort((a, b) => a.slips - b.slips || b.count - a.count || (a.term < b.term ? -1 : 1));
  for (const { term, slips } of near.filter(({ count }) => count > 0).slice(0, 10)) {
    const [found] = await vocabulary.find([term], options);
    if (found!.rows > 0) return { found: found!, worth: WORTH[slips]! };
  }
  return undefined;
}

interface Near {
  readonly term: string;
  count: number;
  readonly slips: number;
}

/** The terms that are one of the typed words with marks: `époque` for `epoque`. @param dictionary terms with their first letter */
async function unmarked<T extends FoundTerm>(
  vocabulary: Vocabulary<T>,
  typed: readonly string[],
  dictionary: ReadonlyMap<string, number>,
  options: CallOptions,
): Promise<Near[]> {
  const near: Near[] = [];
  if (typed.some((one) => one !== withoutMarks(one))) return near;
  const others = [...(MARKED[typed[0]![0]!] ?? '')].map((letter) => vocabulary.termsFrom(letter, MOST_BLOCKS, options));
  for (const terms of [dictionary, ...(await Promise.all(others))])
    for (const [term, count] of terms ?? [])
      if (!plain.test(term) && typed.includes(withoutMarks(term))) near.push({ term, count, slips: 0 });
  return near;
}

/** Without a mark. */
const plain = /^[ -~]*$/;

function withoutMarks(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('ø', 'o');
}

/** The dictionary counts rows that a restricted reader must not show: counts its own instead. */
async function countLive<T extends FoundTerm>(
  vocabulary: Vocabulary<T>,
  terms: readonly { readonly term: string; count: number }[],
  options: CallOptions,
): Promise<void> {
  const found = await vocabulary.find(
    terms.map(({ term }) => term),
    options,
  );
  terms.forEach((one, i) => {
    one.count = found[i]!.rows;
  });
}

/** All rows that hold a word which begins so, as one term. */
async function beginning<T extends FoundTerm>(
  vocabulary: Vocabulary<T>,
  prefix: string,
  options: CallOptions,
): Promise<T> {
  const dictionary = (await vocabulary.termsFrom(prefix, MOST_BLOCKS, options)) ?? new Map<string, number>();
  const words = [...dictionary].map(([term, count]) => ({ term, count }));
  if (vocabulary.isRestricted) await countLive(vocabulary, words, options);
  words.sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1));
  // the word itself, whose stem may be shorter: running* also finds run
  const terms = new Set([...contentTokens(prefix), ...words.slice(0, MOST_BEGINNING).map(({ term }) => term)]);
  return (await vocabulary.findAny([{ name: `${prefix}*`, words: [...terms] }], options))[0]!;
}
