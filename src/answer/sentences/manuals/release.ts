import { asksForChange, asksReleaseDay } from '../../../text/languages/changes.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';

/** On the scale of the trees: what changed has none of the words that ask for it. */
const gain = 4;

const number = /(?<![\p{N}.])\d+(?:\.\d+)+(?![\p{N}]|\.\p{N})/gu;

/** Whether a question asks for a release of something: what changed in it, or when it was. */
export function asksForRelease(question: string): boolean {
  return (asksForChange.test(question) || asksReleaseDay.test(question)) && question.search(number) >= 0;
}

/** The versions whose changes are asked for. */
const versionsAsked = once(({ text }): readonly string[] =>
  asksForChange.test(text) ? (text.match(number) ?? []) : [],
);

/** How much a sentence gains since it stands below the heading of the version whose changes are asked for; else 0. */
export function releaseGain(question: Question, { headings }: Candidate): number {
  const asked = versionsAsked(question);
  if (asked.length === 0) return 0;
  const told = headings.flatMap((heading) => heading.match(number) ?? []);
  return asked.some((version) => told.includes(version)) ? gain : 0;
}
