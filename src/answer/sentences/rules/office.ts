import { isCommonWord } from '../../../text/languages/common-words.ts';
import {
  articleOfOffice,
  asksOffice,
  besideName,
  besideOffice,
  doesOfOffice,
  entersOffice,
  isHeldBy,
  otherOffice,
} from '../../../text/languages/offices.ts';
import { isYear } from '../../../text/languages/question-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { holdsTerm, positionOf, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 4;

/** `Joan Abara`, `Dr Abara` */
const name = /\p{Lu}[\p{L}.'’-]+ \p{Lu}[\p{L}'’-]+/u;
/** How far a name stands before the office that it takes. */
const nameWithin = 90;

/** Positions among the terms. */
interface OfficeAsked {
  readonly office: number;
  /** Of the word before it, that says which one: `board` of `the board president`; -1 without one. */
  readonly kind: number;
}

const officeAsked = once(({ text, tokens, terms, type }: Question): OfficeAsked | undefined => {
  const { office: found, kind } = (type === 'person' && asksOffice.exec(text)?.groups) || {};
  if (found === undefined) return undefined;
  const start = text.lastIndexOf(found);
  const at = tokens.findIndex((one) => one.start === start && !one.empty);
  const termAt = (place: number): number => positionOf({ terms }, tokens[place]);
  const asked = { office: termAt(at), kind: kind === undefined ? -1 : termAt(at - 1) };
  return at < 0 || asked.office < 0 || (kind !== undefined && asked.kind < 0) ? undefined : asked;
});

/**
 * How much a sentence gains since it says who has the office that is asked for, or takes it: of the treasurer,
 * `Joan Abara replaces Tom Leigh as treasurer.`
 */
export function officeGain(question: Question, candidate: Candidate): number {
  const asked = officeAsked(question);
  if (asked === undefined || candidate.unit.kind === 'row') return 0;
  const { office, kind } = asked;
  const { tokens, unit, match, passage, titleMatch } = candidate;
  if (match[office]! < sameWord) return 0;
  const isElsewhere = question.terms.some(
    ({ word }, j) => j !== office && !isCommonWord(word) && Math.max(passage.match[j]!, titleMatch[j]!) === 0,
  );
  // of several holders, the year says which
  const isUndated = question.terms.some(
    ({ word }, j) => isYear(word) && Math.max(match[j]!, titleMatch[j]!) < sameWord,
  );
  if (isElsewhere || isUndated) return 0;
  const text = textOf(candidate);
  const says = (at: number, term: number): boolean => holdsTerm(question, tokens[at], term);
  const isSaid = tokens.some((token, i) => {
    if (!says(i, office) || (kind >= 0 && !says(i - 1, kind))) return false;
    const start = (kind >= 0 ? tokens[i - 1]! : token).start - unit.start;
    const before = text.slice(Math.max(0, start - nameWithin), start);
    if (otherOffice.test(before)) return false;
    const named = name.exec(before);
    if (named !== null && entersOffice.test(before.slice(named.index + named[0].length))) return true;
    const behind = text.slice(token.end - unit.start);
    const next = name.exec(behind);
    if (next === null) return false;
    const between = behind.slice(0, next.index);
    return isHeldBy.test(between) || (kind >= 0 && between === ' '); // `Board President Joan Abara`
  });
  return isSaid ? gain : 0;
}

/**
 * Whether sentences only say what somebody has to do with who has the office that is asked for, or what that one does, and
 * name nobody as that: `She reports to the director.`, asked who the director is.
 */
export function isBesideOffice(question: Question, answer: readonly Candidate[]): boolean {
  const asked = officeAsked(question);
  if (asked === undefined) return false;
  const said = answer.flatMap((candidate) => mentionsOf(question, asked, candidate));
  return said.length > 0 && said.every((isBeside) => isBeside);
}

/** For each time that a sentence has the office: whether it is of somebody else or does something, and no name stands beside it. */
function mentionsOf(
  question: Question,
  { office, kind }: OfficeAsked,
  { tokens, unit, passage }: Candidate,
): boolean[] {
  const text = textOf({ passage, unit });
  const says = (at: number, term: number): boolean => holdsTerm(question, tokens[at], term);
  return tokens.flatMap((token, i) => {
    if (!says(i, office)) return [];
    const first = kind >= 0 && says(i - 1, kind) ? tokens[i - 1]! : token;
    const before = text.slice(0, first.start - unit.start);
    const behind = text.slice(token.end - unit.start);
    const isNamed = [name, /\p{Lu}/u].some((one) => {
      const next = one.exec(behind);
      return next !== null && besideName.test(behind.slice(0, next.index));
    });
    const holder = name.exec(before);
    if (holder !== null && entersOffice.test(before.slice(holder.index + holder[0].length))) return [false];
    const isDoer = articleOfOffice.test(before) && doesOfOffice.test(behind);
    return [unit.kind === 'sentence' && (besideOffice.test(before) || isDoer) && !isNamed];
  });
}
