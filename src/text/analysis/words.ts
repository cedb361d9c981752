import { isFunctionWord } from '../languages/function-words.ts';
import { documentTokens } from './analysis.ts';
import { scanWords } from './scan.ts';

/** A word of a text: the index's term for it, how it is written, and where. */
export interface AnalysedWord {
  /** The search analyser's term: equal terms match. A function word is its own term. */
  readonly term: string;
  /** Lower case, as written. */
  readonly word: string;
  /** Offsets in the text as given. */
  readonly start: number;
  readonly end: number;
  readonly capital: boolean;
  /** Holds a digit. */
  readonly numeric: boolean;
  /** A bigram of Han, kana, Thai …, not a word. */
  readonly unspaced: boolean;
  /** Function and question words: they say nothing about the subject. */
  readonly empty: boolean;
}

type Form = Omit<AnalysedWord, 'start' | 'end'>;

const memo = new Map<string, readonly Form[]>();
const maxMemo = 50_000;
const maxMemoWord = 64;

/**
 * The words of a text in order, with their places. An identifier is followed by its parts at the same place; a run of a
 * script without spaces gives its overlapping pairs of characters.
 */
export function analyseWords(text: string): AnalysedWord[] {
  const out: AnalysedWord[] = [];
  let chain = { start: -1, end: -1, joined: false };
  scanWords(text, (start, end, unspaced) => {
    if (start === chain.end + 1 && /[-./:@]/.test(text[chain.end]!)) chain = { start: chain.start, end, joined: true };
    else {
      compound(text, chain, out);
      chain = { start, end, joined: false };
    }
    if (unspaced) pairs(text, start, end, out);
    else for (const form of formsOf(text.slice(start, end))) out.push({ ...form, start, end });
  });
  compound(text, chain, out);
  return out;
}

/** The words that say something about the subject; of a text without such a word, all words ("who is who"). */
export function contentWords(words: readonly AnalysedWord[]): readonly AnalysedWord[] {
  const content = words.filter(({ empty }) => !empty);
  return content.length > 0 ? content : words;
}

/** The distinct terms of a text's content words. */
export function contentTerms(text: string): string[] {
  return [...new Set(contentWords(analyseWords(text)).map(({ term }) => term))];
}

/** `CBL-219`, `22.18`: parts alone would not tell it from others, so the analyser has a term for the whole. */
function compound(text: string, chain: { start: number; end: number; joined: boolean }, out: AnalysedWord[]): void {
  const { start, end, joined } = chain;
  if (!joined || end - start > maxMemoWord) return;
  const whole = text.slice(start, end);
  if (!/\d/.test(whole)) return;
  const word = whole.toLowerCase();
  const term = documentTokens(whole).at(-1)!;
  out.push({ ...formOf(term, word, false), start, end });
}

function formsOf(raw: string): readonly Form[] {
  const known = memo.get(raw);
  if (known) return known;
  const word = raw.toLowerCase().replace(/['’]s$/, '') || raw.toLowerCase();
  const capital = /^\p{Lu}/u.test(raw);
  // A term that ends in `*` is a word's beginning: matching by shared beginnings has that covered.
  const terms = documentTokens(raw).filter((term) => !term.endsWith('*'));
  const forms = terms.slice(1).map((term): Form => formOf(term, term, false));
  forms.unshift({ ...formOf(terms[0] ?? word, word, capital), empty: isFunctionWord(word, false) });
  if (raw.length > maxMemoWord) return forms;
  if (memo.size >= maxMemo) memo.clear();
  memo.set(raw, forms);
  return forms;
}

function formOf(term: string, word: string, capital: boolean): Form {
  return { term, word, capital, numeric: /\p{N}/u.test(word), unspaced: false, empty: false };
}

function pairs(text: string, start: number, end: number, out: AnalysedWord[]): void {
  let from = start;
  let at = start;
  const width = (i: number): number => (text.codePointAt(i)! > 0xffff ? 2 : 1);
  const push = (a: number, b: number): void => {
    const word = text.slice(a, b).toLowerCase();
    out.push({
      term: word.normalize('NFC'),
      word,
      start: a,
      end: b,
      capital: false,
      numeric: /\p{N}/u.test(word),
      unspaced: true,
      empty: isFunctionWord(word, true),
    });
  };
  if (start + width(start) >= end) {
    push(start, end);
    return;
  }
  for (at += width(at); at < end; at += width(at)) {
    push(from, at + width(at));
    from += width(from);
  }
}
