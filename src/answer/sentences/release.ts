import type { Candidate } from './features.ts';
import type { Question } from './question.ts';

/** On the scale of the trees: what changed has none of the words that ask for it. */
const gain = 4;
const asksForChange =
  /\b(?:chang(?:e[sd]?|ing)|new|fix(?:ed|es)?|add(?:ed|s)?|remov(?:ed|es)|deprecated|releas(?:ed?|es)|geändert|neu|behoben|changé|nouveau|cambi[óa]|nuevo)\b/iu;
const number = /(?<![\p{N}.])\d+(?:\.\d+)+(?![\p{N}]|\.\p{N})/gu;

const asksForDay = /\bwhen\b|\bdates?\b|\bwann\b|\bquand\b|\bcuándo\b/iu;

/** Whether a question asks for a release of something: what changed in it, or when it was. */
export function asksForRelease(question: string): boolean {
  return (asksForChange.test(question) || asksForDay.test(question)) && question.search(number) >= 0;
}

/** How much a sentence gains since it stands below the heading of the version whose changes are asked for; else 0. */
export function releaseGain({ text }: Question, { headings }: Candidate): number {
  if (!asksForChange.test(text)) return 0;
  const asked = text.match(number) ?? [];
  const told = headings.flatMap((heading) => heading.match(number) ?? []);
  return asked.some((version) => told.includes(version)) ? gain : 0;
}
