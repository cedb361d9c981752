import type { Span } from '../../../core/types.ts';
import { announcesExample } from '../../../text/languages/examples.ts';
import { without } from '../../../text/languages/negation.ts';
import { labelFor } from '../../../text/languages/question-words.ts';
import { needWord } from '../../../text/languages/values-asked.ts';
import { endOfLine } from '../../../text/lines.ts';
import { defaultGain } from '../manuals/default-value.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { askedTerm } from '../question/defined.ts';
import { once } from '../question/once.ts';
import { heldShare, holdsAnyTerm, holdsTerm, type Question, relatedWord, sameWord } from '../question/question.ts';
import { countsNone, holdsWanted, isDegree, lacksFigure, unitAsked } from '../question/wanted.ts';
import { headerTextOf, isHeader, textOf } from '../structure/unit-text.ts';
import type { Unit } from '../structure/units.ts';
import { lacksRelative } from './lacks-relative.ts';
import { isOfOtherColumn } from './row-asked.ts';
import { headerOfMail, isOfFigures } from './unfit.ts';

/** On the scale of the trees, where label and headings hold all of a question. */
const gain = 5;
/** Of a question's weight: with less, the label is one of something else. */
const leastHeld = 0.6;
/** With as much, the label and what stands over it say all that is asked for. */
const whollyHeld = 0.95;
const mostWords = 5;
/** `--all  Take all`: a label over options says neither yes nor no. */
const optionFirst = /^\s*-{1,2}[\p{L}\p{N}]/u;
/** `Fees(1)`: a footnote. */
const noteMark = /^[([]\p{Nd}{1,2}[)\]]$/u;
/** What the lines around a line say of its subject. */
const byPassage = 0.5;

/** Of a row of a table whose subject the question names. */
const gainOfSubject = 1.5;

/** `Next meeting: 8 April`, `- **Weight:** 2.1 kg` */
export const lineLabel: RegExp =
  /^[\s>*+•–-]*[*_`]{0,3}(\p{L}[^:\n!?;]{0,48}?)[*_`]{0,3}[ \t]?[:：][*_`]{0,3}\s+(?=\S)/u;
/** `**Detection:** A keeper called. Nobody else knew.` */
const boldLabel = /^[\s>+•–-]*(?:\*\*|__)[^*_\n]{1,48}(?:[:：](?:\*\*|__)|(?:\*\*|__)[:：])/u;
/** `- Adults £9`, `Adultes 9 €`: an item of a price list */
const priceLabel =
  /^[\s>*+•–-]*(\p{L}[^:\n!?;\p{Nd}]{0,40}?)\s+(?=(?:[$€£¥₹]\s?\p{Nd}[\p{Nd}.,]*|\p{Nd}[\p{Nd}.,]*\s?(?:[$€£¥₹]|EUR|euros?|dollars?|pounds?|CHF|kr))\W*$)/u;
/** `## [2.3.0] - 2024-12-03`, `### v2.3.0 (2024-12-03)` */
const headingLabel = /^#{1,6}[ \t]+([^\n:\s][^\n:]{0,47}?)[ \t]+(?:[-–—/][ \t]+|\()(?=\S)/u;
/** `| Weight | 2.1 kg |` */
const rowLabel = /^[|\s*_`]*([^|\t\n]{1,48}?)[*_`]*[ \t]*(?:\||\t| {2,})/u;

/**
 * How much a line gains since it says under a label what the question asks for (`When is the next meeting?`, answered by
 * `Next meeting: 8 April`, or by such a row of a table); else 0. The label says nothing beside words of the question and
 * the kind of its answer.
 */
export function labelGain(question: Question, candidate: Labelled): number {
  const { passage, tokens, titleMatch, match, holds } = candidate;
  if (question.type === 'definition' && isOfFigures(question, candidate)) return 0;
  const end = endOfLabel(question, candidate);
  if (end === undefined) return 0;
  const isMark = ({ start, end }: Span): boolean => noteMark.test(passage.hit.chunk.text.slice(start - 1, end + 1));
  const label = tokens.filter((token) => token.end <= end && !token.empty && !isMark(token));
  const value = tokens.filter((token) => token.start >= end);
  if (label.length === 0 || label.length > mostWords || value.length === 0) return 0;
  if (isOfPart(question, label)) return 0;
  const wants = question.type !== 'other' && question.type !== 'definition';
  if (wants && (holdsWanted(question, holds) <= 0.3 || countsNone(question, holds))) return 0;
  const kind = kindsOf(question);
  const needs = asksNeeded(question) && label.some(({ word }) => needWord.test(word));
  let names = 0;
  for (const token of label) {
    if (holdsAnyTerm(question, token)) names++;
    else if (!kind.some((one) => one.test(token.word)) && !(needs && needWord.test(token.word))) return 0;
  }
  const share = heldShare(
    question,
    (j) => Math.max(match[j]!, titleMatch[j]!, byPassage * passage.match[j]!),
    ({ word }) => !isDegree(word) && !(needs && needWord.test(word)),
  );
  if (needs && (share ?? 0) < whollyHeld) return 0; // each section may say what it needs
  if (question.type === 'choice' && optionFirst.test(textOf(candidate).slice(end - candidate.unit.start))) return 0;
  if (share === undefined || share < leastHeld || (names === 0 && share < 0.99)) return 0;
  if (isOfOtherLine(question, candidate, label) || lacksRelative(question, candidate)) return 0;
  if (isOfOtherColumn(question, candidate)) return 0;
  return gain * share;
}

/** `Source: zim`, asked what a source package is: the value of a thing of that kind says not what the kind is. */
function isOfPart(question: Question, label: Labelled['tokens']): boolean {
  const term = askedTerm(question);
  if (!term?.asksKind) return false;
  return term.terms.some((j) => !label.some((token) => holdsTerm(question, token, j)));
}

/**
 * `Patient: Ann Moor`, asked with whom the patient lives: another line has a word of the question, no name, that says
 * more than the label.
 */
function isOfOtherLine(
  question: Question,
  { passage, match, titleMatch }: Labelled,
  label: Labelled['tokens'],
): boolean {
  const { terms, tokens } = question;
  let own = 0;
  terms.forEach(({ weight }, j) => {
    if (label.some((token) => holdsTerm(question, token, j))) own += weight;
  });
  return terms.some(({ term, word, weight }, j) => {
    if (weight <= own || isDegree(word) || passage.match[j]! < sameWord) return false;
    if (Math.max(match[j]!, titleMatch[j]!) >= relatedWord) return false;
    return tokens.some((token) => token.term === term && !token.capital);
  });
}

const labelOf = (candidate: Labelled): string | undefined =>
  candidate.unit.kind === 'row' ? undefined : lineLabel.exec(textOf(candidate))?.[1]?.toLowerCase();

/**
 * Whether an answer is one line of several of a section that have the same label, each with a value of its own, and none
 * has more of the question: `Price: 9 euros (bare)` beside `Price: 42 euros (with a lid)`.
 */
export function isOneOfAlike(question: Question, answer: readonly Candidate[], ranked: readonly Scored[]): boolean {
  const [only] = answer;
  if (only === undefined || answer.length > 1 || labelGain(question, only) === 0) return false;
  const label = labelOf(only);
  if (label === undefined || defaultGain(question, only) > 0) return false; // of the item that is named
  const alike = ranked.filter(
    ({ candidate }) =>
      candidate.passage === only.passage &&
      candidate.headings.at(-1) === only.headings.at(-1) &&
      labelOf(candidate) === label,
  );
  return alike.some(
    ({ candidate }) => textOf(candidate) !== textOf(only) && only.match.every((held, j) => held <= candidate.match[j]!),
  );
}

/** Whether a line says under a label all that is asked for, of the kind that is asked for: `Postage: 4.50 euros`. */
export function settlesLabel(question: Question, candidate: Candidate): boolean {
  const { type } = question;
  if (candidate.unit.kind === 'row' || type === 'other' || type === 'definition') return false;
  return labelGain(question, candidate) >= whollyHeld * gain;
}

/**
 * How much a row gains since its first cell, which says what it is about, has only words of the question: asked who
 * stands in for Ann Moor, the row of Ann Moor, and not the one where she stands in for somebody. A row of several
 * subjects gains if one of them is asked for; else 0.
 */
export function subjectGain(question: Question, candidate: Labelled): number {
  const { unit, tokens, holds } = candidate;
  if (headerTextOf(candidate) === '' || lacksFigure(question, holds) || isOfOtherColumn(question, candidate)) return 0;
  const found = rowLabel.exec(textOf(candidate));
  if (found === null) return 0;
  if (without.test(found[0]) !== without.test(question.text)) return 0; // `Without a crane` for a question about one
  const end = unit.start + found[0].length;
  const isNamed = (token: Labelled['tokens'][number]): boolean => holdsAnyTerm(question, token);
  const label = tokens.filter((token) => token.end <= end && !token.empty);
  if (label.length > 0 && label.every(isNamed)) return gainOfSubject;
  const asked = new Set(question.tokens.map(({ word }) => word));
  // Each word counts here: `Very common` is not what is common.
  const isPart = ({ start, end }: Span): boolean => {
    const part = tokens.filter((token) => token.start >= start && token.end <= end);
    return part.some(isNamed) && part.every((token) => isNamed(token) || asked.has(token.word));
  };
  return partsOf(found[1]!, found[0].indexOf(found[1]!), unit.start).some(isPart) ? gainOfSubject : 0;
}

/** `Edinburgh`, `Bristol` of `Edinburgh, Bristol`; `Common` of `Common (up to 1 in 10)` */
function partsOf(label: string, from: number, offset: number): Span[] {
  return [...label.replace(/[([].*$/u, '').matchAll(/[^,;/]+/gu)].map(({ 0: part, index }) => {
    const start = offset + from + index;
    return { start, end: start + part.length };
  });
}

/** What of a candidate tells whether it is labelled. */
export type Labelled = Pick<Candidate, 'passage' | 'index' | 'unit' | 'tokens' | 'titleMatch' | 'match' | 'holds'>;

function endOfLabel(question: Question, { passage, unit }: Labelled): number | undefined {
  const { type } = question;
  const { text } = passage.hit.chunk;
  const own = textOf({ passage, unit });
  if (unit.kind === 'row') {
    if (type === 'choice' || type === 'reason' || type === 'steps') return undefined; // a cell gives no reason
    const found = isHeader({ passage, unit }) ? null : rowLabel.exec(own);
    return found === null ? undefined : unit.start + found[0].length;
  }
  const found = headingLabel.exec(own) ?? lineLabel.exec(own) ?? priceLabel.exec(own);
  if (found === null) return undefined;
  const mayGoOn = asksNeeded(question) || boldLabel.test(own);
  if (!isLine(text, unit) && !(mayGoOn && beginsLine(text, unit)) && !isOfLabels(text, unit)) return undefined;
  if (headerOfMail({ passage, unit }) || isExample(text.slice(0, unit.start))) return undefined;
  return unit.start + found[0].length;
}

function isExample(before: string): boolean {
  return announcesExample.test(before.slice(-40));
}

function beginsLine(text: string, { start }: Pick<Unit, 'start'>): boolean {
  return !/[\p{L}\p{N}]/u.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start));
}

/** Alone on its line: a name with a colon may begin a sentence, as `Star Trek: Discovery is a series.` */
function isLine(text: string, { start, end }: Unit): boolean {
  return beginsLine(text, { start }) && text.slice(end, endOfLine(text, end)).trim() === '';
}

const shortLabel = /^[\s>*+•–-]*\p{Lu}[\p{L}-]*: (?=\S)/u;

/** `Present: Ann Moor, Bo Tarn. Excused: Cy Lund.`: the sentence and another one of its line begin with a label of a word. */
function isOfLabels(text: string, { start, end }: Unit): boolean {
  if (!shortLabel.test(text.slice(start, end))) return false;
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const behind = text.slice(end, text.indexOf('\n', end) + 1 || undefined);
  return line.trim() === '' ? shortLabel.test(behind) : shortLabel.test(line);
}

const asksNeeded = once(({ tokens }) => tokens.some(({ word }) => needWord.test(word)));

/** What labels of values are called, of the kind that the question asks for. */
const kindsOf = once((question): RegExp[] =>
  [labelFor(question.type), labelFor(unitAsked(question) ?? '')].filter((one) => one !== undefined),
);
