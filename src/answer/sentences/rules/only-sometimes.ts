import { limitedFirst, limitedTime } from '../../../text/languages/limited-times.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, sameWord } from '../question/question.ts';
import { holdsWanted } from '../question/wanted.ts';
import { remembered } from '../structure/remembered.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const loss = -3;

const asksOfTime = once(({ text }: Question) => limitedTime.test(text));

/** What a sentence, or the heading above it, limits it to: `In winter`. */
const limitOf = remembered((candidate: Candidate): string => {
  const [own] = limitedFirst.exec(textOf(candidate)) ?? [];
  return own ?? limitedFirst.exec(candidate.headings.at(-1) ?? '')?.[0] ?? '';
});

/**
 * What sentences lose that hold in a part of the year or week alone, where nobody asks for it and another sentence of the
 * document says what holds else: `In July a ticket costs 11 euros`, beside `A ticket costs 8 euros`.
 */
export function onlySometimesLosses(
  question: Question,
  candidates: readonly Candidate[],
): (candidate: Candidate) => number {
  if (asksOfTime(question)) return () => 0;
  const limited = candidates.filter((one) => one.unit.kind === 'sentence' && limitOf(one) !== '');
  const losing = new Set(limited.filter((one) => candidates.some((other) => isRuleBeside(question, one, other))));
  return (candidate) => (losing.has(candidate) ? loss : 0);
}

function isRuleBeside(question: Question, limited: Candidate, rule: Candidate): boolean {
  return (
    rule !== limited &&
    rule.passage.hit.chunk.uri === limited.passage.hit.chunk.uri &&
    rule.unit.kind === 'sentence' &&
    limitOf(rule) === '' &&
    !limitedTime.test(textOf(rule)) &&
    limited.match.every((held, j) => held < sameWord || rule.match[j]! >= sameWord) &&
    limited.match.some((held) => held >= sameWord) &&
    ((question.type === 'date' && rule.holds.recurs) ||
      holdsWanted(question, rule.holds) >= holdsWanted(question, limited.holds))
  );
}
