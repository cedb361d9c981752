import { analyseWords } from '../../../text/analysis/words.ts';
import { dayNamed } from '../../../text/languages/days.ts';
import { once } from '../question/once.ts';
import { matchTerms, type Question } from '../question/question.ts';
import { daysOfRow, type Row } from '../structure/table.ts';

/** Positions of the terms of a question that are days of the week, with the day. */
const daysIn = once(
  ({ terms }): ReadonlyMap<number, number> =>
    new Map(
      terms.flatMap(({ word }, j): [number, number][] => {
        const day = dayNamed(word);
        return day === undefined ? [] : [[j, day]];
      }),
    ),
);

/**
 * How well a row holds each term of a question beside what its own cells have: by what stands over it, and by the days
 * that it covers. `Mon–Thu` is of Wednesday.
 */
export function rowMatch(question: Question, row: Row): Float32Array {
  const over = [...row.asAbove, ...row.groups];
  const out =
    over.length > 0 ? matchTerms(question, analyseWords(over.join('\n'))) : new Float32Array(question.terms.length);
  const days = daysIn(question);
  if (days.size === 0) return out;
  const own = daysOfRow(row);
  for (const [j, day] of days) if (own.has(day)) out[j] = 1;
  return out;
}

/** Positions of the days of a question that a row is of. */
export function daysAskedOf(question: Question, row: Row): readonly number[] {
  const days = daysIn(question);
  if (days.size === 0) return [];
  const own = daysOfRow(row);
  return [...days].flatMap(([j, day]) => (own.has(day) ? [j] : []));
}
