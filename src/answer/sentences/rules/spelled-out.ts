import { asksLetters, saysStandsFor } from '../../../text/languages/definitions.ts';
import { isFunctionWord } from '../../../text/languages/function-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { askedTerm } from '../question/defined.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { betweenNames } from '../structure/dictionary.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: where it is asked what the letters stand for, and where it is asked what the thing is. */
const gain = 7;
const gainOfThing = 3;
/** Two letters begin two neighbouring words by chance: there it must stand beside them in brackets or as a label. */
const byThemselves = 3;
const mostLetters = 8;

interface Abbreviation {
  readonly text: string;
  readonly letters: string;
}

/** `NMU` of `What does NMU stand for?`: one word with two capital letters or more, those with figures included. */
const abbreviationIn = once((question): Abbreviation | undefined => {
  const term = askedTerm(question);
  const word = term?.terms.length === 1 && !term.asksUse ? question.terms[term.terms[0]!]!.term : undefined;
  const token = question.tokens.find((one) => one.term === word);
  if (token === undefined) return undefined;
  const text = question.text.slice(token.start, token.end);
  const letters = text.replace(/[^\p{Lu}\p{N}]/gu, '').toLowerCase();
  return letters.length < 2 || letters.length > mostLetters ? undefined : { text, letters };
});

/**
 * How much a sentence gains since it spells out the abbreviation that is asked for, beside it or below it as an entry:
 * neighbouring words begin with its letters, in order. Small words between them may be left out.
 */
export function spelledGain(question: Question, candidate: Candidate): number {
  if (!spellsOut(question, candidate)) return 0;
  return asksLetters.test(question.text) ? gain : gainOfThing;
}

/** Whether a sentence answers as it spells out what is asked for, however few words of the question it has. */
export function settlesLetters(question: Question, candidate: Candidate): boolean {
  return asksLetters.test(question.text) && spellsOut(question, candidate);
}

function spellsOut(question: Question, candidate: Candidate): boolean {
  const asked = abbreviationIn(question);
  if (asked === undefined) return false;
  const text = textOf(candidate);
  const words = [...text.matchAll(/\p{L}[\p{L}\p{M}'’]*|\p{N}+/gu)].map(({ 0: word, index }) => ({ word, index }));
  const isName =
    candidate.headings.at(-1)?.split(betweenNames).includes(asked.text) === true ||
    (asksLetters.test(question.text) && saysStandsFor.test(text) && isNamedBefore(asked.text, candidate));
  if (!isName && !words.some(({ word }) => word === asked.text)) return false;
  return words.some(({ word, index }, i) => {
    if (word === asked.text || startOf(word, asked.letters) < 0) return false;
    const end = spelled(
      words.slice(i).map((one) => one.word),
      asked.letters,
    );
    if (end < 2) return false;
    const last = words[i + end - 1]!;
    return asked.letters.length >= byThemselves || isBeside(text, asked.text, index, last.index + last.word.length);
  });
}

/** Whether the paragraph names it before the sentence: `The name stands for …`. */
function isNamedBefore(name: string, { passage, unit }: Candidate): boolean {
  const paragraph = passage.hit.chunk.text
    .slice(0, unit.start)
    .split(/\n[ \t]*\n/)
    .at(-1)!;
  return paragraph.split(/[^\p{L}\p{N}]+/u).includes(name);
}

/** `tide table (TT)`, `TT: tide table`, `TT` over `tide table` */
function isBeside(text: string, abbreviation: string, start: number, end: number): boolean {
  if (
    text
      .slice(end)
      .replace(/^["'”’)\s]*[([]["'“‘]?/, '(')
      .startsWith(`(${abbreviation}`)
  )
    return true;
  const before = text.slice(0, start).replace(/["'“‘]+$/, '');
  return /(?:[([:–—=]|\n)\s*$/.test(before) && before.replace(/[\s([:–—="'”’]+$/, '').endsWith(abbreviation);
}

/** Whether neighbouring words of a text begin with these letters, in order. */
export function spellsLetters(text: string, letters: string): boolean {
  const words = text.match(/\p{L}[\p{L}\p{M}'’]*/gu) ?? [];
  return words.some(
    (word, i) => startOf(word, letters) >= 0 && spelled(words.slice(i, i + 2 * letters.length), letters) >= 2,
  );
}

/** How many of the words, from the first on, have all letters in order; negative where they have not. */
function spelled(words: readonly string[], letters: string, isFirst: boolean = true): number {
  if (letters === '') return 0;
  const [word, ...rest] = words;
  if (word === undefined) return -1;
  for (let from = startOf(word, letters), count = 1; from >= 0; count++) {
    const behind = spelled(rest, letters.slice(count), false);
    if (behind >= 0) return behind + 1;
    from = count < letters.length ? nextLetter(word, letters[count]!, from + 1) : -1;
  }
  if (isFirst || !isFunctionWord(word.toLowerCase(), false)) return -1;
  const behind = spelled(rest, letters, false);
  return behind < 0 ? -1 : behind + 1;
}

/** `X` stands for `extended` as well. */
function startOf(word: string, letters: string): number {
  const low = word.toLowerCase();
  return low[0] === letters[0] ? 0 : letters[0] === 'x' && low.startsWith('ex') ? 1 : -1;
}

/** A word may give its next letter, as in `ALGOrithm`, or a capital inside it, as in `HyperText`. */
function nextLetter(word: string, wanted: string, from: number): number {
  for (let at = from; at < word.length; at++) {
    if (word[at]!.toLowerCase() === wanted && (at === from || /\p{Lu}/u.test(word[at]!))) return at;
  }
  return -1;
}
