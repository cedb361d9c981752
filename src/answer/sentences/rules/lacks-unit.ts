import { demandedMeasures } from '../../../text/languages/measures.ts';
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
