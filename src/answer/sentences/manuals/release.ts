import { asksForChange, asksReleaseDay, asksWhichChange } from '../../../text/languages/changes.ts';
import { numberedChapter } from '../../../text/languages/heading-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { positionsOf, type Question, sameWord } from '../question/question.ts';
import { holdsWanted } from '../question/wanted.ts';
import { textOf } from '../structure/unit-text.ts';
import { versionHeading } from '../structure/version-note.ts';

/** On the scale of the trees: what changed has none of the words that ask for it. */
const gain = 4;
const gainOfOther = 1;

const number = /(?<![\p{N}.])\d+(?:\.\d+)+(?![\p{N}]|\.\p{N})/gu;

/** Whether a question asks for a release of something: what changed in it, or when it was. */
export function asksForRelease(question: string): boolean {
  return (asksForChange.test(question) || asksReleaseDay.test(question)) && question.search(number) >= 0;
}

/** The versions whose changes are asked for. */
const versionsAsked = once(({ text }): readonly string[] =>
  asksForChange.test(text) ? (text.match(number) ?? []) : [],
);

/**
 * How much a sentence gains since it stands below the heading of the version whose changes are asked for; else 0. Asked
 * which error was fixed, one that has none of the words for it gains less.
 */
export function releaseGain(question: Question, candidate: Candidate): number {
  const asked = versionsAsked(question);
  if (asked.length === 0 || dayAsked(question).length > 0) return 0;
  const { headings } = candidate;
  const told = headings.flatMap((heading, i) => withoutSection(heading, headings.slice(0, i)).match(number) ?? []);
  if (!asked.some((version) => told.includes(version))) return 0;
  return isOfOtherChange(question, candidate) ? gainOfOther : gain;
}

/** The versions of which the day is asked for. */
const dayAsked = once(({ text, type }): readonly string[] =>
  type === 'date' && asksReleaseDay.test(text) ? (text.match(number) ?? []) : [],
);
const gainOfDay = 9;

/** How much the heading of a version gains since its day is asked for, which it has: `## 2.0.0 (2026-01-15)`. */
export function releaseDayGain(question: Question, candidate: Candidate): number {
  const asked = dayAsked(question);
  if (asked.length === 0 || holdsWanted(question, candidate.holds) < 1) return 0;
  const heading = versionHeading([textOf(candidate).replace(/^#+\s+/, '')]);
  const told: readonly string[] = heading?.match(number) ?? [];
  return asked.some((version) => told.includes(version)) ? gainOfDay : 0;
}

const sectionNumber = /^\s*(?<chapter>\d+(?:\.\d+)*)\.\d+(?<dot>\.)?\s+(?=\p{L})/u;

/** A heading without the number of its section: of `3.1. Codenames`, and of `3.1 Codenames` below `3 Releases`. */
function withoutSection(heading: string, above: readonly string[]): string {
  const found = sectionNumber.exec(heading);
  if (found === null) return heading;
  const { chapter, dot } = found.groups!;
  const isBelow = above.some((one) => numberedChapter.exec(one)?.groups?.number === chapter);
  return dot !== undefined || isBelow ? heading.slice(found[0].length) : heading;
}

/** Positions of the terms of what was changed: `safety error` in `Which safety error was fixed in 2.0?` */
const changedAsked = once(({ text, tokens, terms }: Question): readonly number[] => {
  const found = asksWhichChange.exec(text);
  if (found === null) return [];
  const [from, to] = [found.index, found.index + found[0].length];
  const within = tokens.filter(({ start, end, empty }) => start >= from && end <= to && !empty);
  return positionsOf({ terms }, within);
});

/** Has no word of what was changed. */
function isOfOtherChange(question: Question, { match }: Candidate): boolean {
  const asked = changedAsked(question);
  return asked.length > 0 && asked.every((j) => match[j]! < sameWord);
}
