import { analyseWords } from '../../../text/analysis/words.ts';
import { isFunctionWord } from '../../../text/languages/function-words.ts';
import { isFigureWord, isNumberWord } from '../../../text/languages/question-words.ts';
import { asksDuration, beforeTime, lastsWord } from '../../../text/languages/times.ts';
import { articleBefore, asksValueFor } from '../../../text/languages/values-asked.ts';
import type { Candidate } from '../question/candidate.ts';
import { holdsTerm, matchTerms, positionOf, type Question, relatedWord } from '../question/question.ts';
import { isDegree } from '../question/wanted.ts';
import { wholeText } from '../structure/unit-text.ts';
import { isClaim } from './findings.ts';

const goesBetween = 2;
/** `after a break of two hours` */
const ofSoMuch = /^(?:of|for|lasting|von|de|di|d['’])$/u;

/**
 * Whether it is asked how long something takes, and a sentence has that only as the time in which something else is so:
 * the days of `After the trial the crew has ten days` are not those of the trial.
 */
export function isOfItsTime(question: Question, { unit, tokens }: Candidate): boolean {
  if (unit.kind === 'row' || !asksDuration.test(question.text)) return false;
  const [first = -1, ...others] = question.terms.flatMap(({ word }, j) =>
    isDegree(word) || lastsWord.test(word) ? [] : [j],
  );
  if (first < 0) return false;
  const holds = (at: number, j: number): boolean => holdsTerm(question, tokens[at], j);
  const places = [...tokens.keys()].filter((at) => holds(at, first));
  return (
    places.length > 0 &&
    places.every((at) => {
      const last = others.reduce((end, j) => (end + 1 < tokens.length && holds(end + 1, j) ? end + 1 : end), at);
      if (ofSoMuch.test(tokens[last + 1]?.word ?? '')) return false;
      for (let before = at - 1; before >= Math.max(0, at - 1 - goesBetween); before--) {
        const { word, numeric } = tokens[before]!;
        if (beforeTime.test(word)) return true;
        if (numeric || isNumberWord(word) || isFigureWord(word) || !isFunctionWord(word, false)) return false;
      }
      return false;
    })
  );
}

/** On the scale of the trees. */
export function itsTimeLoss(question: Question, candidate: Candidate): number {
  return isOfItsTime(question, candidate) ? -2 : 0;
}

/** `the reason for leaving Rome` is of no thing. */
const doing = /^\p{L}{2,}ing$/u;

/**
 * Whether a value is asked for something, and a word of that stands neither in the sentence nor over it nor in its
 * passage, in no form that is about the same: the toll of boats, where that of barges is asked for.
 */
export function isForOther(question: Question, { passage, unit, match, titleMatch }: Candidate): boolean {
  const asked = isClaim(question) || unit.kind === 'row' ? null : asksValueFor.exec(question.text);
  if (asked === null) return false;
  const at = asked.index + asked[0].length;
  const behind = question.tokens.filter(({ start, word }) => start >= at && !articleBefore.test(word));
  const end = behind.findIndex(({ empty, word }) => empty || beforeTime.test(word));
  const own = behind.slice(0, end < 0 ? undefined : end);
  if (doing.test(own[0]?.word ?? '') && own.length > 1) return false;
  const named = own.map((word) => positionOf(question, word));
  if (named.length === 0 || named.includes(-1)) return false;
  const around = matchTerms(question, analyseWords(wholeText(passage)));
  return named.some((j) => Math.max(match[j]!, titleMatch[j]!, around[j]!) < relatedWord);
}
