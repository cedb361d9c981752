import { analyseWords } from '../../../text/analysis/words.ts';
import { greaterThan, smallerThan } from '../../../text/languages/limits.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';
import { valuesOf } from '../structure/values.ts';

/** On the scale of the trees. */
const loss = -2;

interface Measure {
  readonly amount: number;
  /** Term of the word behind the number. */
  readonly unit: string;
  readonly bound: 'below' | 'above' | undefined;
}

/** The numbers of a text that have a word behind them. */
function measuresIn(text: string): Measure[] {
  return valuesOf(text).flatMap(({ kind, start, end, amount }) => {
    const word = /^[ \u00a0-](\p{L}+)/u.exec(text.slice(end))?.[1];
    const unit = kind === 'number' && word !== undefined ? analyseWords(word)[0]?.term : undefined;
    if (unit === undefined) return [];
    const before = text.slice(0, start);
    const bound = smallerThan.test(before) ? 'below' : greaterThan.test(before) ? 'above' : undefined;
    return [{ amount, unit, bound }];
  });
}

/** What a question gives as it is, without a bound of its own. */
const givenIn = once(({ text }: Question) => measuresIn(text));

/**
 * Whether a sentence is about those that are smaller or greater than what a question names: `Flights under four hours`,
 * where it asks about one of six hours.
 */
export function isOutOfBounds(question: Question, candidate: Candidate): boolean {
  const given = givenIn(question);
  if (given.length === 0 || given.some(({ bound }) => bound) || candidate.unit.kind === 'row') return false;
  const said = measuresIn(textOf(candidate));
  return given.some(({ amount, unit }) => {
    const own = said.filter((one) => one.unit === unit);
    return own.length > 0 && own.every((one) => excludes(one, amount));
  });
}

const excludes = ({ bound, amount: limit }: Measure, amount: number): boolean =>
  bound === 'below' ? amount >= limit : bound === 'above' ? amount < limit : false;

/** What a sentence loses that is about smaller or greater ones than what a question names. */
export function outOfBoundsLoss(question: Question, candidate: Candidate): number {
  return isOutOfBounds(question, candidate) ? loss : 0;
}
