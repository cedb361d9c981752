import { closesLetter, isOfLetter, letterSideAsked, opensLetter } from '../../../text/languages/letters.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { heldShare, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 8;
/** Of the weight of the words that say which letter. */
const leastHeld = 0.6;
const mostChars = 120;

const sideAsked = once(({ text }) => letterSideAsked(text));

/**
 * How much a line of a letter gains where its writer is asked for, or whom it is to: the name below `Yours sincerely`, or
 * `Dear Ann Moor`, of a letter that holds most other words of the question; else 0.
 */
export function letterGain(question: Question, candidate: Candidate): number {
  const side = sideAsked(question);
  if (side === undefined || candidate.unit.kind === 'row') return 0;
  const { passage, index } = candidate;
  const own = textOf(candidate);
  if (own.length > mostChars || !/\p{Lu}/u.test(own)) return 0;
  const before = passage.units[index - 1];
  const isIt =
    side === 'addressee' ? opensLetter(own) : before !== undefined && closesLetter(textOf({ passage, unit: before }));
  if (!isIt) return 0;
  const share = heldShare(
    question,
    (j) => (passage.match[j]! >= sameWord ? 1 : 0),
    ({ word }) => !isOfLetter(word),
  );
  return share !== undefined && share >= leastHeld ? gain : 0;
}
