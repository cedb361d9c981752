import { allows, asksRule, forbids, saysException } from '../../../text/languages/exceptions.ts';
import { type Candidate, termsOf } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

const wantsRule = once(({ text, type }) => type === 'choice' || asksRule.test(text));

/**
 * Whether a sentence says where the rule of the one before it does not hold, and the question asks for a rule: it says so
 * itself, or it allows something of the same behind what forbids. `Dogs may not come in. Guide dogs may.`
 */
export function isException(question: Question, rule: Candidate, next: Candidate): boolean {
  if (!wantsRule(question) || next.unit.kind === 'row') return false;
  const own = textOf(next);
  if (saysException.test(own)) return true;
  if (!allows.test(own) || forbids.test(own) || !forbids.test(textOf(rule))) return false;
  return next.match.some((held) => held >= sameWord) || [...termsOf(next)].some((term) => termsOf(rule).has(term));
}
