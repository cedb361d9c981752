import type { Span } from '../../../core/types.ts';
import { analyseWords } from '../../../text/analysis/words.ts';
import { labelFor } from '../../../text/languages/question-words.ts';
import { personColumn } from '../../../text/languages/values-asked.ts';
import type { Candidate } from '../question/candidate.ts';
import { matchTerms, type Question, sameWord } from '../question/question.ts';
import { isDegree, unitAsked } from '../question/wanted.ts';
import { rowOf } from '../rules/row-contest.ts';
import { textOf } from '../structure/unit-text.ts';

interface Value extends Span {
  readonly name: string;
  readonly text: string;
}

/** Two values named as what is asked, one as well as the other, are too many. */
const fewestLines = 2;
/** `leader: Tor Vale`; `:Default: 5` in reStructuredText */
const field = /^(?:[ \t]*:)?([\p{L}@][^\n:]{0,48}): (\S[^\n]*)$/gmu;

/**
 * The value that stands in a row or a record under the name that a question asks for, more than all others: `2` of
 * `Flyers | PHI | 2` below `Cups`, `Tor Vale` of `leader: Tor Vale`. In offsets of the chunk's text.
 */
export function labelledValue(question: Question, candidate: Candidate): Span | undefined {
  const values = candidate.unit.kind === 'row' ? cellsOf(candidate) : fieldsOf(candidate);
  let best: Value | undefined;
  let most = 0;
  for (const value of values) {
    const weight = fits(question, value) ? weightOf(question, value, values) : 0;
    if (weight > 0 && weight === most) best = undefined;
    if (weight <= most) continue;
    most = weight;
    best = value;
  }
  return best && { start: best.start, end: best.end };
}

function cellsOf(candidate: Candidate): readonly Value[] {
  const row = rowOf(candidate);
  if (row === undefined) return [];
  const shift = row.cells.length - row.names.length; // of names without one for the labels
  if (shift < 0 || shift > 1) return [];
  return row.cells.map(({ start, end, text }, i) => {
    const name = row.names[i - shift] ?? '';
    return { start, end, text, name: i === 0 && !personColumn.test(name) ? '' : name };
  });
}

/** Of a record in lines alone. */
function fieldsOf(candidate: Candidate): readonly Value[] {
  const text = textOf(candidate);
  const found = [...text.matchAll(field)];
  if (found.length < fewestLines || found.length < text.split('\n').length / 2) return [];
  return found.map(({ 1: name = '', 2: value = '', index, 0: line }) => {
    const start = candidate.unit.start + index + line.length - value.length;
    return { start, end: start + value.length, name, text: value };
  });
}

/** The weight of the words of the question that a name has and no value. */
function weightOf(question: Question, { name }: Value, values: readonly Value[]): number {
  const named = matchTerms(question, analyseWords(name));
  const said = matchTerms(question, analyseWords(values.map(({ text }) => text).join('\n')));
  const measured = isOfMeasure(question, name, named) ? leastWeight : 0;
  return question.terms.reduce(
    (sum, { word, weight }, j) => sum + (named[j]! >= sameWord && said[j]! < sameWord && !isDegree(word) ? weight : 0),
    measured,
  );
}
const leastWeight = 0.01;

/** `Age`, asked how old; `Price`, asked how much; `Name`, asked who. */
function isOfMeasure(question: Question, name: string, named: Float32Array): boolean {
  if (question.terms.some(({ word }, j) => isDegree(word) && named[j]! > 0)) return true;
  if (question.type === 'person' && personColumn.test(name)) return true;
  const unit = unitAsked(question);
  return unit !== undefined && labelFor(unit)?.test(name) === true;
}

/** Whether a value can be what is asked for, and is not what the question names. */
function fits({ type, known }: Question, { name, text }: Value): boolean {
  if (name === '' || text === '') return false;
  if ((type === 'number' || type === 'date') && !/\p{N}/u.test(text)) return false;
  if ((type === 'person' || type === 'place') && !/\p{L}/u.test(text)) return false;
  return !analyseWords(text).every(({ term }) => known.has(term));
}
