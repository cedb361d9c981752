import { asksWhatIsNot, deniesAnything, negation } from '../../../text/languages/negation.ts';
import type { Candidate } from '../question/candidate.ts';
import { coverage, type Question } from '../question/question.ts';
import { namesOver, textOf } from '../structure/unit-text.ts';

/** The share of a question's words from which a sentence says the same, or the opposite. */
const sameFrom = 0.5;
/** What announces a list may stand so far before its items. */
const farthest = 600;

/**
 * Whether it is asked what is not so, and a sentence with the words of the question denies nothing, nor does what stands
 * over it: `The policy covers fire and theft.`, asked what it does not cover.
 */
export function lacksNegation(question: Question, candidate: Candidate): boolean {
  const { passage, unit, match } = candidate;
  if (question.type === 'reason' || question.type === 'steps' || unit.kind === 'row') return false;
  if (!asksWhatIsNot(question.text) || coverage(question, match) < sameFrom) return false;
  const before = passage.hit.chunk.text.slice(Math.max(0, unit.start - farthest), unit.start);
  const lead = before.match(/[^\n]*:(?=\s*\n)/g)?.at(-1) ?? '';
  const said = [textOf(candidate), lead, ...namesOver(candidate)];
  return !said.some((text) => negation.test(text) || deniesAnything.test(text));
}
