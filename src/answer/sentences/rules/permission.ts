import { isCommonWord } from '../../../text/languages/common-words.ts';
import { languageOf } from '../../../text/languages/detect.ts';
import {
  asksObligation,
  asksPermission,
  asksToAct,
  isOfKind,
  leansOnPermission,
  saysObligation,
  saysPermission,
} from '../../../text/languages/permission.ts';
import { actAskedBy } from '../question/act-asked.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** What says that it may be done or must be, as it is asked; undefined where neither is. */
const saysAsked = once(({ text }): RegExp | undefined =>
  asksObligation.test(text) ? saysObligation : asksPermission.test(text) ? saysPermission : undefined,
);

/** On the scale of the trees. */
const gain = 6;

const actAsked = actAskedBy(asksToAct);

/**
 * Whether a sentence says if what is asked may be done or must be, be it in other words: of `Pets are not permitted`,
 * asked for a dog. It names what is to be done, what is asked for, or its kind, and all other words of the question
 * stand in its passage or over it. None of those that stand in another sentence alone weighs more than what it names:
 * of `Can I take the car to Ireland?`, the sentence that names Ireland says it.
 */
export function settlesPermission(question: Question, candidate: Candidate): boolean {
  const { unit, tokens, match, passage } = candidate;
  if (unit.kind === 'row' || saysAsked(question)?.test(textOf(candidate)) !== true) return false;
  let isNamed = false;
  let [own, elsewhere] = [0, 0];
  const act = actAsked(question);
  const isObliged = saysAsked(question) === saysObligation;
  const isOfLanguage = languageOf(passage.hit.chunk.text.slice(0, 300)) === question.language;
  const subject = whoWants(question);
  // the heading may name what is asked for, and the sentence say only who: `Children are not admitted.` below `Sauna`
  let isBelow = candidate.headingMatch.some((value) => value >= sameWord);
  for (const [j, { word, weight }] of question.terms.entries()) {
    // to have to pay is more than to have to
    if (isObliged ? j !== act && isCommonWord(word) : isCommonWord(word) || leansOnPermission.test(word)) continue;
    const isOwn = match[j]! >= sameWord || (isOfLanguage && tokens.some((token) => isOfKind(word, token.word)));
    if (j === act && !isOwn) return false;
    if (word === subject) isBelow &&= isOwn;
    else isNamed ||= isOwn;
    isBelow &&= isOwn || candidate.titleMatch[j]! >= sameWord;
    if (!isOwn && passage.match[j]! < sameWord) return false;
    if (isOwn) own += weight;
    else if (candidate.titleMatch[j]! < sameWord) elsewhere = Math.max(elsewhere, weight);
  }
  return isBelow || (isNamed && own >= elsewhere);
}

/** `children` in `May children take a phone?` */
const whoWants = once(({ text }) => asksToAct.exec(text)?.[0].split(' ').at(-1)?.toLowerCase());

/** How much such a sentence gains. */
export function permissionGain(question: Question, candidate: Candidate): number {
  return settlesPermission(question, candidate) ? gain : 0;
}
