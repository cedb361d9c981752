import { isCommonWord } from '../../../text/languages/common-words.ts';
import { asksOffice, entersOffice, isHeldBy, otherOffice } from '../../../text/languages/offices.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchOf, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 4;

/** `Joan Abara`, `Dr Abara` */
const name = /\p{Lu}[\p{L}.'’-]+ \p{Lu}[\p{L}'’-]+/u;
/** How far a name stands before the office that it takes. */
const nameWithin = 90;

/** The position among the terms of the office that is asked for; -1 where none is. */
const officeAsked = once(({ text, tokens, terms, type }: Question): number => {
  const found = type === 'person' ? asksOffice.exec(text)?.groups?.office : undefined;
  if (found === undefined) return -1;
  const start = text.lastIndexOf(found);
  const token = tokens.find((one) => one.start === start && !one.empty);
  return token === undefined ? -1 : terms.findIndex(({ term }) => term === token.term);
});

/**
 * How much a sentence gains since it says who has the office that is asked for, or takes it: of the treasurer,
 * `Joan Abara replaces Tom Leigh as treasurer.`
 */
export function officeGain(question: Question, candidate: Candidate): number {
  const office = officeAsked(question);
  if (office < 0 || candidate.unit.kind === 'row' || candidate.match[office]! < sameWord) return 0;
  const { tokens, unit, passage, titleMatch } = candidate;
  const isElsewhere = question.terms.some(
    ({ word }, j) => j !== office && !isCommonWord(word) && Math.max(passage.match[j]!, titleMatch[j]!) === 0,
  );
  if (isElsewhere) return 0;
  const text = textOf(candidate);
  const isSaid = tokens.some((token) => {
    if ((matchOf(question, token)?.[office] ?? 0) < sameWord) return false;
    const [start, end] = [token.start - unit.start, token.end - unit.start];
    const before = text.slice(Math.max(0, start - nameWithin), start);
    if (otherOffice.test(before)) return false;
    const named = name.exec(before);
    if (named !== null && entersOffice.test(before.slice(named.index + named[0].length))) return true;
    const behind = text.slice(end);
    const next = name.exec(behind);
    return next !== null && isHeldBy.test(behind.slice(0, next.index));
  });
  return isSaid ? gain : 0;
}
