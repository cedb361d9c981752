import { smallNumber } from '../../../text/languages/members-asked.ts';
import { betweenMembers, countedMembersAsked, membersListed } from '../../../text/languages/members-counted.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { heldShare, holdsTerm, positionOf, type Question } from '../question/question.ts';

/** On the scale of the trees: a list of members has few words of a question. */
const gain = 4;
const loss = -3;
const leastHeld = 0.6;
const byPassage = 0.5;
/** Words between a number and the name of what it counts: `two main domains`. */
const reach = 3;

interface Asked {
  readonly count: number;
  /** Position of the term that names the kind. */
  readonly kind: number;
}

/** `two main domains`: the plural, or the noun with its capital. */
const nouns: Readonly<Record<string, RegExp>> = { en: /s$/u, de: /^\p{Lu}/u };

const asked: (question: Question) => Asked | undefined = once(({ text, tokens, terms, language }) => {
  const found = countedMembersAsked(text);
  if (found === undefined) return undefined;
  const behind = tokens.filter(({ start }) => start >= found.from);
  const end = behind.findIndex(({ empty }) => empty);
  const named = (end < 0 ? behind : behind.slice(0, end)).slice(0, reach);
  const noun = named.find(({ start, end }) => nouns[language]?.test(text.slice(start, end))) ?? named[0];
  const kind = positionOf({ terms }, noun);
  return kind < 0 ? undefined : { count: found.count, kind };
});

/** What stands behind `two domains` in a sentence; undefined where it does not count so many of the kind. */
function behindCount(question: Question, { tokens, unit, passage }: Candidate): string | undefined {
  const wanted = asked(question);
  if (wanted === undefined || unit.kind === 'row') return undefined;
  for (const [i, token] of tokens.entries()) {
    if (smallNumber(token.word) !== wanted.count) continue;
    const kind = tokens.slice(i + 1, i + 1 + reach).find((next) => holdsTerm(question, next, wanted.kind));
    if (kind !== undefined) return passage.hit.chunk.text.slice(kind.end, unit.end);
  }
  return undefined;
}

/** Whether a sentence names as many members as it says there are. */
function namesThem(question: Question, behind: string): boolean {
  const list = membersListed.exec(behind)?.groups?.list;
  return list !== undefined && list.split(betweenMembers).length >= asked(question)!.count;
}

/** `… from two domains.` */
const bare = /^(?:\s*[\])]?[.!…]|\s*$)/u;

/** Whether a sentence says how many there are, and none of them. */
export function onlyCounts(question: Question, candidate: Candidate): boolean {
  const behind = behindCount(question, candidate);
  return behind !== undefined && bare.test(behind);
}

/** How much a sentence gains since it names the members that are asked for: `two domains: dialog and e-commerce`. */
export function membersGain(question: Question, candidate: Candidate): number {
  const behind = behindCount(question, candidate);
  if (behind === undefined || !namesThem(question, behind)) return 0;
  const { match, titleMatch, passage } = candidate;
  const share = heldShare(
    question,
    (j) => Math.max(match[j]!, titleMatch[j]!, byPassage * passage.match[j]!),
    () => true,
  );
  return share !== undefined && share >= leastHeld ? gain : 0;
}

/** Where one sentence names the members, others that only count them lose. */
export function onlyCountedLosses(
  question: Question,
  candidates: readonly Candidate[],
): (candidate: Candidate) => number {
  if (asked(question) === undefined || !candidates.some((one) => membersGain(question, one) > 0)) return () => 0;
  return (candidate) => (onlyCounts(question, candidate) ? loss : 0);
}
