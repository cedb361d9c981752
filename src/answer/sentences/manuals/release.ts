import { asksForChange } from '../../../text/languages/changes.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';

/** On the scale of the trees: what changed has none of the words that ask for it. */
const gain = 4;

const number = /(?<![\p{N}.])\d+(?:\.\d+)+(?![\p{N}]|\.\p{N})/gu;

/** How much a sentence gains since it stands below the heading of the version whose changes are asked for; else 0. */
export function releaseGain({ text }: Question, { headings }: Candidate): number {
  if (!asksForChange.test(text)) return 0;
  const asked = text.match(number) ?? [];
  const told = headings.flatMap((heading) => heading.match(number) ?? []);
  return asked.some((version) => told.includes(version)) ? gain : 0;
}
