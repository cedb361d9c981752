import { asksHowLongDone, asksHowLongToCome, endsInYear, spansTime } from '../../../text/languages/times.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, sameWord } from '../question/question.ts';
import { isDegree } from '../question/wanted.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 4;

const saidOf = once(({ text }): RegExp | undefined =>
  asksHowLongDone.test(text) ? spansTime : asksHowLongToCome.test(text) ? endsInYear : undefined,
);

/**
 * How much a sentence gains since it has both ends of just what is asked how long it lasted: `Ann Moor led the club from
 * 1996 until 1998.` Of what will be, the end is enough.
 */
export function lastingGain(question: Question, candidate: Candidate): number {
  const said = saidOf(question);
  if (said === undefined || candidate.unit.kind === 'row') return 0;
  const isHeld = question.terms.every(({ word }, j) => isDegree(word) || candidate.match[j]! >= sameWord);
  return isHeld && said.test(textOf(candidate)) ? gain : 0;
}
