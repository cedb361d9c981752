import type { Span } from '../../../core/types.ts';
import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { askingWord } from '../../../text/languages/answer-types.ts';
import { isDateWord, isNumberWord, isYear } from '../../../text/languages/question-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { citedNotesIn } from '../structure/note-marks.ts';

/** A word or a number of a sentence, in offsets of the chunk's text. */
export interface Atom extends Span {
  /** In lower case. */
  readonly word: string;
  /** Share of the question's weight of the term that it matches, in [0, 1]; 0 where it matches none. */
  readonly weight: number;
  /** That term, in `question.terms`; -1 without one. */
  readonly term: number;
  /** Where it stands from the asking word, in content words: -1 just before it, 1 just behind it; else 0. */
  readonly side: number;
  readonly empty: boolean;
  readonly capital: boolean;
  readonly number: boolean;
  readonly year: boolean;
  readonly date: boolean;
  readonly unspaced: boolean;
  /** What stands before it since the atom before. */
  readonly gap: string;
}

/** Letters of scripts that part no words. */
const unspacedLetters = '[\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005\\u3040-\\u30ff\\u3400-\\u9fff]';
const letter = `[\\p{L}--${unspacedLetters}]`;
const rest = `[[\\p{L}\\p{M}\\p{N}]--${unspacedLetters}]`;
const atomPattern = new RegExp(
  `${unspacedLetters}+|[$€£¥]?\\p{N}+(?:[.,:\\/–\\-]\\p{N}+)*%?|${letter}${rest}*(?:['’.\\-](?=${letter})${rest}+)*`,
  'gv',
);
const beginsUnspaced = new RegExp(`^${unspacedLetters}`);
const mostAtoms = 80;
let segmenter: Intl.Segmenter | undefined;

/** The words, numbers and words of scripts without blanks of a sentence, at most 80. */
export function atomsOf(question: Question, { passage, unit, tokens }: Candidate): Atom[] {
  return atomsIn(question, passage.hit.chunk.text, unit, tokens);
}

/** The same of any part of a text, whose words were matched with the question. */
export function atomsIn(question: Question, whole: string, unit: Span, tokens: readonly AnalysedWord[]): Atom[] {
  const text = whole.slice(unit.start, unit.end);
  const places = placesOf(question);
  const out: Atom[] = [];
  let at = 0;
  let end = 0;
  for (const { start: from, end: to } of piecesOf(text)) {
    if (out.length >= mostAtoms) break;
    const start = unit.start + from;
    const stop = unit.start + to;
    while (at < tokens.length && tokens[at]!.end <= start) at++;
    const word = text.slice(from, to).toLowerCase();
    const unspaced = beginsUnspaced.test(word);
    let empty = false;
    let best = -1;
    let most = 0;
    let covered = start;
    for (let k = at; k < tokens.length && tokens[k]!.start < stop; k++) {
      const token = tokens[k]!;
      if (token.empty && (!unspaced || (token.start <= start && token.end >= stop))) empty = true;
      const row = question.matches.get(token.word);
      if (!row) continue;
      for (let j = 0; j < row.length; j++) {
        if (row[j]! < sameWord) continue;
        if (row[j]! > most) {
          most = row[j]!;
          best = j;
        }
        if (token.start <= covered) covered = Math.max(covered, token.end);
      }
    }
    // a pair of characters may reach over the edge of a word
    if (unspaced && covered < stop && !question.text.includes(text.slice(from, to))) best = -1;
    const matched = best >= 0 && !empty;
    out.push({
      start,
      end: stop,
      word,
      weight: matched ? question.terms[best]!.weight / question.weight : 0,
      term: matched ? best : -1,
      side: matched ? places[best]! : 0,
      empty,
      capital: /^\p{Lu}/u.test(text.slice(from, to)),
      number: /\p{N}/u.test(word) || isNumberWord(word),
      year: isYear(word),
      date: isDateWord(word),
      unspaced,
      gap: text.slice(end, from),
    });
    end = to;
  }
  return out;
}

function* piecesOf(text: string): Generator<Span> {
  const notes = citedNotesIn(text);
  for (const { 0: match, index } of text.matchAll(atomPattern)) {
    if (notes.some(({ start, end }) => index >= start && index < end)) continue;
    if (match.length > 1 && beginsUnspaced.test(match)) {
      segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
      for (const part of segmenter.segment(match))
        yield { start: index + part.index, end: index + part.index + part.segment.length };
    } else yield { start: index, end: index + match.length };
  }
}

/** Of each term, how many content words it stands behind the asking word (before: negative); 0 without one. */
function placesOf({ text, tokens, terms }: Question): number[] {
  const asking = askingWord(text);
  if (asking === undefined) return terms.map(() => 0);
  const content = tokens.filter(({ empty, start, end }) => !empty && (end <= asking.start || start >= asking.end));
  const before = content.filter(({ end }) => end <= asking.start).length;
  return terms.map(({ term }) => {
    const i = content.findIndex((token) => token.term === term);
    return i < 0 ? 0 : i < before ? i - before : i - before + 1;
  });
}
