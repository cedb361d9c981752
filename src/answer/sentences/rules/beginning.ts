import {
  asksBeginning,
  asksNextBeginning,
  beginningWord,
  saysBeginning,
  saysNextBeginning,
} from '../../../text/languages/beginnings.ts';
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
  const { holds, match, titleMatch } = candidate;
  if (holds.years === 0 && holds.dates === 0) return 0;
  const named = [...question.terms.keys()].filter((j) => !beginningWord.test(question.terms[j]!.word));
  if (!named.some((j) => match[j]! >= sameWord)) return 0;
  if (!named.every((j) => Math.max(match[j]!, titleMatch[j]!) >= sameWord)) return 0;
  const says = asksNextBeginning.test(question.text) ? saysNextBeginning : saysBeginning;
  return says.test(textOf(candidate)) ? gain : 0;
}
