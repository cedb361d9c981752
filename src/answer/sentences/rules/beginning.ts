import {
  asksBeginner,
  asksBeginning,
  asksEnding,
  asksIssue,
  asksNextBeginning,
  beginnerWord,
  beginningWord,
  saysBeginner,
  saysBeginning,
  saysNextBeginning,
  tellsBeginning,
  tellsEnding,
} from '../../../text/languages/beginnings.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 4;

const wantsBeginning = once(({ text, type }) => type === 'date' && asksBeginning.test(text));

/**
 * How much a sentence gains since it dates the beginning of what the question asks about, in another word than that: `The
 * mill was founded in 1804.`, asked when it began. A name of the question stands in it, all others there or over it.
 */
export function beginningGain(question: Question, candidate: Candidate): number {
  if (!wantsBeginning(question) || candidate.unit.kind === 'row') return 0;
  const { holds } = candidate;
  const isNext = asksNextBeginning.test(question.text);
  const hasTime = holds.years > 0 || holds.dates > 0 || (isNext && holds.recurs);
  if (!hasTime || !isOf(question, candidate)) return 0;
  const says = isNext ? saysNextBeginning : saysBeginning;
  return says.test(textOf(candidate)) ? gain : 0;
}

/** Whether a sentence has a name of what the question asks the beginning of, and it or what stands over it all others. */
function isOf(question: Question, { match, titleMatch }: Candidate): boolean {
  const { terms } = question;
  const named = [...terms.keys()].filter((j) => !isOfBeginning(question, terms[j]!.word));
  if (!named.some((j) => match[j]! >= sameWord)) return false;
  return named.every((j) => Math.max(match[j]!, titleMatch[j]!) >= sameWord);
}

/** Whether a sentence has the date of the beginning, or who began it, and itself all names of what it is. */
export function settlesBeginning(question: Question, candidate: Candidate): boolean {
  if (beginningGain(question, candidate) + beginnerGain(question, candidate) === 0) return false;
  return question.terms.every(({ word }, j) => isOfBeginning(question, word) || candidate.match[j]! >= sameWord);
}

const wantsEnding = once(({ text, type }) => type === 'date' && asksEnding.test(text));

/** Whether a sentence only tells of a beginning, where it is asked when something ended: `It was founded in 1804.` */
export function lacksEnding(question: Question, candidate: Candidate): boolean {
  if (!wantsEnding(question)) return false;
  const text = textOf(candidate);
  return tellsBeginning.test(text) && !tellsEnding.test(text);
}

/** Of several issues, `first` says which. */
const isOfBeginning = ({ text }: Question, word: string): boolean =>
  beginnerWord.test(word) || (beginningWord.test(word) && !(word === 'first' && asksIssue.test(text)));

const wantsBeginner = once(({ text, type }) => type === 'person' && asksBeginner.test(text));

/** How much a sentence gains since it names who began what the question asks about: `founded by Ann Moor`, asked who started it. */
export function beginnerGain(question: Question, candidate: Candidate): number {
  if (!wantsBeginner(question) || candidate.unit.kind === 'row' || !isOf(question, candidate)) return 0;
  const isNamed = Array.from(
    textOf(candidate).matchAll(saysBeginner),
    ({ groups }) => groups!.by ?? groups!.who ?? groups!.founder!,
  ).some((name) => !question.known.has(name.toLowerCase()) && !isCommonWord(name.toLowerCase()));
  return isNamed ? gain : 0;
}
