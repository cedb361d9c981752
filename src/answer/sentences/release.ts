import type { Candidate } from './features.ts';
import { once } from './once.ts';
import type { Question } from './question.ts';

/** On the scale of the trees: what changed has none of the words that ask for it. */
const gain = 4;
const asksForChange =
  /\b(?:chang(?:e[sd]?|ing)|new|fix(?:ed|es)?|add(?:ed|s)?|remov(?:ed|es)|deprecated|releas(?:ed?|es)|geändert|neu|behoben|changé|nouveau|cambi[óa]|nuevo)\b/iu;
const number = /(?<![\p{N}.])\d+(?:\.\d+)+(?![\p{N}]|\.\p{N})/gu;

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
