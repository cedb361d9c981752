import { isCommonWord } from '../../../text/languages/common-words.ts';
import {
  asksPermission,
  asksToAct,
  isOfKind,
  leansOnPermission,
  saysPermission,
} from '../../../text/languages/permission.ts';
import { actAskedBy } from '../question/act-asked.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

const asksWhether = once(({ text }) => asksPermission.test(text));

/** On the scale of the trees. */
const gain = 6;

const actAsked = actAskedBy(asksToAct);

/**
 * Whether a sentence says if what is asked may be done, be it in other words: of `Pets are not permitted`, asked for a dog.
 * It names what is to be done, what is asked for, or its kind, and all other words of the question stand in its passage or over it.
 */
export function settlesPermission(question: Question, candidate: Candidate): boolean {
  const { unit, tokens, match, passage } = candidate;
  if (unit.kind === 'row' || !asksWhether(question) || !saysPermission.test(textOf(candidate))) return false;
  let isNamed = false;
  const act = actAsked(question);
  for (const [j, { word }] of question.terms.entries()) {
    if (isCommonWord(word) || leansOnPermission.test(word)) continue;
    const isOwn = match[j]! >= sameWord || tokens.some((token) => isOfKind(word, token.word));
    if (j === act && !isOwn) return false;
    isNamed ||= isOwn;
    if (!isOwn && passage.match[j]! < sameWord) return false;
  }
  return isNamed;
}

export function permissionGain(question: Question, candidate: Candidate): number {
  return settlesPermission(question, candidate) ? gain : 0;
}
