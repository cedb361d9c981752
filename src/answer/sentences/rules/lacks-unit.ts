import { demandedMeasures, periodsOfRates, periodsSaid } from '../../../text/languages/measures.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { headerTextOf, textOf } from '../structure/unit-text.ts';

/** A sum, a share or a time is asked for, and neither the sentence nor what it is read with says one. */
export function lacksUnit({ text }: Question, candidate: Candidate): boolean {
  const isRow = candidate.unit.kind === 'row';
  const over = isRow ? [headerTextOf(candidate), ...candidate.headings] : [];
  const said = [textOf(candidate), ...over].join('\n');
  return demandedMeasures.some(
    ({ asks, holds, bareInTables }) => !(isRow && bareInTables) && asks.test(text) && !holds.test(said),
  );
}

/** Whether the sums of a sentence are for another time than the one that is asked for: `£14 a day`, asked what a week costs. */
export function isForOtherTime({ text }: Question, candidate: Candidate): boolean {
  const asked = periodsSaid(text);
  if (asked.size !== 1) return false;
  const own = periodsOfRates(textOf(candidate));
  return own.size > 0 && [...own].every((period) => !asked.has(period));
}
