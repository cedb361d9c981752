import { asksModal, saysModal } from '../../../text/languages/permission.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchOf, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 4;
/** Who may, and what. */
const fewestTerms = 2;

const asksWhether = once(({ text, terms }) => asksModal.test(text) && terms.length >= fewestTerms);

/**
 * How much a sentence gains since it says whether somebody may do just what is asked: `The tenant shall not assign
 * the lease`, asked whether the tenant can assign it. Who is asked about stands before that word, in the same clause, and all else behind it.
 */
export function modalGain(question: Question, candidate: Candidate): number {
  const { unit, tokens, match } = candidate;
  if (unit.kind === 'row' || !asksWhether(question) || match.some((value) => value < sameWord)) return 0;
  const said = saysModal.exec(textOf(candidate));
  if (said === null) return 0;
  const at = unit.start + said.index;
  const from =
    unit.start +
    textOf(candidate)
      .slice(0, said.index)
      .search(/[^,;:]*$/);
  const holds = (j: number, isBefore: boolean): boolean =>
    tokens.some(
      (token) =>
        (isBefore ? token.start < at && token.start >= from : token.start >= at) &&
        (matchOf(question, token)?.[j] ?? 0) >= sameWord,
    );
  const terms = [...match.keys()];
  return terms.some((act) => act > 0 && terms.every((j) => holds(j, j < act))) ? gain : 0;
}
