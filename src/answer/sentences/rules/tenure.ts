import { tenureAsked } from '../../../text/languages/offices.ts';
import { isYear } from '../../../text/languages/question-words.ts';
import { spansTime } from '../../../text/languages/times.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { positionsOf, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: a year within a time is no word of the sentence. */
const gain = 6;

interface Asked {
  readonly year: string;
  /** The office, or what is done in it. */
  readonly says: RegExp;
  /** Positions of the terms with a capital: of what it is an office. */
  readonly of: readonly number[];
}

const askedOf = once(({ type, text, tokens, terms }: Question): Asked | undefined => {
  const years = type === 'person' ? tokens.filter(({ word }) => isYear(word)) : [];
  const says = years.length === 1 ? tenureAsked(text) : undefined;
  if (says === undefined) return undefined;
  const of = positionsOf(
    { terms },
    tokens.filter(({ capital, start }) => capital && start > 0),
  );
  return { year: years[0]!.word.slice(0, 4), says, of };
});

/**
 * How much a sentence gains since it says who had the office that is asked for in a time which the year lies in: `Ann Moor
 * led the club from 1996 until 1998.`, asked who was its leader in 1997.
 */
export function tenureGain(question: Question, candidate: Candidate): number {
  const asked = askedOf(question);
  const { unit, holds, match, titleMatch, passage } = candidate;
  if (asked === undefined || unit.kind === 'row' || holds.names === 0) return 0;
  const own = textOf(candidate);
  const span = spansTime.exec(own)?.groups;
  if (span === undefined || !asked.says.test(own)) return 0;
  const [from, to] = [span.since ?? span.after!, span.until!];
  if (asked.year < from || asked.year > to) return 0;
  return asked.of.every((j) => Math.max(match[j]!, titleMatch[j]!, passage.match[j]!) >= sameWord) ? gain : 0;
}
