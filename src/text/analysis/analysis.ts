import { stemmer } from 'stemmer';
import { oneSpelling } from '../languages/english-spellings.ts';
import { queryStopWords, stopWords } from '../languages/function-words.ts';
import { hashSpan, SpanTable } from '../span-table.ts';
import { brokenWord } from './broken-word.ts';
import { foldLetters, foldWord, plainRun, plainWord } from './fold.ts';
import { scanWords } from './scan.ts';
import { eachSign } from './signs.ts';

/** Part of the index fingerprint: raise it when the same text gives other terms. */
export const analysisVersion = 4;

/** Longer words (base64, minified code) are cut to this many code units before analysis. */
export const MAX_WORD = 64;
/** Most words kept in the cache of analysed words; a full cache is cleared. */
const MAX_MEMO = 100_000;
const PREFIX = 5;

/** Receives the results of an analyser. */
interface TermSink {
  /** A word `text[start, end)`; `documentWord` gives its terms. */
  word(text: string, start: number, end: number): void;
  term(term: string): void;
}

/**
 * Turns text into search terms. Words become lower case, and one word in all its spellings (`fold.ts`); accents count.
 * English words are stemmed (Porter 1980), alike in British and American spelling; stop words go. An identifier gives
 * itself and its parts, and so does a word with an apostrophe (`l'homme`), a superscript (`km²`), or a number and its
 * unit (`250ml`). A word with letters outside ASCII gives itself and, if longer, its first five letters with `*`, in
 * place of a stemmer for each language. Scripts without spaces give character bigrams. Numbers joined by punctuation
 * (`22.18`, `CVE-2024-1234`), options (`--dry-run`) and words that their line cuts give their parts and the whole; stop
 * words with hyphens (`no-with`) the whole. Operators (`===`) are terms, and so are names that end with signs (`C++`, `C#`).
 */
class Analyser {
  readonly #stop: ReadonlySet<string>;
  readonly #memo = new Map<string, readonly string[]>();

  constructor(stop: ReadonlySet<string>) {
    this.#stop = new Set([...stop].map(foldLetters));
  }

  tokens(text: string): string[] {
    const out: string[] = [];
    this.each(text, {
      word: (from, start, end) => {
        for (const token of this.word(from.slice(start, end))) out.push(token);
      },
      term: (term) => out.push(term),
    });
    return out;
  }

  /** Passes the words of a text, and the terms that are no single word, to the sink, in order. */
  each(input: string, out: TermSink): void {
    const text = input.normalize('NFC');
    let chainStart = -1;
    let chainEnd = -1;
    let pieces = 0;
    const endChain = (): void => {
      const term = pieces > 0 ? compoundTerm(text, chainStart, chainEnd, pieces) : undefined;
      if (term !== undefined) out.term(term);
    };
    let lastStart = 0;
    let lastEnd = 0;
    const take = (term: string): void => out.term(term);
    scanWords(text, (start, end, unspaced) => {
      eachSign(text, lastStart, lastEnd, start, take);
      const whole = unspaced ? undefined : brokenWord(text, lastStart, lastEnd, start, end);
      lastStart = start;
      lastEnd = end;
      if (chainEnd === start - 1 && isJoiner(text.charCodeAt(start - 1))) pieces++;
      else {
        endChain();
        chainStart = start;
        pieces = 1;
      }
      chainEnd = end;
      if (whole !== undefined) for (const term of this.word(whole)) out.term(term);
      if (unspaced) bigrams(text.slice(start, end), out);
      else out.word(text, start, cutEnd(text, start, end));
    });
    eachSign(text, lastStart, lastEnd, text.length, take);
    endChain();
  }

  /** The terms of one word, from the cache if possible. */
  word(raw: string): readonly string[] {
    const known = this.#memo.get(raw);
    if (known !== undefined) return known;
    const key = ownCopy(raw);
    const tokens = this.analyse(key);
    if (this.#memo.size >= MAX_MEMO) this.#memo.clear();
    this.#memo.set(key, tokens);
    return tokens;
  }

  /** The terms of one word. */
  analyse(raw: string): readonly string[] {
    if (simple.test(raw)) {
      const word = raw.toLowerCase();
      return this.#stop.has(word) ? [] : [stem(word)];
    }
    const plain = plainWord(raw).replace(possessive, '');
    const lower = plain.toLowerCase();
    const whole = foldLetters(lower);
    if (whole === '' || this.#stop.has(whole)) return [];
    const pieces = isAscii(lower) ? identifierParts(plain) : whole.split(between);
    const parts = pieces.flatMap((piece) => quantity.exec(piece)?.slice(1) ?? piece);
    const own = parts.filter((part) => part !== whole && part.length > 1 && !this.#stop.has(part));
    if (isAscii(lower)) return [whole, ...own].map(stem);
    return own.length === 0 ? foreignTokens(whole) : [whole, ...own.flatMap(foreignTokens)];
  }
}

const HYPHEN = 0x2d;
const digit = /\d/;
const maybeDigit = /[\d\u0080-\uffff]/;
const dashes = /[\u2010-\u2013]/g;
const versionLetter = /^v(?=\d)/;
const possessive = /'s$/i;
const contraction = /(?:n't|'(?:ll|ve|re|[dmt]))$/i;
/** In a word with letters outside ASCII. */
const between = /[_'\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+/;
/** `250ml` is 250 ml; `20th` is one word. */
const quantity = /^(\d+)((?!(?:st|nd|rd|th)$)\p{L}{1,5})$/u;
const identifier = /[_\d']|[a-z][A-Z]|[A-Z][A-Z][a-z]/;
const letters = /^[a-z]+$/;
/** Most words: nothing below changes these. */
const simple = /^[A-Z]?[a-z]+$/;

/**
 * An option, a joined run with a digit, or stop words with hyphens, as a whole: its parts alone are too common.
 * @param pieces words of `text[start, end)`, with a joiner between each two
 */
export function compoundTerm(text: string, start: number, end: number, pieces: number): string | undefined {
  if (end - start > MAX_WORD) return undefined;
  const option = start >= 2 && text.charCodeAt(start - 1) === HYPHEN && text.charCodeAt(start - 2) === HYPHEN;
  if (!option && pieces === 1) return undefined;
  const raw = text.slice(start, end);
  if (!option && isOfStopWords(raw)) return foldWord(raw);
  if (!option && !maybeDigit.test(raw)) return undefined;
  const whole = foldWord(raw).replace(dashes, '-');
  if (option) return `--${whole}`;
  return digit.test(whole) ? whole.replace(versionLetter, '') : undefined;
}

/** `no-with`: nothing else of it would be in the index. */
function isOfStopWords(raw: string): boolean {
  for (let from = 0; ; ) {
    const end = raw.indexOf('-', from);
    if (!stopWords.has((end < 0 ? raw.slice(from) : raw.slice(from, end)).toLowerCase())) return false;
    if (end < 0) return from > 0;
    from = end + 1;
  }
}

/**
 * `.`, `-`, `/`, `:`, `@`, in both widths, and the dashes of the length of a hyphen or a digit: join the parts of
 * versions, dates, codes and addresses.
 */
export function isJoiner(unit: number): boolean {
  if (unit >= 0x2010) return unit <= 0x2013 || (unit >= 0xff0d && isJoiner(unit - 0xfee0));
  return (unit >= HYPHEN && unit <= 0x2f) || unit === 0x3a || unit === 0x40;
}

function isAscii(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** Half a character at the end would be stored as another one, out of the order of terms. */
function cutEnd(text: string, start: number, end: number): number {
  const most = start + MAX_WORD;
  if (end <= most) return end;
  return text.codePointAt(most - 1)! > 0xffff ? most - 1 : most;
}

function stem(word: string): string {
  return letters.test(word) ? stemmer(oneSpelling(word)) : word;
}

/** `parseHTTPHeader_v2` → parse, http, header, v, 2; `parseURLs` → parse, urls */
function identifierParts(raw: string): string[] {
  if (!identifier.test(raw) || contraction.test(raw)) return [];
  return raw
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z](?!s(?![a-z]))[a-z])/g, '$1 $2')
    .replace(/[_']+/g, ' ')
    .replace(/([A-Za-z])(\d)/g, '$1 $2')
    .trim()
    .toLowerCase()
    .split(/\s+/);
}

function foreignTokens(word: string): string[] {
  const characters = [...word];
  return characters.length > PREFIX ? [stem(word), `${characters.slice(0, PREFIX).join('')}*`] : [stem(word)];
}

function bigrams(run: string, out: TermSink): void {
  const characters = [...plainRun(run).toLowerCase()];
  if (characters.length === 1) out.term(characters[0]!);
  for (let i = 0; i + 1 < characters.length; i++) out.term(characters[i]! + characters[i + 1]!);
}

/** In V8 a slice of more than 12 units is a view: a kept slice would keep the whole text in memory. */
export function ownCopy(word: string): string {
  return word.length <= 12 ? word : Buffer.from(word, 'utf16le').toString('utf16le');
}

const documentAnalyser = new Analyser(stopWords);
const contentAnalyser = new Analyser(queryStopWords);

/** The search terms of a document's text, title or heading. */
export function documentTokens(text: string): string[] {
  return documentAnalyser.tokens(text);
}

/** Passes the parts of `documentTokens` to a sink, in order, for a caller with its own cache of words. */
export function eachDocumentTerm(text: string, out: TermSink): void {
  documentAnalyser.each(text, out);
}

/** The terms of one word of a document. @param word from a sink; may be a slice, as it is copied */
export function documentWord(word: string): readonly string[] {
  return documentAnalyser.analyse(ownCopy(word));
}

/** As `documentTokens`, without question words: for queries and for training on a corpus. */
export function contentTokens(text: string): string[] {
  return contentAnalyser.tokens(text);
}

const everyWord = new Analyser(new Set());

/** As `documentTokens`, with function words: for headings such as "when not to use it". */
export function allWords(text: string): string[] {
  return everyWord.tokens(text);
}

/**
 * As `documentTokens` or `contentTokens`, with numbers in place of strings. Terms are numbered from 0 in the order of
 * their first use. A known word is found by its characters, so most words of a corpus need no string. Memory grows with
 * the distinct words, about 60 bytes each and the terms themselves; replace a long-lived instance when it `isFull`.
 */
export class TermNumbers implements TermSink {
  /** The terms by number. */
  readonly terms: string[] = [];
  readonly #analyser: Analyser;
  readonly #numbers = new Map<string, number>();
  readonly #words = new SpanTable();
  /** The term numbers of all words; those of word `w` are `[#starts[w], #starts[w + 1])`. */
  readonly #starts: number[] = [0];
  readonly #ofWords: number[] = [];
  #out = new Uint32Array(1024);
  #length = 0;

  readonly #most: number;

  /** @param most number of words and terms from which `isFull` is true; more are still accepted */
  constructor(kind: 'document' | 'content', most: number = 2 * MAX_MEMO) {
    this.#most = most;
    this.#analyser = kind === 'document' ? documentAnalyser : contentAnalyser;
  }

  /** Whether the words and terms have reached the bound. */
  get isFull(): boolean {
    return this.#words.size + this.terms.length >= this.#most;
  }

  /** The terms of a text, in order. @returns a view; the next call overwrites it */
  of(text: string): Uint32Array {
    this.#length = 0;
    this.#analyser.each(text, this);
    return this.#out.subarray(0, this.#length);
  }

  word(text: string, start: number, end: number): void {
    const hash = hashSpan(text, start, end);
    let word = this.#words.find(text, start, end, hash);
    if (word < 0) {
      word = this.#words.add(text, start, end, hash);
      const raw = ownCopy(text.slice(start, end));
      for (const term of this.#analyser.analyse(raw)) this.#ofWords.push(this.number(term));
      this.#starts.push(this.#ofWords.length);
    }
    const last = this.#starts[word + 1]!;
    for (let i = this.#starts[word]!; i < last; i++) this.#push(this.#ofWords[i]!);
  }

  term(term: string): void {
    this.#push(this.number(term));
  }

  /** The number of a term; a new term gets the next number. */
  number(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.terms.length;
    this.#numbers.set(term, number);
    this.terms.push(term);
    return number;
  }

  #push(number: number): void {
    if (this.#length === this.#out.length) {
      const larger = new Uint32Array(this.#length * 2);
      larger.set(this.#out);
      this.#out = larger;
    }
    this.#out[this.#length++] = number;
  }
}

/** The parts of a chunk that the analyser reads. */
export interface AnalysableChunk {
  readonly text: string;
  readonly headings: readonly string[];
  readonly context?: string | undefined;
}

/** The terms of one chunk in the inverted index. */
interface AnalysedRow<Terms = readonly string[]> {
  readonly title: Terms;
  readonly headings: Terms;
  readonly text: Terms;
}

/** The rows of the inverted index for one document. The `context` of a chunk counts as a heading. */
export function analyseDocument(title: string, chunks: readonly AnalysableChunk[]): readonly AnalysedRow[] {
  return [...rowsOf(title, chunks, documentTokens)];
}

/**
 * As `analyseDocument`, with numbers.
 * @returns rows to use one by one: the text of the next row overwrites this one
 */
export function numberDocument(
  numbers: TermNumbers,
  title: string,
  chunks: readonly AnalysableChunk[],
): Iterable<AnalysedRow<Uint32Array>> {
  return rowsOf(title, chunks, (text, isKept) => (isKept ? numbers.of(text).slice() : numbers.of(text)));
}

function* rowsOf<Terms>(
  title: string,
  chunks: readonly AnalysableChunk[],
  termsOf: (text: string, isKept: boolean) => Terms,
): Generator<AnalysedRow<Terms>, void, undefined> {
  const titleTerms = termsOf(title, true);
  let path = '';
  let pathTerms = termsOf(path, true);
  for (const { text, headings, context } of chunks) {
    const next = headings.length === 0 && context === undefined ? '' : [...headings, context ?? ''].join('\n');
    if (next !== path) {
      path = next;
      pathTerms = termsOf(next, true);
    }
    yield { title: titleTerms, headings: pathTerms, text: termsOf(text, false) };
  }
}
