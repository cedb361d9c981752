import { demandedMeasures, periodsOfRates, periodsSaid } from '../../../text/languages/measures.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { isProgram } from '../structure/code.ts';
import { announces } from '../structure/list-below.ts';
import { headerTextOf, textOf } from '../structure/unit-text.ts';
import { valuesOf } from '../structure/values.ts';

const demanded = once(({ text }) => demandedMeasures.filter(({ asks }) => asks.test(text)));

/** A sum, a share or a time is asked for, and neither the sentence nor what it is read with says one. */
export function lacksUnit(question: Question, candidate: Candidate): boolean {
  const measures = demanded(question);
  if (measures.length === 0) return false;
  const isRow = candidate.unit.kind === 'row';
  const own = isRow ? withoutDates(textOf(candidate)) : textOf(candidate);
  const said = isRow ? [own, headerTextOf(candidate), ...candidate.headings].join('\n') : withList(candidate, own);
  return measures.some(
    ({ holds, bareInTables }) => !(isRow && bareInTables && /\p{Nd}/u.test(own)) && !holds.test(said),
  );
}

/** Characters of a list that are read with what announces it, and of a program with a comment. */
const listWithin = 120;

function withList(candidate: Candidate, own: string): string {
  const { passage, unit } = candidate;
  const mayGoOn = announces.test(textOf(candidate)) || isProgram(passage.hit.chunk.format);
  return mayGoOn ? `${own}\n${passage.hit.chunk.text.slice(unit.end, unit.end + listWithin)}` : own;
}

/** The year that a row begins with. */
const yearFirst = /^[\s|]*(?:1\d|20)\d\d(?=\s*[|\t])/;

/** The date of a letterhead, or the year of an entry, is no price and no time that something takes. */
function withoutDates(text: string): string {
  const dates = valuesOf(text).filter(({ kind }) => kind === 'date');
  const rest = dates.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
  return rest.replace(yearFirst, '');
}

/** On the scale of the trees. */
const loss = -3;

/** What such a sentence loses. */
export function lacksUnitLoss(question: Question, candidate: Candidate): number {
  return lacksUnit(question, candidate) ? loss : 0;
}

/**
 * Whether the sums or counts of a sentence are for another time than the one that is asked for: `£14 a day`, asked what a
 * week costs.
 */
export function isForOtherTime({ text }: Question, candidate: Candidate): boolean {
  const asked = periodsSaid(text);
  if (asked.size !== 1) return false;
  const own = periodsOfRates(textOf(candidate));
  return own.size > 0 && [...own].every((period) => !asked.has(period));
}
