import { asksDefault } from '../../../text/languages/default-values.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { headerTextOf, namesOver, rowCells, textOf } from '../structure/unit-text.ts';

/**
 * Whether it is asked what holds by default, and a row says none: its cell in that column is empty, or neither the row,
 * its header nor a heading speaks of a default.
 */
export function lacksDefault({ text }: Question, candidate: Candidate): boolean {
  if (candidate.unit.kind !== 'row' || !asksDefault.test(text)) return false;
  const own = textOf(candidate);
  if (asksDefault.test(own)) return false;
  const column = rowCells(headerTextOf(candidate).split('\n')[0]!).findIndex((cell) => asksDefault.test(cell));
  if (column >= 0) return rowCells(own)[column] === '';
  return !namesOver(candidate).some((name) => asksDefault.test(name));
}
