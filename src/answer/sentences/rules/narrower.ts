import { ordinalBefore, ordinalIn, rankAsked, reachesTo } from '../../../text/languages/ranks.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const loss = -2;

interface Asked {
  readonly rank: RegExp;
  /** What it is the first of, and up to where: `first regatta in Haven`. */
  readonly within: RegExp;
}

const askedOf = once(({ text }): Asked | undefined => {
  const found = rankAsked.exec(text)?.groups;
  if (found === undefined || ordinalIn.test(text)) return undefined;
  const { rank, of } = found as { rank: string; of: string };
  return {
    rank: new RegExp(`(?<!\\p{L})${rank}(?!\\p{L})`, 'giu'),
    within: new RegExp(`^\\s+${of}\\s+${reachesTo}`, 'iu'),
  };
});

/**
 * Whether a sentence has the first or the greatest only of a smaller range than the question, or one that comes behind it:
 * `the first regatta in Haven`, asked for the first regatta; `the second largest`, asked for the largest.
 */
export function isNarrower(question: Question, candidate: Candidate): boolean {
  const asked = askedOf(question);
  if (asked === undefined || candidate.unit.kind === 'row') return false;
  const own = textOf(candidate);
  const said = [...own.matchAll(asked.rank)];
  return (
    said.length > 0 &&
    said.every(({ index, 0: rank }) => {
      if (ordinalBefore.test(own.slice(0, index))) return true;
      const where = asked.within.exec(own.slice(index + rank.length))?.groups?.where;
      return where !== undefined && /^\p{Lu}/u.test(where) && !question.known.has(where.toLowerCase());
    })
  );
}

/** What such a sentence loses. */
export function narrowerLoss(question: Question, candidate: Candidate): number {
  return isNarrower(question, candidate) ? loss : 0;
}
