import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { leadingPronoun } from '../../../text/languages/pronouns.ts';
import { isDateWord } from '../../../text/languages/question-words.ts';
import { isAlikeName, isShortForm } from '../question/alike-names.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { isSame, matchOf, positionOf, type Question, type QuestionTerm } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** Before a name, whatever it is. */
const titleOfPerson =
  /^(?:president|king|queen|emperor|empress|pope|sir|lord|lady|mr|mrs|ms|dr|professor|captain|general|saint|st|prince|princess|duke|duchess|count|judge|justice|senator|governor|minister)$/;

interface Placed {
  readonly name: AnalysedWord;
  /** Its place among the terms of the question, and among its words. */
  readonly j: number;
  readonly i: number;
}

/** The first word of a question has a capital anyway: `Post 2008 students …`, `Oddly, the crew …`, and what no text has. */
const isNameAtFirst = (
  text: string,
  [first, next]: readonly AnalysedWord[],
  { documentFrequency }: QuestionTerm,
): boolean => documentFrequency > 0 && next?.numeric !== true && text[first!.end] !== ',';

const placedNames = once(({ text, tokens, terms, language }: Question): readonly Placed[] =>
  language === 'de' || tokens.every(({ empty, capital }) => empty || capital)
    ? []
    : tokens.flatMap((name, i) => {
        if (!name.capital || name.empty || name.numeric || name.unspaced) return [];
        if (isShortForm(text, name) || isDateWord(name.word)) return [];
        const j = positionOf({ terms }, name);
        if (j < 0 || (i === 0 && !isNameAtFirst(text, tokens, terms[j]!))) return [];
        return [{ name, j, i }];
      }),
);

/**
 * Whether a sentence has another name in the place of one that the question gives: `Orban lost at Lindau`, asked who lost
 * at Tarnow.
 */
export function hasOtherNameThere(question: Question, candidate: Candidate): boolean {
  return hasOtherThan(question, candidate, [candidate.match, candidate.titleMatch]);
}

/** @param held what has the names of a question, so that no other one stands in their place */
function hasOtherThan(question: Question, candidate: Candidate, held: readonly ArrayLike<number>[]): boolean {
  const { tokens: asked } = question;
  const { tokens, passage } = candidate;
  return placedNames(question).some(({ name, j, i }) => {
    if (held.some((match) => match[j]! > 0)) return false;
    const isOther = (k: number): boolean => {
      const other = tokens[k];
      return other !== undefined && isOtherName(question, name, other, passage.hit.chunk.text);
    };
    // `Moor`, asked about Ann Moor, beside her sister Eva Moor
    const surname = asked[i + 1];
    const isAlone = (one: AnalysedWord, k: number): boolean =>
      isSame(question, surname!, one) && !isOther(k - 1) && tokens[k - 1]?.word !== 'the';
    if (surname?.capital === true && !surname.empty && tokens.some(isAlone)) return false;
    const isTheSame = (a: AnalysedWord | undefined, b: AnalysedWord | undefined): boolean =>
      a?.empty === false && isSame(question, a, b);
    return tokens.some(
      (_, k) =>
        isOther(k) &&
        (isTheSame(asked[i + 1], tokens[k + 1]) ||
          isTheSame(asked[i - 1], tokens[k - 1]) ||
          (isJoining(asked[i + 1], tokens[k + 1]) && isTheSame(asked[i + 2], tokens[k + 2])) ||
          (isJoining(asked[i - 1], tokens[k - 1]) && isTheSame(asked[i - 2], tokens[k - 2]))),
    );
  });
}

const isJoining = (asked: AnalysedWord | undefined, found: AnalysedWord | undefined): boolean =>
  asked?.empty === true && asked.word === found?.word;

function isOtherName(question: Question, name: AnalysedWord, other: AnalysedWord, text: string): boolean {
  if (!other.capital || other.empty || other.numeric || isDateWord(other.word) || isCommonWord(other.word))
    return false;
  if (isShortForm(text, other) || question.known.has(other.word)) return false;
  if (matchOf(question, other)?.some((one) => one > 0)) return false;
  if (titleOfPerson.test(other.word) && !titleOfPerson.test(name.word)) return false;
  return !isAlikeName(name.word, other.word);
}

/** Whether `It was founded in 1921.` is said of another name: that of the sentence before it, which it cannot do without. */
export function leansOnOtherName(question: Question, said: readonly Candidate[], ranked: readonly Scored[]): boolean {
  const [first] = said;
  if (first === undefined || !leadingPronoun.test(textOf(first))) return false;
  const before = ranked.find(
    ({ candidate: { passage, index } }) => passage === first.passage && index === first.index - 1,
  );
  return (
    before !== undefined && hasOtherThan(question, before.candidate, [first.passage.match, first.passage.titleMatch])
  );
}
