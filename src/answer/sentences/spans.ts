import type { Span } from '../../core/types.ts';
import { answerTypes, isDateWord, isNumberWord, isYear } from '../../text/languages/question-words.ts';
import type { Candidate } from './features.ts';
import type { Question } from './question.ts';
import { unitAsked } from './wanted.ts';

/** A word, a number, or a character of a script without blanks. */
interface Atom extends Span {
  readonly matched: boolean;
  readonly empty: boolean;
  readonly capital: boolean;
  readonly number: boolean;
  readonly year: boolean;
  readonly date: boolean;
  readonly unspaced: boolean;
  /** What stands before it since the atom before. */
  readonly gap: string;
}

const atomPattern =
  /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]|[$€£¥]?\p{N}+(?:[.,:/–-]\p{N}+)*%?|\p{L}[\p{L}\p{M}\p{N}]*(?:['’.-](?=\p{L})[\p{L}\p{M}\p{N}]+)*/gu;
const mostAtoms = 70;
const longest = 9;
const longestUnspaced = 14;

export const spanNames = [
  'type',
  'unit',
  'atoms',
  'capitals',
  'numbers',
  'years',
  'dates',
  'empties',
  'startsEmpty',
  'capitalBefore',
  'capitalBehind',
  'numberBefore',
  'numberBehind',
  'emptyBefore',
  'emptyBehind',
  'matchedBefore',
  'matchedBehind',
  'near', // atoms to the nearest word of the question, before and behind
  'nearBehind',
  'matchedLeft', // words of the question before it, and behind it
  'matchedRight',
  'first',
  'last',
  'from', // share of the sentence before it
  'commaBefore',
  'commaBehind',
  'openBefore', // a bracket or a quotation mark
  'closeBehind',
  'comma', // in it
  'unspaced',
  'sentence', // atoms of it
  'wordsAsked',
  'startsCapital',
] as const;

export interface SpanCandidate {
  /** Offsets of the chunk's text. */
  readonly span: Span;
  readonly row: Float32Array;
}

/** The runs of words of a sentence that may be what is asked for. */
export function spanCandidates(question: Question, candidate: Candidate): SpanCandidate[] {
  const atoms = atomsOf(question, candidate);
  const count = atoms.length;
  const unspaced = atoms.filter((atom) => atom.unspaced).length > count / 2;
  const most = unspaced ? longestUnspaced : longest;
  const before = new Int32Array(count + 1);
  atoms.forEach((atom, i) => {
    before[i + 1] = before[i]! + (atom.matched ? 1 : 0);
  });
  const type = answerTypes.indexOf(question.type);
  const unit = ['money', 'percent', 'time', 'length', 'mass'].indexOf(unitAsked(question.text) ?? '');
  const out: SpanCandidate[] = [];
  for (let i = 0; i < count; i++) {
    const sums = { capitals: 0, numbers: 0, years: 0, dates: 0, empties: 0, comma: 0 };
    for (let j = i; j < count && j < i + most; j++) {
      const atom = atoms[j]!;
      if (j > i && /[.;:!?。！？؟()«»“”"\n]/.test(atom.gap)) break;
      // words of the question are what is known; a figure or a name may repeat one in its middle
      if (atom.matched && (j === i || unspaced)) break;
      sums.capitals += atom.capital ? 1 : 0;
      sums.numbers += atom.number ? 1 : 0;
      sums.years += atom.year ? 1 : 0;
      sums.dates += atom.date ? 1 : 0;
      sums.empties += atom.empty ? 1 : 0;
      sums.comma += j > i && /[,،、，]/.test(atom.gap) ? 1 : 0;
      if (atom.matched || (atom.empty && !unspaced)) continue; // it ends with a word that says something
      const previous = atoms[i - 1];
      const next = atoms[j + 1];
      const behind = next?.gap ?? '.';
      let left = i - 1;
      while (left >= 0 && !atoms[left]!.matched) left--;
      let right = j + 1;
      while (right < count && !atoms[right]!.matched) right++;
      const size = j - i + 1;
      out.push({
        span: { start: atoms[i]!.start, end: atom.end },
        row: Float32Array.of(
          type,
          unit,
          size,
          sums.capitals / size,
          sums.numbers,
          sums.years,
          sums.dates,
          sums.empties / size,
          atoms[i]!.empty ? 1 : 0,
          previous?.capital ? 1 : 0,
          next?.capital ? 1 : 0,
          previous?.number ? 1 : 0,
          next?.number ? 1 : 0,
          previous?.empty ? 1 : 0,
          next?.empty ? 1 : 0,
          previous?.matched ? 1 : 0,
          next?.matched ? 1 : 0,
          left < 0 ? 30 : i - left,
          right >= count ? 30 : right - j,
          before[i]!,
          before[count]! - before[j + 1]!,
          i === 0 ? 1 : 0,
          j === count - 1 ? 1 : 0,
          i / count,
          /[,،、，]/.test(atoms[i]!.gap) ? 1 : 0,
          /[,،、，]/.test(behind) ? 1 : 0,
          /[("“«「『《'‘]/.test(atoms[i]!.gap) ? 1 : 0,
          /[)"”»」』》'’]/.test(behind) ? 1 : 0,
          sums.comma,
          unspaced ? 1 : 0,
          count,
          before[count]! / (question.terms.length || 1),
          atoms[i]!.capital ? 1 : 0,
        ),
      });
    }
  }
  return out;
}

function atomsOf(question: Question, { passage, unit, tokens }: Candidate): Atom[] {
  const text = passage.hit.chunk.text.slice(unit.start, unit.end);
  const out: Atom[] = [];
  let at = 0;
  let end = 0;
  for (const match of text.matchAll(atomPattern)) {
    if (out.length >= mostAtoms) break;
    const start = unit.start + match.index;
    const stop = start + match[0].length;
    while (at < tokens.length && tokens[at]!.end <= start) at++;
    let matched = false;
    let empty = false;
    for (let k = at; k < tokens.length && tokens[k]!.start < stop; k++) {
      const token = tokens[k]!;
      if (token.empty) empty = true;
      const row = question.matches.get(token.word);
      if (row && Math.max(...row) >= 0.75) matched = true;
    }
    const word = match[0].toLowerCase();
    out.push({
      start,
      end: stop,
      matched: matched && !empty,
      empty,
      capital: /^\p{Lu}/u.test(match[0]),
      number: /\p{N}/u.test(word) || isNumberWord(word),
      year: isYear(word),
      date: isDateWord(word),
      unspaced: /^[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]/.test(word),
      gap: text.slice(end, match.index),
    });
    end = match.index + match[0].length;
  }
  return out;
}
