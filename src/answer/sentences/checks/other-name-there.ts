import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { isDateWord } from '../../../text/languages/question-words.ts';
import { isAlikeName, isShortForm } from '../question/alike-names.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { isSame, matchOf, type Question } from '../question/question.ts';

/** Before a name, whatever it is. */
const titleOfPerson =
  /^(?:president|king|queen|emperor|empress|pope|sir|lord|lady|mr|mrs|ms|dr|professor|captain|general|saint|st|prince|princess|duke|duchess|count|judge|justice|senator|governor|minister)$/;

interface Placed {
  readonly name: AnalysedWord;
  /** Its place among the terms of the question, and among its words. */
  readonly j: number;
  readonly i: number;
}

const placedNames = once(({ text, tokens, terms, language }: Question): readonly Placed[] =>
  language === 'de' || tokens.every(({ empty, capital }) => empty || capital)
    ? []
    : tokens.flatMap((name, i) => {
        if (!name.capital || name.empty || name.numeric || name.unspaced) return [];
        if (isShortForm(text, name) || isDateWord(name.word)) return [];
        const j = terms.findIndex(({ term }) => term === name.term);
        return j < 0 ? [] : [{ name, j, i }];
      }),
);

/**
 * Whether a sentence has another name in the place of one that the question gives: `Orban lost at Lindau`, asked who lost
 * at Tarnow.
 */
export function hasOtherNameThere(question: Question, candidate: Candidate): boolean {
  const { tokens: asked } = question;
  const { tokens, match, titleMatch, passage } = candidate;
  return placedNames(question).some(({ name, j, i }) => {
    if (match[j]! > 0 || titleMatch[j]! > 0) return false;
    const isOther = (k: number): boolean => {
      const other = tokens[k];
      return other !== undefined && isOtherName(question, name, other, passage.hit.chunk.text);
    };
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
