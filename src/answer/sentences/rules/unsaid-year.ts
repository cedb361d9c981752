import { yearTold } from '../../../text/languages/years-told.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { headerTextOf, namesOver, textOf, wholeText } from '../structure/unit-text.ts';

const ofATime = new Set(['number', 'person', 'place', 'other']);
const anyYear = /(?<!\d)(?:1\d|20)\d\d(?!\d)/;

const asked = once(({ language, text, type }: Question) => (ofATime.has(type) ? yearTold(language, text) : undefined));

/**
 * Whether it is asked what was so in a year, and a sentence without one stands where nothing says that it is of that year:
 * what is so now, asked what was in 2015. A sentence with another year is `isOfOtherDate`.
 */
export function lacksYear(question: Question, candidate: Candidate): boolean {
  const year = asked(question);
  if (year === undefined) return false;
  const own = [textOf(candidate), headerTextOf(candidate), ...namesOver(candidate)].join('\n');
  if (anyYear.test(textOf(candidate))) return false;
  const around = /^\d/.test(year) ? `${own}\n${wholeText(candidate.passage)}\n${candidate.passage.hit.chunk.uri}` : own;
  return !around.includes(year);
}
