import { isCommonWord } from '../../../text/languages/common-words.ts';
import { followsFromBefore } from '../../../text/languages/consequences.ts';
import type { Candidate } from '../question/candidate.ts';
import { heldShare, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: the reason stands before, in other words. */
const gain = 4;
/** Of a question's weight: with less, something else follows. */
const leastHeld = 0.55;
const fewestOwn = 2;

/**
 * How much a sentence gains since it says that just what is asked why follows from what stands before: `Therefore the
 * crane was painted red.` The sentence before it comes along.
 */
export function thereforeGain(question: Question, candidate: Candidate): number {
  if (question.type !== 'reason' || candidate.unit.kind === 'row') return 0;
  if (!followsFromBefore.test(textOf(candidate))) return 0;
  const { match, titleMatch } = candidate;
  const own = question.terms.filter(({ word }, j) => match[j]! >= sameWord && !isCommonWord(word));
  if (own.length < fewestOwn) return 0;
  const share = heldShare(
    question,
    (j) => Math.max(match[j]!, titleMatch[j]!),
    ({ word }) => !isCommonWord(word),
  );
  return share !== undefined && share >= leastHeld ? gain : 0;
}
