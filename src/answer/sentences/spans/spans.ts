import type { Span } from '../../../core/types.ts';
import { answerTypes, askingWord } from '../../../text/languages/answer-types.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { unitAsked } from '../question/wanted.ts';
import { type Atom, atomsOf } from './atoms.ts';
import { breaks, comma, gapBefore, gapBehind, quotation } from './gaps.ts';
import { longestSpan } from './sentence-model-input.ts';
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

export interface SpanCandidate {
  /** Offsets of the chunk's text. */
  readonly span: Span;
  /** Its first atom, and how many follow. */
  readonly first: number;
  readonly more: number;
  /** Values in the order of `spanNames`. */
  readonly row: Float32Array;
}

/** The runs of words of a sentence that may be what is asked for: at most ten words, and no mark that parts them. */
export function spanCandidates(
  question: Question,
  candidate: Candidate,
  lexicon: SpanLexicon,
  atoms: readonly Atom[] = atomsOf(question, candidate),
): SpanCandidate[] {
  const count = atoms.length;
  const end = candidate.unit.end;
  const text = candidate.passage.hit.chunk.text;
  const tail = count === 0 ? '' : text.slice(atoms.at(-1)!.end, end);
  const before = atoms.map(({ gap }, i) => gapBefore(gap, i === 0));
  const behind = atoms.map((_, i) => gapBehind(atoms[i + 1]?.gap ?? tail, i + 1 === count));
  const parts = atoms.map(({ gap }, i) => i > 0 && parting(gap));
  const weights = sums(atoms, ({ weight }) => weight);
  const numbers = sums(atoms, (atom) => (atom.number && atom.weight === 0 ? 1 : 0));
  const dates = sums(atoms, (atom) => ((atom.year || atom.date) && atom.weight === 0 ? 1 : 0));
  const years = sums(atoms, (atom) => (atom.year ? 1 : 0));
  const months = sums(atoms, (atom) => (atom.date ? 1 : 0));
  const figures = sums(atoms, (atom) => (atom.number ? 1 : 0));
  const capitals = sums(atoms, (atom) => (atom.capital ? 1 : 0));
  const newCapitals = sums(atoms, (atom, i) => (atom.capital && atom.weight === 0 && i > 0 ? 1 : 0));
  const empties = sums(atoms, (atom) => (atom.empty ? 1 : 0));
  const matches = sums(atoms, (atom) => (atom.weight > 0 ? 1 : 0));
  const commas = sums(atoms, (atom) => (comma.test(atom.gap) ? 1 : 0));
  const marks = sums(atoms, (atom) => (/[^\s\p{L}\p{M}\p{N}]/u.test(atom.gap) ? 1 : 0));
  const matching = atoms.flatMap(({ weight }, i) => (weight > 0 ? i : []));
  const left = nearest(atoms, 1);
  const right = nearest(atoms, -1);
  const lastTerm = question.terms.length - 1;
  const lasts = atoms.flatMap(({ term }, i) => (term === lastTerm && lastTerm >= 0 ? i : []));
  const clauseFrom = new Int32Array(count);
  const clauseTo = new Int32Array(count).fill(count);
  for (let i = 1; i < count; i++) clauseFrom[i] = marks[i + 1]! > marks[i]! ? i : clauseFrom[i - 1]!;
  for (let i = count - 2; i >= 0; i--) clauseTo[i] = marks[i + 2]! > marks[i + 1]! ? i + 1 : clauseTo[i + 1]!;
  const asksBehind = behindAsking(question);
  const focus = atoms.flatMap(({ side }, i) => (side === 1 ? i : []));
  const unspaced = atoms.filter((atom) => atom.unspaced).length > count / 2 ? 1 : 0;
  const type = answerTypes.indexOf(question.type);
  const unit = ['money', 'percent', 'time', 'length', 'mass'].indexOf(unitAsked(question) ?? '');
  const words = atoms.map(({ word }) => edgeValues(lexicon, question, word));
  const shape = shapeValues(lexicon, question);
  const out: SpanCandidate[] = [];
  // One allocation for all rows: one for each would take longer than to fill them.
  const values = new Float32Array(count * longestSpan * spanNames.length);
  for (let i = 0; i < count; i++) {
    for (let j = i; j < count && j < i + longestSpan; j++) {
      if (j > i && parts[j]) break;
      const first = atoms[i]!;
      const last = atoms[j]!;
      if (last.empty && !unspaced) continue; // it ends with a word that says something
      const size = j - i + 1;
      const previous = atoms[i - 1];
      const next = atoms[j + 1];
      const previous2 = atoms[i - 2];
      const next2 = atoms[j + 2];
      const l = i > 0 ? left[i - 1]! : -1;
      const r = j + 1 < count ? right[j + 1]! : -1;
      let proximity = 0;
      for (const k of matching) {
        if (k < i) proximity += atoms[k]!.weight / (i - k);
        else if (k > j) proximity += atoms[k]!.weight / (k - j);
      }
      const toFocus = signedDistance(focus, i, j);
      const toLast = signedDistance(lasts, i, j);
      const from = out.length * spanNames.length;
      values.set(
        [
          type,
          unit,
          unspaced,
          count,
          weights[count]!,
          numbers[count]! - numbers[j + 1]! + numbers[i]!,
          dates[count]! - dates[j + 1]! + dates[i]!,
          newCapitals[count]! - newCapitals[j + 1]! + newCapitals[i]!,
          size,
          last.end - first.start,
          (capitals[j + 1]! - capitals[i]!) / size,
          figures[j + 1]! - figures[i]!,
          years[j + 1]! - years[i]!,
          months[j + 1]! - months[i]!,
          (empties[j + 1]! - empties[i]!) / size,
          (matches[j + 1]! - matches[i]!) / size,
          commas[j + 1]! - commas[i + 1]!,
          before[i] === quotation && behind[j] === quotation ? 1 : 0,
          first.empty ? 1 : 0,
          first.capital ? 1 : 0,
          first.number ? 1 : 0,
          first.weight > 0 ? 1 : 0,
          last.capital ? 1 : 0,
          last.number ? 1 : 0,
          last.weight > 0 ? 1 : 0,
          last.end - last.start,
          before[i]!,
          behind[j]!,
          previous?.capital ? 1 : 0,
          next?.capital ? 1 : 0,
          previous?.number ? 1 : 0,
          next?.number ? 1 : 0,
          previous?.empty ? 1 : 0,
          next?.empty ? 1 : 0,
          previous?.weight ?? 0,
          next?.weight ?? 0,
          previous2?.empty ? 1 : 0,
          next2?.empty ? 1 : 0,
          previous2?.weight ?? 0,
          next2?.weight ?? 0,
          previous ? previous.end - previous.start : 0,
          next ? next.end - next.start : 0,
          l < 0 ? none : i - l,
          r < 0 ? none : r - j,
          atoms[l]?.weight ?? 0,
          atoms[r]?.weight ?? 0,
          atoms[l]?.side ?? 0,
          atoms[r]?.side ?? 0,
          l < 0 ? -1 : marks[i + 1]! - marks[l + 1]!,
          r < 0 ? -1 : marks[r + 1]! - marks[j + 1]!,
          weights[i]!,
          weights[count]! - weights[j + 1]!,
          proximity,
          toFocus,
          toLast,
          weights[clauseTo[j]!]! - weights[clauseFrom[i]!]!,
          asksBehind,
          i / count,
          count - 1 - j,
          words[i - 1]?.[0] ?? 0,
          words[i]![1]!,
          words[j]![2]!,
          words[j + 1]?.[3] ?? 0,
          (words[i - 1]?.[0] ?? 0) + words[i]![1]!,
          words[j]![2]! + (words[j + 1]?.[3] ?? 0),
          shape[0]!,
          shape[1]!,
          shape[2]!,
          shape[3]!,
        ],
        from,
      );
      const row = values.subarray(from, from + spanNames.length);
      out.push({ span: { start: first.start, end: last.end }, first: i, more: j - i, row });
    }
  }
  return out;
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

function behindAsking({ text, tokens }: Question): number {
  const asking = askingWord(text);
  const next = asking && tokens.find(({ start }) => start >= asking.end);
  return next === undefined ? -1 : next.empty ? 1 : 0;
}

/** Whether a span cannot reach over what stands between two words. */
function parting(gap: string): boolean {
  return breaks.test(gap) || /[()（）«»“”「」『』《》"|]/.test(gap);
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
