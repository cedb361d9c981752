import { analyseWords, fullWords } from '../../../text/analysis/words.ts';
import { isNumberWord, labelFor } from '../../../text/languages/question-words.ts';
import { nameOfTitle } from '../../../text/title-line.ts';
import type { AnalysedPassage, Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { unitAsked } from '../question/wanted.ts';
import { cellsOf } from '../structure/table-header.ts';
import { textOf } from '../structure/unit-text.ts';

/** The chunks of a document that say what it is about: its first page or two. */
export const openingChunks = 5;

/** On the scale of the trees. What a document says first about its subject seldom repeats the words of a question. */
const opening = 1;
/** A row of two cells, whose label says that its value is of the kind that is asked for. */
const fact = 4;
const fewestWords = 6;

/**
 * Documents of several chunks beyond their opening, whose subject the question names: two neighbouring words of the
 * title, half of its words, or all of what it calls its page.
 */
export function namedDocuments(question: Question, passages: Iterable<AnalysedPassage>): ReadonlySet<string> {
  const named = new Set<string>();
  const checked = new Set<string>();
  for (const { hit } of passages) {
    const { uri, title, position } = hit.chunk;
    if (position < openingChunks || checked.has(uri)) continue;
    checked.add(uri);
    const words = fullWords(title);
    const met = words.map(({ term }) => question.known.has(term));
    const count = met.filter(Boolean).length;
    const name = words.filter(({ end }) => end <= nameOfTitle(title).length);
    const isCalled = name.length > 0 && name.every(({ term }) => question.known.has(term));
    if (isCalled || met.some((one, i) => one && met[i - 1]) || (count > 0 && 2 * count >= words.length)) named.add(uri);
  }
  return named;
}

/**
 * How much a sentence gains since it stands in the opening of the document that the question is about; else 0. Whole
 * sentences above the first section gain, and rows of two cells whose label fits the question.
 */
export function openingGain(question: Question, named: ReadonlySet<string>, candidate: Candidate): number {
  const { passage, unit, tokens } = candidate;
  const { chunk } = passage.hit;
  if (chunk.position >= openingChunks || !named.has(chunk.uri)) return 0;
  if (unit.kind === 'row') return factGain(question, candidate);
  return candidate.headings.length <= 1 && tokens.length >= fewestWords ? opening : 0;
}

/** `Number of seats | 9`, asked how many, or for the number: a label and what it is. */
function factGain(question: Question, { unit, passage }: Candidate): number {
  const { title } = passage.hit.chunk;
  const cells = cellsOf(textOf({ passage, unit })).filter((cell) => cell !== '');
  const [label = '', value = ''] = cells;
  if (cells.length !== 2 || !/^\p{L}/u.test(label)) return 0;
  const subject = new Set(analyseWords(title).map(({ term }) => term));
  const named = analyseWords(label).filter(
    ({ empty, term }) => !empty && question.known.has(term) && !subject.has(term),
  );
  // half of what is said about a subject has its words: a figure that is asked for must be there too
  const isMet =
    named.length > 1 ||
    (named.length === 1 && !wantsFigure(question)) ||
    (isOfKind(question, label, value) && !asksForMore(question, subject));
  return isMet ? fact + named.length : 0;
}

/** `When was the council founded?` has one word beside its subject; `When did the council get nine seats?` has more. */
function asksForMore({ type, terms }: Question, subject: ReadonlySet<string>): boolean {
  if (type !== 'date' && type !== 'place') return false;
  return terms.filter(({ term }) => !subject.has(term)).length > 1;
}

const wantsFigure = ({ type }: Question): boolean => type === 'number' || type === 'date';

function isOfKind(question: Question, label: string, value: string): boolean {
  const { type } = question;
  const unit = unitAsked(question);
  if (unit !== undefined && unit !== 'time') return false;
  if (!labelFor(unit ?? type)?.test(label)) return false;
  return unit !== undefined || type !== 'number' || /^\D{0,2}\d/.test(value) || isNumberWord(value.toLowerCase());
}
