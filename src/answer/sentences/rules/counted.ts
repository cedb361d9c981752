import { asksCounter, countedDone } from '../../../text/languages/counting.ts';
import { asksHowOften, saysHowOften, saysNotHowOften, statesHowOften } from '../../../text/languages/how-often.ts';
import { leadingPerson } from '../../../text/languages/pronouns.ts';
import { isNumberWord, isYear } from '../../../text/languages/question-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { countedTerms } from '../question/counted-terms.ts';
import { countsPart, isOfCode } from '../question/holdings.ts';
import { once } from '../question/once.ts';
import { heldShare, holdsTerm, isSame, positionsOf, type Question, sameWord } from '../question/question.ts';
import { isDegree } from '../question/wanted.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 2.2;
/** Of a sentence whose only figures are years, which count nothing. */
const lossOfYears = -2;
/** Words between a number and the things it counts, as in `nine active justices`. */
const reach = 3;
function counts(question: Question, { tokens, passage }: Candidate, wanted: readonly number[]): boolean {
  const { text } = passage.hit.chunk;
  const isWanted = (token: Candidate['tokens'][number]): boolean => wanted.some((j) => holdsTerm(question, token, j));
  return tokens.some(({ numeric, word, start, end }, i) => {
    if (!(numeric || isNumberWord(word)) || isYear(word) || question.known.has(word)) return false;
    if (!tokens.slice(i + 1, i + 1 + reach).some(isWanted)) return false;
    return !countsPart(tokens, i) && !isOfCode(text, start, end);
  });
}

/** Whether a sentence counts what the question wants counted, and has every word of it, or its title and headings do. */
export function countsAll(question: Question, candidate: Candidate): boolean {
  const wanted = countedTerms(question);
  if (wanted.length === 0 || candidate.unit.kind === 'row' || !counts(question, candidate, wanted)) return false;
  const { match, titleMatch } = candidate;
  const named = standsForName(question, candidate);
  return question.terms.every(
    ({ word }, j) => isDegree(word) || named.has(j) || Math.max(match[j]!, titleMatch[j]!) >= sameWord,
  );
}

const noteMarks = /^(?:\s*\[\p{N}+\])+\s*/u;
const leastOfName = 0.4;

/** Positions of the terms of a name that `he` or `she` at the beginning of a sentence stands for: its passage has it. */
function standsForName(question: Question, candidate: Candidate): ReadonlySet<number> {
  const named = namesAsked(question);
  if (named.size === 0 || !leadingPerson.test(textOf(candidate).replace(noteMarks, ''))) return new Set();
  const { match, passage } = candidate;
  const missing = [...named].filter((j) => match[j]! < sameWord);
  const weightOf = (some: readonly number[]): number => some.reduce((sum, j) => sum + question.terms[j]!.weight, 0);
  const found = missing.filter((j) => passage.match[j]! >= sameWord);
  return new Set(weightOf(found) >= leastOfName * weightOf(missing) ? missing : []);
}

/** Before a counter of Japanese or Chinese: `3人`. */
const numberAtEnd = /\p{N}[^。]{0,2}$/u;

/** The thing itself is left out, and so are most words of the question. */
const gainOfDone = 9;
const leastOfDone = 0.7;

/**
 * How much a sentence gains since its number stands before what was done: `Of the 846 enrolled`, asked how many people
 * were enrolled.
 */
export function doneGain(question: Question, { tokens, titleMatch, match }: Candidate): number {
  const verb = countedDone.exec(question.text)?.groups?.verb?.toLowerCase();
  const asked = verb === undefined ? undefined : question.tokens.find(({ word }) => word === verb);
  if (asked === undefined) return 0;
  const isCounted = tokens.some(
    ({ numeric, word }, i) =>
      numeric && !isYear(word) && !question.known.has(word) && isSame(question, asked, tokens[i + 1]),
  );
  if (!isCounted) return 0;
  const wanted = countedTerms(question);
  // what else is asked about: `in the spring trial`
  const held = heldShare(
    question,
    (j) => Math.max(match[j]!, titleMatch[j]!),
    ({ term, word }) => !isDegree(word) && !wanted.some((j) => question.terms[j]!.term === term),
  );
  return held === undefined || held < leastOfDone ? 0 : gainOfDone;
}

const gainOfOften = 4;

/**
 * How much a sentence gains since it says how often just that happens: it has every word of the question, but for names,
 * which may stand over it or in its passage.
 */
export function oftenGain(question: Question, candidate: Candidate): number {
  if (!asksHowOften.test(question.text) || candidate.unit.kind === 'row' || !statesHowOften(textOf(candidate)))
    return 0;
  const { match, titleMatch, passage } = candidate;
  const named = namesAsked(question);
  const isHeld = (j: number): boolean =>
    match[j]! >= sameWord || (named.has(j) && Math.max(titleMatch[j]!, passage.match[j]!) >= sameWord);
  const told = question.terms.flatMap(({ word }, j) => (isDegree(word) ? [] : [j]));
  return told.some((j) => match[j]! >= sameWord) && told.every(isHeld) ? gainOfOften : 0;
}

/** Whether it is asked how often something happens, and a sentence says nothing of that. */
export function lacksFrequency({ text, language }: Question, candidate: Candidate): boolean {
  if (!ofLanguages.has(language) || candidate.unit.kind === 'row' || !asksHowOften.test(text)) return false;
  return !candidate.holds.recurs && saysNotHowOften(textOf(candidate));
}
const ofLanguages: ReadonlySet<string> = new Set(['en', 'de', 'fr', 'es', 'it']);

/** Positions of the terms that the question writes with a capital, behind its first word, and of the parts of such words. */
const namesAsked = once(({ tokens, terms, language }: Question): ReadonlySet<number> => {
  const starts = new Set(tokens.flatMap(({ capital, start }) => (capital && start > 0 ? [start] : [])));
  const named = language === 'de' ? [] : tokens.filter(({ start }) => starts.has(start));
  return new Set(positionsOf({ terms }, named));
});

/** Whether a sentence says how often something happens, and has every word of the question itself. */
export function settlesHowOften(question: Question, candidate: Candidate): boolean {
  if (!asksHowOften.test(question.text) || !saysHowOften(textOf(candidate))) return false;
  return question.terms.every(({ word }, j) => isDegree(word) || candidate.match[j]! >= sameWord);
}

/**
 * How much a sentence gains since it counts what the question wants counted, or says how often it happens, or loses since
 * it counts nothing.
 */
export function countGain(question: Question, candidate: Candidate): number {
  const { unit, holds } = candidate;
  if (asksHowOften.test(question.text)) return saysHowOften(textOf(candidate)) ? gain : 0;
  const counter = asksCounter.exec(question.text)?.[1];
  if (counter !== undefined) {
    const parts = textOf(candidate).split(counter).slice(0, -1);
    return parts.some((before) => numberAtEnd.test(before)) ? gain : 0;
  }
  const wanted = countedTerms(question);
  if (wanted.length === 0 || unit.kind === 'row') return 0;
  if (counts(question, candidate, wanted)) return gain;
  return holds.years > 0 && holds.numbers === 0 ? lossOfYears : 0;
}
