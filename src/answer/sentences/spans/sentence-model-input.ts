import { answerTypes, askingWord } from '../../../text/languages/answer-types.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchOf, type Question } from '../question/question.ts';
import { type Atom, atomsIn } from './atoms.ts';
import { gapBefore, gapBehind, gapKinds } from './gaps.ts';

/** The word itself, two beginnings and three ends. */
export const partsAWord = 6;
/** The column of a word's features that says whether the other sentence has it. */
const amongOthers = 8;
const sides = [-2, -1, 1, 2, 3];
const farthest = 40;
export const featuresAWord: number = 9 + sides.length + 2 * gapKinds + 2 + 6 + 4;
/** The asking word, the words of it, the two words behind it, and what stands before it. */
export const questionFeatures: number = featuresAWord + 5;
const mostQuestionAtoms = 40;

/** Longest short answer, in words. */
export const longestSpan = 10;

/** Words with what is known of each, one row after the other. */
export interface SentenceModelWords {
  readonly count: number;
  /** Hashes of its parts: `partsAWord` for each word. */
  readonly parts: Int32Array;
  readonly features: Float32Array;
}

export interface SentenceModelInput {
  readonly sentence: SentenceModelWords;
  readonly question: SentenceModelWords;
  /** How alike each word of the sentence and each of the question are: 1 the same, .6 the same four first letters, 0. */
  readonly alike: Float32Array;
  /** Index of the question's type. */
  readonly type: number;
}

/** What the sentence model sees of a question and a sentence. @param atoms of the sentence, as `atomsOf` gives them */
export function sentenceModelInput(
  question: Question,
  candidate: Candidate,
  atoms: readonly Atom[],
): SentenceModelInput {
  const { text } = candidate.passage.hit.chunk;
  const { asked, inQuestion, words } = askedWords(question);
  const inSentence = new Set(atoms.map(({ word }) => word));
  const last = atoms.at(-1);
  const sentence = wordsOf(
    text,
    atoms,
    last ? text.slice(last.end, candidate.unit.end) : '',
    inQuestion,
    featuresAWord,
  );
  const features = words.features.slice();
  asked.forEach(({ word }, i) => {
    features[i * questionFeatures + amongOthers] = Number(inSentence.has(word));
  });
  const own = { ...words, features };
  const alike = new Float32Array(atoms.length * asked.length);
  atoms.forEach((a, i) => {
    asked.forEach((b, k) => {
      alike[i * asked.length + k] = likeness(a.word, b.word);
    });
  });
  return { sentence, question: own, alike, type: answerTypes.indexOf(question.type) };
}

function likeness(a: string, b: string): number {
  if (a === b) return 1;
  return a.length > 4 && a.slice(0, 4) === b.slice(0, 4) ? 0.6 : 0;
}

/** The words of the question as if it were a sentence; which of them stand in the other one is not known yet. */
const askedWords = once((question) => {
  const { text, tokens } = question;
  for (const token of tokens) matchOf(question, token);
  const asked = atomsIn(question, text, { start: 0, end: text.length }, tokens).slice(0, mostQuestionAtoms);
  const words = wordsOf(text, asked, '', new Set(), questionFeatures);
  addAsking(question, asked, words);
  return { asked, inQuestion: new Set(asked.map(({ word }) => word)), words };
});

function wordsOf(
  text: string,
  atoms: readonly Atom[],
  tail: string,
  others: ReadonlySet<string>,
  columns: number,
): SentenceModelWords {
  const count = atoms.length;
  const features = new Float32Array(count * columns);
  const parts = new Int32Array(count * partsAWord);
  const left = distances(atoms, 1);
  const right = distances(atoms, -1);
  const whole = atoms.reduce((sum, { weight }) => sum + weight, 0);
  let before = 0;
  atoms.forEach((atom, i) => {
    const raw = text.slice(atom.start, atom.end);
    const next = atoms[i + 1]?.gap ?? tail;
    let at = i * columns;
    const add = (value: number | boolean): void => {
      features[at++] = Number(value);
    };
    const oneOf = (kind: number): void => {
      features[at + kind] = 1;
      at += gapKinds;
    };
    for (const flag of [atom.empty, atom.capital, atom.number, atom.year, atom.date, atom.unspaced]) add(flag);
    add(3 * atom.weight);
    add(atom.weight > 0);
    add(others.has(atom.word));
    for (const side of sides) add(atom.side === side);
    oneOf(gapBefore(atom.gap, i === 0));
    oneOf(gapBehind(next, i + 1 === count));
    add(Math.min(raw.length, 15) / 8);
    add(raw.length > 1 && raw === raw.toUpperCase() && raw !== raw.toLowerCase());
    add(Math.log(left[i]!) / 2);
    add(Math.log(right[i]!) / 2);
    add(1 / left[i]!);
    add(1 / right[i]!);
    add(before);
    before += atom.weight;
    add(whole - before);
    add(i === 0);
    add(i === count - 1);
    add(i / 20);
    add(Math.min(count - i, 20) / 20);
    parts.set(partsOf(atom.word), i * partsAWord);
  });
  return { count, parts, features };
}

function addAsking({ text }: Question, atoms: readonly Atom[], { features }: SentenceModelWords): void {
  const asking = askingWord(text);
  if (asking === undefined) return;
  const first = atoms.findIndex(({ start }) => start >= asking.start);
  const behind = atoms.findIndex(({ start }) => start >= asking.end);
  atoms.forEach((_, i) => {
    const values = [
      i === first,
      first >= 0 && i >= first && i < behind,
      i === behind,
      behind >= 0 && i === behind + 1,
      i < first,
    ];
    features.set(values.map(Number), i * questionFeatures + featuresAWord);
  });
}

/** Words to the nearest word of the question on the left (step 1) or on the right (-1), at most 40. */
function distances(atoms: readonly Atom[], step: 1 | -1): number[] {
  const out = new Array<number>(atoms.length);
  let distance = farthest;
  for (let i = step === 1 ? 0 : atoms.length - 1; i >= 0 && i < atoms.length; i += step) {
    out[i] = distance;
    distance = atoms[i]!.weight > 0 ? 1 : Math.min(farthest, distance + 1);
  }
  return out;
}

/** Hashes of the parts of a word in lower case; digits are alike. */
export function partsOf(word: string): number[] {
  const points = pointsOf(`<${/\p{Nd}/u.test(word) ? word.replace(/\p{Nd}/gu, '0') : word}>`);
  const { length } = points;
  const of = (kind: string, from: number, to: number): number =>
    hashOf(kind.charCodeAt(0), points, Math.max(0, from), Math.min(to, length));
  const [end3, end4, end5] = [of('c', length - 3, length), of('d', length - 4, length), of('e', length - 5, length)];
  return [of('w', 1, length - 1), of('a', 0, 3), of('b', 0, 4), end3, end4, end5];
}

/** In a loop: the iterator of a string makes one for each character. */
function pointsOf(text: string): number[] {
  const points: number[] = [];
  for (let at = 0; at < text.length; ) {
    const point = text.codePointAt(at)!;
    points.push(point);
    at += point > 0xffff ? 2 : 1;
  }
  return points;
}

/** FNV-1a of a kind and code points, then mixed; from 1 to 2^24 - 1, which 32-bit floats hold. */
function hashOf(kind: number, points: readonly number[], from: number, to: number): number {
  let hash = Math.imul(2166136261 ^ kind, 16777619);
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ points[i]!, 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return 1 + (((hash ^ (hash >>> 13)) >>> 0) % 0xffffff);
}
