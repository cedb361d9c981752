import { tellsOtherwise } from '../../../text/languages/consequences.ts';
import { negation } from '../../../text/languages/negation.ts';
import type { Candidate } from '../question/candidate.ts';
import { coverage, type Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 4;
/** Of the weight of the question. */
const leastHeld = 0.75;

/**
 * Whether a sentence forbids what it is asked why it should not be done, and the next one says what would happen: `Never
 * close the valve by hand. If you do, the pump runs dry.`
 */
export function forbids(question: Question, candidate: Candidate): boolean {
  const { passage, index, unit, match } = candidate;
  if (question.type !== 'reason' || unit.kind === 'row' || !negation.test(question.text)) return false;
  if (!negation.test(textOf(candidate)) || coverage(question, match) < leastHeld) return false;
  const next = passage.units[index + 1];
  return next !== undefined && tellsOtherwise.test(passage.hit.chunk.text.slice(next.start, next.end));
}

/** How much such a sentence gains. */
export function forbidsGain(question: Question, candidate: Candidate): number {
  return forbids(question, candidate) ? gain : 0;
}
