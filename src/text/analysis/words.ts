import { languageOf } from '../languages/detect.ts';
import { isEmptyIn, isForeignEmpty, isFunctionWord } from '../languages/function-words.ts';
import { hashSpan, SpanTable } from '../span-table.ts';
import { documentTokens, isJoiner, ownCopy } from './analysis.ts';
import { brokenWord } from './broken-word.ts';
import { isUnseen, plainRun, plainWord } from './fold.ts';
import { scanWords } from './scan.ts';

/** A word of a text: its term in the index, its spelling, its place. */
export interface AnalysedWord {
  /** Term of the search analyser: equal terms match. A function word is its own term. */
  readonly term: string;
  /** `plainWord` of the text's, in lower case. */
  readonly word: string;
  /** Offsets in the given text. */
  readonly start: number;
  readonly end: number;
  readonly capital: boolean;
  /** Holds a digit. */
  readonly numeric: boolean;
  /** A character bigram of Han, kana, Thai …, not a word. */
  readonly unspaced: boolean;
  /** A function or question word, which says nothing about the subject. */
  readonly empty: boolean;
}

type Form = Omit<AnalysedWord, 'start' | 'end'>;

/** Words met before, by their characters: most words of a text need no string. */
const known = new SpanTable();
/** Of each known word. */
let forms: (readonly Form[])[] = [];
const maxMemo = 50_000;
const maxMemoWord = 64;

/**
 * The words of a text in order, with their places. The parts of an identifier follow it, at the same place. A run of a
 * script without spaces gives overlapping pairs of characters.
 */
export function analyseWords(text: string): AnalysedWord[] {
  const out: AnalysedWord[] = [];
  // of words that marks join
  let chainStart = -1;
  let chainEnd = -1;
  let joined = false;
  let lastStart = 0;
  let lastEnd = 0;
  scanWords(text, (start, end, unspaced) => {
    if (start === chainEnd + 1 && isJoiner(text.charCodeAt(chainEnd))) joined = true;
    else {
      if (joined) compound(text, chainStart, chainEnd, out);
      chainStart = start;
      joined = false;
    }
    const whole = unspaced ? undefined : brokenWord(text, lastStart, lastEnd, start, end);
    if (whole !== undefined) for (const form of formsOf(whole)) out.push(placed(form, lastStart, end));
    lastStart = start;
    lastEnd = end;
    chainEnd = end;
    if (unspaced) pairs(text, start, end, out);
    else for (const form of formsAt(text, start, end)) out.push(placed(form, start, end));
  });
  if (joined) compound(text, chainStart, chainEnd, out);
  return out;
}

/**
 * The words of a question, which is of one language: a function word of another one may say something in it, and does
 * where it is an abbreviation in capitals (`CHO cells`).
 */
export function questionWords(text: string, language: string = languageOf(text)): AnalysedWord[] {
  const hasSmall = /\p{Ll}/u.test(text);
  return analyseWords(text).map((one) => {
    if (!one.empty) return one;
    const isShort = hasSmall && /^\p{Lu}{2,}$/u.test(text.slice(one.start, one.end));
    const isMeant = !isEmptyIn(language, one.word, one.unspaced) || (isShort && isForeignEmpty(language, one.word));
    return isMeant ? { ...one, empty: false } : one;
  });
}

/** The words of a text that say something: none where all are empty. */
export function fullWords(text: string): AnalysedWord[] {
  return analyseWords(text).filter(({ empty }) => !empty);
}

/** The words that say something about the subject. A text without such words ("who is who") gives all its words. */
export function contentWords(words: readonly AnalysedWord[]): readonly AnalysedWord[] {
  const content = words.filter(({ empty }) => !empty);
  return content.length > 0 ? content : words;
}

/** The distinct terms of the content words of a question, or of part of one. */
export function contentTerms(text: string): string[] {
  return [...new Set(contentWords(questionWords(text)).map(({ term }) => term))];
}

/** `CBL-219`, `22.18`: the parts alone are too common, so the analyser has a term for the whole. */
function compound(text: string, start: number, end: number, out: AnalysedWord[]): void {
  if (end - start > maxMemoWord) return;
  const whole = text.slice(start, end);
  const word = plainWord(whole).toLowerCase();
  if (!/\d/.test(word)) return;
  const term = documentTokens(whole).at(-1)!;
  out.push(placed(formOf(term, word, false), start, end));
}

/** Field by field, since a spread takes several times as long. */
function placed({ term, word, capital, numeric, unspaced, empty }: Form, start: number, end: number): AnalysedWord {
  return { term, word, start, end, capital, numeric, unspaced, empty };
}

function formsAt(text: string, start: number, end: number): readonly Form[] {
  if (end - start > maxMemoWord) return formsOf(text.slice(start, end));
  const hash = hashSpan(text, start, end);
  const number = known.find(text, start, end, hash);
  if (number >= 0) return forms[number]!;
  if (known.size >= maxMemo) {
    known.clear();
    forms = [];
  }
  const found = formsOf(ownCopy(text.slice(start, end)));
  known.add(text, start, end, hash);
  forms.push(found);
  return found;
}

function formsOf(raw: string): readonly Form[] {
  const lower = plainWord(raw).toLowerCase();
  if (lower === '') return []; // marks alone
  const word = lower.replace(/'s$/, '') || lower;
  const capital = /^\p{Lu}/u.test(raw);
  // A term that ends in `*` is the beginning of a word. Matching by common beginnings already covers it.
  const terms = documentTokens(raw).filter((term) => !term.endsWith('*'));
  const whole = { ...formOf(terms[0] ?? word, word, capital), empty: isFunctionWord(word, false) };
  return [whole, ...terms.slice(1).map((term): Form => formOf(term, term, false))];
}

function formOf(term: string, word: string, capital: boolean): Form {
  return { term, word, capital, numeric: /\p{N}/u.test(word), unspaced: false, empty: false };
}

function pairs(text: string, start: number, end: number, out: AnalysedWord[]): void {
  const starts: number[] = [];
  const run = text.slice(start, end);
  const isPlain = plainRun(run) === run;
  let at = start;
  for (const character of run) {
    if (isPlain || at === start || !isPartOfBefore(character)) starts.push(at);
    at += character.length;
  }
  for (let i = 0; i === 0 || i + 1 < starts.length; i++) {
    const [from, to] = [starts[i]!, starts[i + 2] ?? end];
    const pair = text.slice(from, to);
    const word = (isPlain ? pair : plainRun(pair)).toLowerCase();
    out.push({
      term: word,
      word,
      start: from,
      end: to,
      capital: false,
      numeric: /\p{N}/u.test(word),
      unspaced: true,
      empty: isFunctionWord(word, true),
    });
  }
}

/** A voicing mark of kana, the end of a line, or what is not seen. */
function isPartOfBefore(character: string): boolean {
  return /^[\u3099\u309a\uff9e\uff9f\s]/.test(character) || isUnseen(character);
}
