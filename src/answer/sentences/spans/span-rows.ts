import { answerTypes, askingWord } from '../../../text/languages/answer-types.ts';
import type { Question } from '../question/question.ts';
import { unitAsked } from '../question/wanted.ts';
import type { Atom } from './atoms.ts';
import { comma, gapBefore, gapBehind, quotation } from './gaps.ts';
import { edgeValues, type SpanLexicon, shapeValues } from './span-lexicon.ts';

/** What stands for a distance to a word of the question where there is none. */
const none = 40;

/** Names of the columns of `SpanCandidate.row`, in order. */
export const spanNames = [
  'type',
  'unit',
  'unspaced',
  'sentence', // atoms of it
  'covered', // share of the question's weight that the sentence holds
  'numberCount', // numbers, dates and words with a capital of the sentence that the question has not, outside the span
  'dateCount',
  'capitalCount',
  'atoms',
  'chars',
  'capitals', // share
  'numbers',
  'years',
  'dates',
  'empties', // share
  'matched', // share
  'commas',
  'quoted', // all that stands between two marks
  'startsEmpty',
  'startsCapital',
  'startsNumber',
  'startsMatched',
  'endsCapital',
  'endsNumber',
  'endsMatched',
  'endChars',
  'gapBefore',
  'gapBehind',
  'capitalBefore',
  'capitalBehind',
  'numberBefore',
  'numberBehind',
  'emptyBefore',
  'emptyBehind',
  'weightBefore',
  'weightBehind',
  'emptyBefore2',
  'emptyBehind2',
  'weightBefore2',
  'weightBehind2',
  'charsBefore',
  'charsBehind',
  'nearBefore', // atoms to the nearest word of the question, and the weight and the side of that word
  'nearBehind',
  'nearWeightBefore',
  'nearWeightBehind',
  'sideBefore',
  'sideBehind',
  'marksBefore', // commas and other marks on the way to it
  'marksBehind',
  'leftWeight', // of all words of the question before it, and behind it
  'rightWeight',
  'proximity', // sum of weight / distance
  'focus', // atoms to the word that stands behind the asking word; negative: the span is behind it
  'toLast', // the same to the word that the question has last
  'clauseWeight', // of the words of the question between the marks around the span
  'asksBehind', // what stands behind the asking word: 1 a function word, 0 another, -1 nothing
  'from', // share of the sentence before it
  'toEnd', // atoms behind it
  'wordBefore', // what the lexicon says of the words at its edges, and of their sums
  'wordFirst',
  'wordLast',
  'wordBehind',
  'wordsStart',
  'wordsEnd',
  'asksNumber',
  'asksDate',
  'asksCapital',
  'asksLength',
] as const;

/** What the rows of all spans of a sentence are made of, found once. */
export class SpanRows {
  /** Whether the sentence is of a language without spaces. */
  readonly unspaced: 0 | 1;
  readonly #atoms: readonly Atom[];
  readonly #type: number;
  readonly #unit: number;
  readonly #asksBehind: -1 | 0 | 1;
  /** Values of the gaps before and behind each atom. */
  readonly #before: readonly number[];
  readonly #behind: readonly number[];
  readonly #weights: Float64Array;
  readonly #numbers: Float64Array;
  readonly #dates: Float64Array;
  readonly #newCapitals: Float64Array;
  readonly #years: Float64Array;
  readonly #months: Float64Array;
  readonly #figures: Float64Array;
  readonly #capitals: Float64Array;
  readonly #empties: Float64Array;
  readonly #matches: Float64Array;
  readonly #commas: Float64Array;
  readonly #marks: Float64Array;
  /** The atoms that match the question; those of its last word; the word behind the asking word. */
  readonly #matching: readonly number[];
  readonly #lasts: readonly number[];
  readonly #focus: readonly number[];
  readonly #left: Int32Array;
  readonly #right: Int32Array;
  /** The atoms between the marks around each atom, half-open. */
  readonly #clauseFrom: Int32Array;
  readonly #clauseTo: Int32Array;
  readonly #words: readonly ArrayLike<number>[];
  readonly #shape: ArrayLike<number>;

  /** @param tail what stands behind the last atom */
  constructor(question: Question, atoms: readonly Atom[], tail: string, lexicon: SpanLexicon) {
    const count = atoms.length;
    const sum = (value: (atom: Atom, i: number) => number): Float64Array => sums(atoms, value);
    const where = (holds: (atom: Atom) => boolean): number[] => atoms.flatMap((atom, i) => (holds(atom) ? i : []));
    this.#atoms = atoms;
    this.unspaced = atoms.filter((atom) => atom.unspaced).length > count / 2 ? 1 : 0;
    this.#type = answerTypes.indexOf(question.type);
    this.#unit = ['money', 'percent', 'time', 'length', 'mass'].indexOf(unitAsked(question) ?? '');
    this.#asksBehind = behindAsking(question);
    this.#before = atoms.map(({ gap }, i) => gapBefore(gap, i === 0));
    this.#behind = atoms.map((_, i) => gapBehind(atoms[i + 1]?.gap ?? tail, i + 1 === count));
    this.#weights = sum(({ weight }) => weight);
    this.#numbers = sum((atom) => (atom.number && atom.weight === 0 ? 1 : 0));
    this.#dates = sum((atom) => ((atom.year || atom.date) && atom.weight === 0 ? 1 : 0));
    this.#newCapitals = sum((atom, i) => (atom.capital && atom.weight === 0 && i > 0 ? 1 : 0));
    this.#years = sum((atom) => (atom.year ? 1 : 0));
    this.#months = sum((atom) => (atom.date ? 1 : 0));
    this.#figures = sum((atom) => (atom.number ? 1 : 0));
    this.#capitals = sum((atom) => (atom.capital ? 1 : 0));
    this.#empties = sum((atom) => (atom.empty ? 1 : 0));
    this.#matches = sum((atom) => (atom.weight > 0 ? 1 : 0));
    this.#commas = sum((atom) => (comma.test(atom.gap) ? 1 : 0));
    this.#marks = sum((atom) => (/[^\s\p{L}\p{M}\p{N}]/u.test(atom.gap) ? 1 : 0));
    const lastTerm = question.terms.length - 1;
    this.#matching = where(({ weight }) => weight > 0);
    this.#lasts = where(({ term }) => term === lastTerm && lastTerm >= 0);
    this.#focus = where(({ side }) => side === 1);
    this.#left = nearest(atoms, 1);
    this.#right = nearest(atoms, -1);
    [this.#clauseFrom, this.#clauseTo] = clauses(this.#marks, count);
    this.#words = atoms.map(({ word }) => edgeValues(lexicon, question, word));
    this.#shape = shapeValues(lexicon, question);
  }

  /** Writes the values of the span from atom i to atom j, in the order of `spanNames`. @param at of the first one */
  fill(out: Float32Array, at: number, i: number, j: number): void {
    const atoms = this.#atoms;
    const count = atoms.length;
    const size = j - i + 1;
    const first = atoms[i]!;
    const last = atoms[j]!;
    const previous = atoms[i - 1];
    const next = atoms[j + 1];
    const previous2 = atoms[i - 2];
    const next2 = atoms[j + 2];
    const l = i > 0 ? this.#left[i - 1]! : -1;
    const r = j + 1 < count ? this.#right[j + 1]! : -1;
    let to = at;
    out[to++] = this.#type;
    out[to++] = this.#unit;
    out[to++] = this.unspaced;
    out[to++] = count;
    out[to++] = this.#weights[count]!;
    out[to++] = this.#numbers[count]! - this.#numbers[j + 1]! + this.#numbers[i]!;
    out[to++] = this.#dates[count]! - this.#dates[j + 1]! + this.#dates[i]!;
    out[to++] = this.#newCapitals[count]! - this.#newCapitals[j + 1]! + this.#newCapitals[i]!;
    out[to++] = size;
    out[to++] = last.end - first.start;
    out[to++] = (this.#capitals[j + 1]! - this.#capitals[i]!) / size;
    out[to++] = this.#figures[j + 1]! - this.#figures[i]!;
    out[to++] = this.#years[j + 1]! - this.#years[i]!;
    out[to++] = this.#months[j + 1]! - this.#months[i]!;
    out[to++] = (this.#empties[j + 1]! - this.#empties[i]!) / size;
    out[to++] = (this.#matches[j + 1]! - this.#matches[i]!) / size;
    out[to++] = this.#commas[j + 1]! - this.#commas[i + 1]!;
    out[to++] = this.#before[i] === quotation && this.#behind[j] === quotation ? 1 : 0;
    out[to++] = first.empty ? 1 : 0;
    out[to++] = first.capital ? 1 : 0;
    out[to++] = first.number ? 1 : 0;
    out[to++] = first.weight > 0 ? 1 : 0;
    out[to++] = last.capital ? 1 : 0;
    out[to++] = last.number ? 1 : 0;
    out[to++] = last.weight > 0 ? 1 : 0;
    out[to++] = last.end - last.start;
    out[to++] = this.#before[i]!;
    out[to++] = this.#behind[j]!;
    out[to++] = previous?.capital ? 1 : 0;
    out[to++] = next?.capital ? 1 : 0;
    out[to++] = previous?.number ? 1 : 0;
    out[to++] = next?.number ? 1 : 0;
    out[to++] = previous?.empty ? 1 : 0;
    out[to++] = next?.empty ? 1 : 0;
    out[to++] = previous?.weight ?? 0;
    out[to++] = next?.weight ?? 0;
    out[to++] = previous2?.empty ? 1 : 0;
    out[to++] = next2?.empty ? 1 : 0;
    out[to++] = previous2?.weight ?? 0;
    out[to++] = next2?.weight ?? 0;
    out[to++] = previous ? previous.end - previous.start : 0;
    out[to++] = next ? next.end - next.start : 0;
    out[to++] = l < 0 ? none : i - l;
    out[to++] = r < 0 ? none : r - j;
    out[to++] = atoms[l]?.weight ?? 0;
    out[to++] = atoms[r]?.weight ?? 0;
    out[to++] = atoms[l]?.side ?? 0;
    out[to++] = atoms[r]?.side ?? 0;
    out[to++] = l < 0 ? -1 : this.#marks[i + 1]! - this.#marks[l + 1]!;
    out[to++] = r < 0 ? -1 : this.#marks[r + 1]! - this.#marks[j + 1]!;
    out[to++] = this.#weights[i]!;
    out[to++] = this.#weights[count]! - this.#weights[j + 1]!;
    out[to++] = this.#proximity(i, j);
    out[to++] = signedDistance(this.#focus, i, j);
    out[to++] = signedDistance(this.#lasts, i, j);
    out[to++] = this.#weights[this.#clauseTo[j]!]! - this.#weights[this.#clauseFrom[i]!]!;
    out[to++] = this.#asksBehind;
    out[to++] = i / count;
    out[to++] = count - 1 - j;
    out[to++] = this.#words[i - 1]?.[0] ?? 0;
    out[to++] = this.#words[i]![1]!;
    out[to++] = this.#words[j]![2]!;
    out[to++] = this.#words[j + 1]?.[3] ?? 0;
    out[to++] = (this.#words[i - 1]?.[0] ?? 0) + this.#words[i]![1]!;
    out[to++] = this.#words[j]![2]! + (this.#words[j + 1]?.[3] ?? 0);
    out[to++] = this.#shape[0]!;
    out[to++] = this.#shape[1]!;
    out[to++] = this.#shape[2]!;
    out[to++] = this.#shape[3]!;
  }

  /** Sum of the weights of the question's words around a span, each over its distance. */
  #proximity(i: number, j: number): number {
    let proximity = 0;
    for (const k of this.#matching) {
      if (k < i) proximity += this.#atoms[k]!.weight / (i - k);
      else if (k > j) proximity += this.#atoms[k]!.weight / (k - j);
    }
    return proximity;
  }
}

/** Where the clause of each atom begins and ends: the marks around it. */
function clauses(marks: Float64Array, count: number): [from: Int32Array, to: Int32Array] {
  const from = new Int32Array(count);
  const to = new Int32Array(count).fill(count);
  for (let i = 1; i < count; i++) from[i] = marks[i + 1]! > marks[i]! ? i : from[i - 1]!;
  for (let i = count - 2; i >= 0; i--) to[i] = marks[i + 2]! > marks[i + 1]! ? i + 1 : to[i + 1]!;
  return [from, to];
}

/** Atoms from a span to the nearest of several: positive behind it, negative before it, `none` where there are none. */
function signedDistance(places: readonly number[], i: number, j: number): number {
  let out = none;
  for (const k of places) {
    const distance = k < i ? k - i : k > j ? k - j : 0;
    if (Math.abs(distance) < Math.abs(out)) out = distance;
  }
  return out;
}

/** What stands behind the asking word: 1 a function word, 0 another, -1 nothing. */
function behindAsking({ text, tokens }: Question): -1 | 0 | 1 {
  const asking = askingWord(text);
  const next = asking && tokens.find(({ start }) => start >= asking.end);
  return next === undefined ? -1 : next.empty ? 1 : 0;
}

/** sums[i] of the values of the atoms before i. */
function sums(atoms: readonly Atom[], value: (atom: Atom, i: number) => number): Float64Array {
  const out = new Float64Array(atoms.length + 1);
  atoms.forEach((atom, i) => {
    out[i + 1] = out[i]! + value(atom, i);
  });
  return out;
}

/** The nearest atom that matches the question, the atom itself included, on the left (step 1) or right (-1); -1 if none. */
function nearest(atoms: readonly Atom[], step: 1 | -1): Int32Array {
  const out = new Int32Array(atoms.length);
  let last = -1;
  for (let i = step === 1 ? 0 : atoms.length - 1; i >= 0 && i < atoms.length; i += step) {
    if (atoms[i]!.weight > 0) last = i;
    out[i] = last;
  }
  return out;
}
