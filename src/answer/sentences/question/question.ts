import type { CollectionStatistics } from '../../../retrieve/collection-statistics.ts';
import { isElidedArticle, wordBases } from '../../../text/analysis/bases.ts';
import { type AnalysedWord, contentWords, questionWords } from '../../../text/analysis/words.ts';
import { type AnswerType, answerTypeOf } from '../../../text/languages/answer-types.ts';
import { askingParts } from '../../../text/languages/asking-parts.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { languageOf } from '../../../text/languages/detect.ts';
import { isFunctionWord } from '../../../text/languages/function-words.ts';
import { irregularNoun } from '../../../text/languages/irregular-nouns.ts';
import { germanParticiple, irregularVerb } from '../../../text/languages/irregular-verbs.ts';
import { calendarName } from '../../../text/languages/question-words.ts';
import { subjectsOfWord } from '../../../text/languages/related-words.ts';
import { areUnlike, hasUnlike } from '../../../text/languages/unlike-words.ts';
import { switchedBy } from '../../../text/languages/ways-told.ts';

/** A word of a question that says something. */
export interface QuestionTerm {
  readonly term: string;
  readonly word: string;
  /** The word as it may stand without what its language writes on to it. */
  readonly bases: readonly string[];
  readonly numeric: boolean;
  readonly unspaced: boolean;
  /** Of words for one subject, those that it belongs to. */
  readonly subjects: readonly string[];
  /** The day or month that it names; the verb that it is an irregular form of; the singular of such a noun. */
  readonly day: string | undefined;
  readonly verb: string | undefined;
  readonly noun: string | undefined;
  /** Of `turn` in `turn on`: words for the same act. */
  readonly act: RegExp | undefined;
  /** Chunks that hold it. */
  readonly documentFrequency: number;
  /** BM25 idf, natural logarithm; positive. */
  readonly weight: number;
}

/** A question with the weights of its words in one collection. */
export interface Question {
  readonly text: string;
  readonly language: string;
  readonly type: AnswerType;
  readonly terms: readonly QuestionTerm[];
  /** Sum of the terms' weights; 1 when there are none. */
  readonly weight: number;
  readonly tokens: readonly AnalysedWord[];
  /** Its neighbouring words, at least one of them not empty: first term → second term → where in the question. */
  readonly pairs: {
    readonly count: number;
    readonly places: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>;
  };
  /** Every term and word of the question, function words included: what a sentence must add to. */
  readonly known: ReadonlySet<string>;
  /** Word → how well it matches each term; filled as words are met. */
  readonly matches: Map<string, Float32Array | null>;
  /** What `once` keeps, each in its place. */
  readonly workedOut: unknown[];
}

/**
 * A small collection lacks many common words, which are not rare for that: they weigh no more than this in so few chunks,
 * and in more chunks as much more.
 */
const mostOfCommon = 0.6;
const fewChunks = 150;
/** What `matchTerms` gives a word that is about the same: of the same beginning, another form, the same day or month. */
export const sameWord = 0.75;
/** A part of a compound, and the compound. */
const partOfWord = 0.5;
/** A word for the same subject. */
export const relatedWord = 0.4;
const hangul = /^\p{sc=Hangul}/u;
const firstHangul = 0x1100;

/** A question as the rules look at it, with the weights that its words have in a collection. */
export function analyseQuestion(text: string, statistics: CollectionStatistics): Question {
  const language = languageOf(text);
  const tokens = questionWords(text, language);
  const terms = new Map<string, QuestionTerm>();
  for (const { term, word, numeric, unspaced } of contentWords(saying(text, tokens))) {
    if (terms.has(term)) continue;
    const documentFrequency = Math.min(statistics.rows, statistics.documentFrequency(term));
    const rarity = Math.log(1 + (statistics.rows - documentFrequency + 0.5) / (documentFrequency + 0.5));
    const weight = isCommonWord(word)
      ? Math.min(rarity, mostOfCommon * Math.max(1, statistics.rows / fewChunks))
      : rarity;
    terms.set(term, {
      term,
      word,
      bases: wordBases(word),
      numeric,
      unspaced,
      subjects: subjectsOfWord(word, language),
      day: calendarName(word),
      verb: irregularVerb(word),
      noun: irregularNoun(word),
      act: switchedBy(word, text),
      documentFrequency,
      weight,
    });
  }
  const list = [...terms.values()];
  const known = new Set<string>();
  for (const { term, word } of tokens) known.add(term).add(word);
  return {
    text,
    language,
    type: answerTypeOf(text, language),
    terms: list,
    weight: list.reduce((sum, term) => sum + term.weight, 0) || 1,
    tokens,
    pairs: pairsOf(tokens),
    known,
    matches: new Map(),
    workedOut: [],
  };
}

/** The words of a question without what only asks, and without those before whose apostrophe stands an article. */
function saying(text: string, tokens: readonly AnalysedWord[]): readonly AnalysedWord[] {
  const parts = askingParts(text);
  const kept = tokens.filter((token, i) => {
    if (parts.some(({ start, end }) => token.start < end && token.end > start)) return false;
    // its parts follow it, at the same place
    if (token.word.includes("'")) {
      // `n'a` denies something
      if (!token.word.startsWith("n'") && token.word.split("'").every(isEmptyPart)) return false;
      return wordBases(token.word)[0] === token.word || tokens[i + 1]?.start !== token.start;
    }
    return !isPartOfElision(tokens, i);
  });
  return kept.some(({ empty }) => !empty) ? kept : tokens;
}

/** `qu` and `est` of `qu'est`, `dell` of `dell'arte` */
function isPartOfElision(tokens: readonly AnalysedWord[], i: number): boolean {
  const first = tokens.find(({ start }) => start === tokens[i]!.start)!;
  return first !== tokens[i] && first.word.includes("'") && isEmptyPart(tokens[i]!.term);
}

/** `d` and `un` of `d'un` */
function isEmptyPart(part: string): boolean {
  return isFunctionWord(part, false) || isElidedArticle(part);
}

function pairsOf(tokens: readonly AnalysedWord[]): Question['pairs'] {
  const places = new Map<string, Map<string, number[]>>();
  let count = 0;
  for (let i = 0; i + 1 < tokens.length; i++) {
    const [a, b] = [tokens[i]!, tokens[i + 1]!];
    if (a.empty && b.empty) continue;
    count++;
    const followers = places.get(a.term) ?? new Map<string, number[]>();
    places.set(a.term, followers.set(b.term, [...(followers.get(b.term) ?? []), i]));
  }
  return { count, places };
}

/**
 * How well a run of words holds each question term: 1 the same term, `sameWord` the same beginning (a stemmer for any
 * alphabet), another form of the same verb, or the same day or month, `partOfWord` one inside the other, `relatedWord` a
 * word for the same subject, 0 not at all.
 */
export function matchTerms(question: Question, tokens: readonly AnalysedWord[]): Float32Array {
  const out = new Float32Array(question.terms.length);
  for (const token of tokens) {
    const row = matchOf(question, token);
    if (row) raise(out, row, 1);
  }
  return out;
}

/** How well one word holds each question term; null where it holds none. */
export function matchOf(question: Question, token: AnalysedWord): Float32Array | null {
  let row = question.matches.get(token.word);
  if (row === undefined) {
    row = matchWord(question, token);
    question.matches.set(token.word, row);
  }
  return row;
}

/** The position of a word among the terms of a question; -1 where it is none of them, as one that only asks. */
export function positionOf({ terms }: Pick<Question, 'terms'>, word: AnalysedWord | undefined): number {
  return terms.findIndex(({ term }) => term === word?.term);
}

/** The positions of words among the terms of a question, each once. */
export function positionsOf(question: Pick<Question, 'terms'>, words: readonly AnalysedWord[]): number[] {
  return [...new Set(words.map((word) => positionOf(question, word)))].filter((j) => j >= 0);
}

/** Whether a word of a text is the term at a position of the question, or another form of it. */
export function holdsTerm(question: Question, word: AnalysedWord | undefined, j: number): boolean {
  return word !== undefined && (matchOf(question, word)?.[j] ?? 0) >= sameWord;
}

/** Whether a word of a text is any term of the question, or another form of it. */
export function holdsAnyTerm(question: Question, word: AnalysedWord | undefined): boolean {
  return word !== undefined && matchOf(question, word)?.some((held) => held >= sameWord) === true;
}

/** Whether a word of a text is one of the question, or another form of it. */
export function isSame(question: Question, asked: AnalysedWord | undefined, found: AnalysedWord | undefined): boolean {
  if (asked === undefined || found === undefined) return false;
  if (asked.term === found.term) return true;
  const j = positionOf(question, asked);
  return j >= 0 && holdsTerm(question, found, j);
}

/** target[j] = max(target[j], by · source[j]) */
export function raise(target: Float32Array, source: Float32Array, by: number): void {
  for (let j = 0; j < target.length; j++) if (source[j]! * by > target[j]!) target[j] = source[j]! * by;
}

function matchWord(question: Question, token: AnalysedWord): Float32Array | null {
  let row: Float32Array | null = null;
  const { word } = token;
  const isLetters = !token.numeric && !token.unspaced;
  const bases = isLetters ? wordBases(word) : [];
  const mayBeUnlike = hasUnlike(word);
  for (let j = 0; j < question.terms.length; j++) {
    const term = question.terms[j]!;
    let value = 0;
    if (mayBeUnlike && areUnlike(term.word, word)) continue;
    if (term.term === token.term) value = isOtherVerb(word, term) ? 0 : 1;
    else if (!isLetters || term.numeric || term.unspaced) continue;
    else if (
      (shareBeginning(term, word, bases) && !isOtherVerb(word, term)) ||
      (question.language === 'de' && shareVerb(term.word, word)) ||
      (term.day !== undefined && calendarName(word) === term.day) ||
      (term.verb !== undefined && irregularVerb(word) === term.verb) ||
      (term.noun !== undefined && irregularNoun(word) === term.noun) ||
      term.act?.test(word)
    )
      value = sameWord;
    else if (isPart(term.word, word) && !isOtherVerb(word, term)) value = partOfWord;
    else if (isRelated(question, term, word)) value = relatedWord;
    if (value > 0) {
      row ??= new Float32Array(question.terms.length);
      row[j] = value;
    }
  }
  return row;
}

/** Whether a word is of a subject of the term. */
function isRelated({ language }: Question, { subjects }: QuestionTerm, word: string): boolean {
  if (subjects.length === 0) return false;
  const own = subjectsOfWord(word, language);
  return own.length > 0 && subjects.some((subject) => own.includes(subject));
}

/** `found` shares a stem with `founded` and a beginning with `founder`, and is a form of `find`; `free` begins as `freeze`. */
function isOtherVerb(word: string, asked: QuestionTerm): boolean {
  if (word === asked.word) return false;
  const verb = irregularVerb(word);
  if ((verb === undefined) === (asked.verb === undefined)) return false;
  return verb === undefined ? !word.startsWith(asked.verb!.replace(/e$/u, '')) : !asked.word.startsWith(verb);
}

/** Whether bases of two words begin alike. In loops: every word of a passage is compared with every term. */
function shareBeginning({ word, bases }: QuestionTerm, other: string, others: readonly string[]): boolean {
  for (let i = 0; i < bases.length; i++) {
    const a = bases[i]!;
    for (let k = 0; k < others.length; k++) {
      const b = others[k]!;
      if (beginAlike(a, b, a.length < word.length || b.length < other.length)) return true;
    }
  }
  return false;
}

/** At least four letters and 65 % of the longer word; three where something was taken off, two syllables of Hangul. */
function beginAlike(a: string, b: string, areShort: boolean): boolean {
  if (a.charCodeAt(0) !== b.charCodeAt(0)) return false;
  const least = isHangul(a) ? 2 : areShort ? 3 : 4;
  const shorter = Math.min(a.length, b.length);
  if (shorter < least) return false;
  let shared = 0;
  while (shared < shorter && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  return shared >= least && shared >= 0.65 * Math.max(a.length, b.length);
}

/** `gegründet` is a form of `gründete`, `geschrieben` of `schrieb`, `aufgerufen` of `aufrufen`. */
function shareVerb(asked: string, found: string): boolean {
  const plain = (word: string): string => word.replace(germanParticiple, '$1$2');
  const [a, b] = [plain(asked), plain(found)];
  if (a === asked && b === found) return false;
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return shared >= 4 && shared >= 0.65 * Math.max(a.length, b.length);
}

const smallLatin = /^[a-z]/;

/** One inside the other, as in compounds: five letters at least, three syllables of Hangul. `eight` is no part of `weight`. */
function isPart(a: string, b: string): boolean {
  const [part, whole] = a.length < b.length ? [a, b] : [b, a];
  if (part.length < (isHangul(a) ? 3 : 5)) return false;
  const at = whole.indexOf(part);
  return at >= 0 && !(at === 1 && smallLatin.test(whole));
}

/** Share of the question's weight that a match row covers, in [0, 1]. */
export function coverage(question: Question, match: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < question.terms.length; j++) sum += question.terms[j]!.weight * match[j]!;
  return sum / question.weight;
}

/**
 * The share of the weight of some terms that is held, in [0, 1]; undefined where there are none.
 * @param held how well the term at a position is held, in [0, 1]
 * @param isCounted whether a term is one of them
 */
export function heldShare(
  { terms }: Question,
  held: (j: number) => number,
  isCounted: (term: QuestionTerm) => boolean,
): number | undefined {
  let sum = 0;
  let all = 0;
  terms.forEach((term, j) => {
    if (!isCounted(term)) return;
    sum += term.weight * held(j);
    all += term.weight;
  });
  return all === 0 ? undefined : sum / all;
}

function isHangul(word: string): boolean {
  return word.charCodeAt(0) >= firstHangul && hangul.test(word);
}
