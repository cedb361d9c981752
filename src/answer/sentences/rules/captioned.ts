import { type AnalysedWord, analyseWords, fullWords } from '../../../text/analysis/words.ts';
import { endOfLine } from '../../../text/lines.ts';
import type { Candidate } from '../question/candidate.ts';
import { isFileNamed } from '../question/file-name.ts';
import { once } from '../question/once.ts';
import { heldShare, matchTerms, type Question, sameWord } from '../question/question.ts';
import { isDegree, unitAsked } from '../question/wanted.ts';
import { textOf } from '../structure/unit-text.ts';
import type { Unit } from '../structure/units.ts';

/** On the scale of the trees: a value has no word of the question, its caption has them. */
const gain = 6;
/** Of a question's weight, held by the caption and what the document is about. */
const leastHeld = 0.6;
/** What the lines around say of the subject. */
const byPassage = 0.5;
const mostWords = 5;
const mostLetters = 80;

/** `` `7,92,756 crore``, `$ 4.2 million`, `120 staff` */
const figure = /^[^\p{L}\p{N}]*\p{Nd}[\p{Nd}.,\s'’]*[%+]?(?:\s*\p{L}+(?:\s+\p{L}+)?)?$/u;
/** `Mme Ariane Bélanger, greffière adjointe`, `Shri Dhirubhai H. Ambani` */
const name = /^(?:\p{L}{1,5}\.? )?\p{Lu}[\p{Ll}’'-]+(?: \p{Lu}\.)*(?: \p{Lu}[\p{Ll}’'-]+){1,3}(?:,[^.;:]*)?$/u;

/** A passage as its short lines: undefined for what is no short line of its own. */
type Lines = readonly (string | undefined)[];

function linesOf({ passage: { hit, units } }: Candidate): Lines {
  const { text } = hit.chunk;
  const isAlone = ({ start, end }: Unit): boolean => {
    const from = text.lastIndexOf('\n', start - 1) + 1;
    return text.slice(from, start).trim() === '' && text.slice(end, endOfLine(text, end)).trim() === '';
  };
  return units.map((unit) => {
    const line = text.slice(unit.start, unit.end);
    const isLine = unit.kind === 'sentence' && line.length <= mostLetters && !/[\n|\t]|[.;!?]$/.test(line);
    return isLine && isAlone(unit) ? line : undefined;
  });
}

/** The value that the type of a question asks for, as a line of its own. */
const valueAsked: (question: Question) => RegExp | undefined = once((question) => {
  if (question.type === 'person') return name;
  return question.type === 'number' && unitAsked(question) !== 'time' ? figure : undefined;
});

/** `Chairman & Managing Director` */
const between = /\s*(?:[&,/]|(?<!\p{L})(?:and|und|et|y|e)(?!\p{L}))\s*/u;

/** The words of a caption, or of a part of it, if the question has them all. */
function captionWords({ known }: Question, line: string | undefined): readonly AnalysedWord[] {
  if (line === undefined) return [];
  for (const part of [line, ...line.split(between)]) {
    const words = fullWords(part);
    if (words.length > 0 && words.length <= mostWords && words.every(({ term }) => known.has(term))) return words;
  }
  return [];
}

/**
 * Whether the line beside a value is its caption: where captions and values take turns, that is the line above if the
 * lines begin with a caption.
 */
function isCaptionOf(lines: Lines, value: number, caption: number, isValue: (at: number) => boolean): boolean {
  const other = caption + (caption - value);
  const takesTurns = isValue(other) || (caption > value && isValue(value - 2) && lines[value - 1] !== undefined);
  if (!takesTurns) return true;
  let first = value;
  while (lines[first - 1] !== undefined) first--;
  return isValue(first) === caption > value;
}

/**
 * How much a line gains since it is a value under or over a line of its own that has the words of the question:
 * `Founder Chairman` below `Dhirubhai Ambani`, `EXPORTS` above `254 crore`, as on slides and in annual reports.
 */
export function captionGain(question: Question, candidate: Candidate): number {
  const value = valueAsked(question);
  const { unit, index, titleMatch, passage } = candidate;
  if (value === undefined || unit.kind === 'row') return 0;
  const own = textOf(candidate);
  if (own.length > mostLetters || !value.test(own)) return 0;
  const lines = linesOf(candidate);
  const isValue = (at: number): boolean => {
    const line = lines[at];
    if (line === undefined || !value.test(line)) return false;
    return !analyseWords(line).some(({ empty, term }) => !empty && question.known.has(term));
  };
  if (!isValue(index)) return 0;
  for (const at of [index - 1, index + 1]) {
    const words = captionWords(question, lines[at]);
    // a column of figures has none: the marks of an axis
    if (words.length === 0 || isValue(index + index - at) || !isCaptionOf(lines, index, at, isValue)) continue;
    const held = matchTerms(question, words);
    const share = heldShare(
      question,
      (j) => {
        const isNamed = isFileNamed(passage.hit.chunk.uri, [question.terms[j]!]);
        return isNamed ? 1 : Math.max(held[j]!, titleMatch[j]!, byPassage * passage.match[j]!);
      },
      ({ word }) => !isDegree(word),
    );
    if (share !== undefined && share >= leastHeld && held.some((match) => match >= sameWord)) return gain * share;
  }
  return 0;
}
