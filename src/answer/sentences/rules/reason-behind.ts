import { tellsOtherwise, tellsPurpose } from '../../../text/languages/consequences.ts';
import { negation } from '../../../text/languages/negation.ts';
import type { Candidate } from '../question/candidate.ts';
import { coverage, type Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 4;
/** Of the weight of the question. */
const leastHeld = 0.75;

/**
 * Whether a sentence says what it is asked why it is so, and the next one begins with the reason: `This is to …`; or it
 * forbids what it is asked why it should not be done, and the next one says what would happen: `Never close the valve by
 * hand. If you do, the pump runs dry.`
 */
export function hasReasonBehind(question: Question, candidate: Candidate): boolean {
  const { passage, index, unit, match } = candidate;
  const next = passage.units[index + 1];
  if (question.type !== 'reason' || unit.kind === 'row' || next === undefined) return false;
  if (coverage(question, match) < leastHeld) return false;
  const behind = passage.hit.chunk.text.slice(next.start, next.end);
  const isForbidden = negation.test(question.text) && negation.test(textOf(candidate));
  return tellsPurpose.test(behind) || (isForbidden && tellsOtherwise.test(behind));
}

/** How much such a sentence gains. */
export function reasonBehindGain(question: Question, candidate: Candidate): number {
  return hasReasonBehind(question, candidate) ? gain : 0;
}
