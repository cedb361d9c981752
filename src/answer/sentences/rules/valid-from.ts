import { asksValidity, saysValidity, validityWord } from '../../../text/languages/beginnings.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 5;

const asks = once(({ text, type }: Question) => type === 'date' && asksValidity.test(text));

/**
 * How much a sentence gains since it dates from when on something is valid, and it or what stands over it names all that
 * is asked about: `Valid from 1 May 2026.` below `Travel policy`.
 */
export function validFromGain(question: Question, { passage, unit, match, titleMatch, holds }: Candidate): number {
  if (!asks(question) || holds.years + holds.dates === 0 || !saysValidity.test(textOf({ passage, unit }))) return 0;
  const isNamed = question.terms.every(
    ({ word }, j) => validityWord.test(word) || Math.max(match[j]!, titleMatch[j]!) >= sameWord,
  );
  return isNamed ? gain : 0;
}
