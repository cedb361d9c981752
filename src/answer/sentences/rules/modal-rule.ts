import { asksModal, saysModal } from '../../../text/languages/permission.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { holdsTerm, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 4;
/** Who may, and what. */
const fewestTerms = 2;

const asksWhether = once(({ text, terms }) => asksModal.test(text) && terms.length >= fewestTerms);

/**
 * How much a sentence gains since it says whether somebody may do just what is asked: `The tenant shall not assign the
 * lease`, asked whether the tenant can assign it. Who is asked about stands before that word, in the same clause, and all
 * else behind it.
 */
export function modalGain(question: Question, candidate: Candidate): number {
  const { unit, tokens, match } = candidate;
  if (unit.kind === 'row' || !asksWhether(question) || match.some((value) => value < sameWord)) return 0;
  const text = textOf(candidate);
  const said = saysModal.exec(text)?.index;
  if (said === undefined) return 0;
  const at = unit.start + said;
  const clause = unit.start + text.slice(0, said).search(/[^,;:]*$/);
  const who = tokens.filter(({ start }) => start >= clause && start < at);
  const what = tokens.filter(({ start }) => start >= at);
  const isHeld = (j: number, own: typeof tokens): boolean => own.some((token) => holdsTerm(question, token, j));
  const terms = [...match.keys()];
  return terms.some((act) => act > 0 && terms.every((j) => isHeld(j, j < act ? who : what))) ? gain : 0;
}
