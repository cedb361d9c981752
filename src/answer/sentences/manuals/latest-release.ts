import { analyseWords, fullWords } from '../../../text/analysis/words.ts';
import { asksReleaseDay, kindsOfChanges } from '../../../text/languages/changes.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { aboutRelease, releaseEndAsked, saysReleased } from '../../../text/languages/latest-release.ts';
import type { Candidate, Scored, WholeDocuments } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchTerms, type Question, sameWord } from '../question/question.ts';
import {
  aboveReleases,
  compareVersions,
  dayIn,
  definesLink,
  isPreRelease,
  type Release,
  releaseAt,
} from '../structure/release-line.ts';
import { textOf } from '../structure/unit-text.ts';

interface Asked {
  readonly end: 'latest' | 'first';
  /** It asks what changed, not which one it is or when it was. */
  readonly asksChanges: boolean;
  /** It asks for changes of one kind: what was fixed. */
  readonly change: RegExp | undefined;
  readonly asksDay: boolean;
  /** Positions of the terms that say of what. */
  readonly subject: readonly number[];
}

const askedOf = once(({ text, terms }: Question): Asked | undefined => {
  const found = releaseEndAsked(text);
  if (found === undefined) return undefined;
  const asksDay = asksReleaseDay.test(text);
  const rest = `${text.slice(0, found.start)} ${text.slice(found.stop)}`;
  const subject = new Set(releaseSubject(text));
  return {
    end: found.end,
    asksChanges: found.asksChanges,
    change: kindsOfChanges.find((kind) => kind.test(rest)),
    asksDay,
    subject: [...terms.keys()].filter((j) => subject.has(terms[j]!.term)),
  };
});

interface Headed {
  readonly release: Release;
  readonly candidate: Candidate;
}

/** The release that a question asks for by its place, by its heading. */
export interface FoundRelease {
  readonly heading: Candidate;
  /** Those of all releases of its change log. */
  readonly headings: ReadonlySet<Candidate>;
  /** The changes in it that the question asks for, in their order; undefined where it asks for none. */
  readonly changes: readonly Candidate[] | undefined;
  /** The line below the heading that has the day, where it is asked for and the heading has none. */
  readonly dayLine: Candidate | undefined;
}

interface NoRelease {
  readonly heading?: undefined;
  /** There are change logs of several things, and the question names none. */
  readonly isUnclear?: boolean;
}

const known = new WeakMap<readonly Scored[], FoundRelease | NoRelease>();

/**
 * The latest or first release of what a question names, in the change logs that have it in their title or address, of
 * several things in the one nearest to that name. None where a change log may go on elsewhere, or several are as near, and
 * where it is asked when it was and no day stands with it.
 * @param ranked all sentences of the hits
 */
export function releaseAtEnd(
  question: Question,
  ranked: readonly Scored[],
  whole: WholeDocuments,
): FoundRelease | undefined {
  const asked = askedOf(question);
  if (asked === undefined) return undefined;
  const found = known.get(ranked) ?? find(question, asked, ranked, whole);
  known.set(ranked, found);
  return found.heading === undefined ? undefined : found;
}

/** What answers together: the changes that are asked for, else the heading, and the line with the day below it. */
export function toldOfRelease(
  question: Question,
  ranked: readonly Scored[],
  whole: WholeDocuments,
): readonly Candidate[] {
  const found = releaseAtEnd(question, ranked, whole);
  if (found === undefined) return [];
  return found.changes ?? [found.heading, ...(found.dayLine ? [found.dayLine] : [])];
}

/**
 * Whether a table answers no question for the latest or first release: a change log has it, or there are some of several
 * things of which the question names none.
 */
export function isToldElsewhere(question: Question, ranked: readonly Scored[], whole: WholeDocuments): boolean {
  if (askedOf(question) === undefined) return false;
  const found = releaseAtEnd(question, ranked, whole) ?? (known.get(ranked) as NoRelease);
  return found.heading !== undefined || found.isUnclear === true;
}

/** `2.4`, not `GPL-3.0` */
const version = /(?<!\p{L}-\p{N}{0,3})\p{N}\.\p{N}/u;

/** Whether an answer has no version, where the latest or the first one is asked for, and not what changed in it. */
export function lacksRelease(question: Question, candidate: Candidate): boolean {
  const asked = askedOf(question);
  return asked !== undefined && !asked.asksChanges && !asked.asksDay && !version.test(textOf(candidate));
}

/** Whether a sentence tells a change of another release than the latest or the first, which `releaseAtEnd` has found before. */
export function isOfOtherRelease(candidate: Candidate, ranked: readonly Scored[]): boolean {
  const { changes } = (known.get(ranked) ?? {}) as Partial<FoundRelease>;
  return changes !== undefined && !changes.includes(candidate);
}

/** Terms of what a question asks the latest or the first release of. */
export function releaseSubject(question: string): readonly string[] | undefined {
  const found = releaseEndAsked(question);
  if (found === undefined) return undefined;
  const rest = `${question.slice(0, found.start)} ${question.slice(found.stop)}`;
  return fullWords(rest).flatMap(({ term, word }) => (saysNoSubject(word) ? [] : [term]));
}

function saysNoSubject(word: string): boolean {
  return aboutRelease.test(word) || isCommonWord(word) || /^(?:versions?|releases?)$/u.test(word);
}

/** Whether a line heads a release, where the latest or the first one is asked for. */
export function headsRelease(question: Question, candidate: Candidate): boolean {
  return askedOf(question) !== undefined && candidate.unit.kind !== 'row' && releaseAt(textOf(candidate)) !== undefined;
}

/** On the scale of the trees. */
const gainOfHeading = 9;
const gainOfChange = 5;
/** A heading tells no change. */
const loss = -9;

/** How much a sentence gains since it heads the release that is asked for, or tells what changed in it; else 0. */
export function gainOfRelease(found: FoundRelease | undefined, candidate: Candidate): number {
  if (found === undefined) return 0;
  if (found.changes) return found.changes.includes(candidate) ? gainOfChange : found.headings.has(candidate) ? loss : 0;
  return found.heading === candidate ? gainOfHeading : 0;
}

function find(
  question: Question,
  asked: Asked,
  ranked: readonly Scored[],
  whole: WholeDocuments,
): FoundRelease | NoRelease {
  const logs = new Map<string, Headed[]>();
  for (const { candidate } of ranked) {
    if (!headsRelease(question, candidate)) continue;
    const release = releaseAt(textOf(candidate))!;
    const { uri } = candidate.passage.hit.chunk;
    const list = logs.get(uri);
    if (list) list.push({ release, candidate });
    else logs.set(uri, [{ release, candidate }]);
  }
  const all = [...logs].filter(([uri, headed]) => isOf(question, asked, uri, inOrder(headed)[0]!.candidate));
  const own = nearest(question, asked, all);
  if (own.length === 0) return { isUnclear: all.length > 0 };
  const ends: Headed[] = [];
  for (const [uri, headed] of own) {
    const one = endOf(asked, headed, whole, positionsIn(ranked, uri));
    if (one === undefined) return {};
    ends.push(one);
  }
  const one = atEnd(asked, ends);
  const below = toldBelow(one, logs.get(one.candidate.passage.hit.chunk.uri)!, ranked);
  const dayLine = asked.asksDay && one.release.day === '' ? below.find(datesRelease) : undefined;
  if (asked.asksDay && one.release.day === '' && dayLine === undefined) return {};
  return {
    heading: one.candidate,
    headings: new Set(own.flatMap(([, headed]) => headed.map(({ candidate }) => candidate))),
    changes: asked.asksChanges ? changesIn(one.candidate, below, asked.change) : undefined,
    dayLine,
  };
}

type Log = readonly [uri: string, headed: readonly Headed[]];

/** The change logs of one thing: of several, that one whose folder is the nearest to the name. None where two are as near. */
function nearest(question: Question, { subject }: Asked, logs: readonly Log[]): readonly Log[] {
  const series = new Map<string, Log[]>();
  for (const log of logs) {
    const name = seriesOf(log[0]);
    series.set(name, [...(series.get(name) ?? []), log]);
  }
  if (series.size < 2) return logs;
  if (subject.length === 0) return [];
  const depths = [...series.values()].map((own) => ({ own, depth: depthBelow(question, subject, own[0]!) }));
  const least = Math.min(...depths.map(({ depth }) => depth));
  const [first, ...more] = depths.filter(({ depth }) => depth === least);
  return more.length === 0 ? first!.own : [];
}

const numbers = /\d+(?:[._-]\d+)*(?:[._-]?(?:alpha|beta|rc|x)\d*)?/giu;
const namesOfLogs = /^(?:changelog|changes|history|news|releases?|releasenotes|versions?|whatsnew)?$/u;

/** Change logs of one thing have one: `notes/2.9.md` and `notes/2.10.md`, `HISTORY.md` and `CHANGELOG.md` beside it. */
function seriesOf(uri: string): string {
  const at = uri.lastIndexOf('/') + 1;
  const folder = uri.slice(0, at).replaceAll(numbers, '#');
  const name = uri
    .slice(at)
    .replace(/\.\p{L}+$/u, '')
    .toLowerCase()
    .replaceAll(numbers, '');
  const letters = name.replaceAll(/[^\p{L}]+/gu, '');
  return namesOfLogs.test(letters) ? folder : `${folder}${letters}`;
}

/** How many folders down from the last one, or the file, that has a word of a subject a change log stands. */
function depthBelow(question: Question, subject: readonly number[], [uri]: Log): number {
  const parts = uri.split('/').reverse();
  const depth = parts.findIndex((part) => {
    const match = matchTerms(question, analyseWords(part.replaceAll(/[._-]+/g, ' ')));
    return subject.some((j) => match[j]! >= sameWord);
  });
  return depth < 0 ? parts.length : depth;
}

/** What stands below the heading of a release up to the next one, in order. */
function toldBelow({ candidate }: Headed, headed: readonly Headed[], ranked: readonly Scored[]): readonly Candidate[] {
  const { uri } = candidate.passage.hit.chunk;
  const from = placeOf({ candidate });
  const next = Math.min(...headed.map(placeOf).filter((place) => place > from));
  const own = ranked.filter((one) => {
    const place = placeOf(one);
    return one.candidate.passage.hit.chunk.uri === uri && place > from && place < next;
  });
  return inOrder(own).map((one) => one.candidate);
}

function changesIn(heading: Candidate, below: readonly Candidate[], kind: RegExp | undefined): readonly Candidate[] {
  const first = /\n[^\n]*\p{L}/u.test(textOf(heading)) ? [heading] : []; // not what underlines it
  return [...first, ...below].filter((one) => {
    const text = textOf(one);
    if (one !== heading && (datesRelease(one) || definesLink.test(text))) return false;
    return kind === undefined || kind.test(text) || one.headings.some((over) => kind.test(over));
  });
}

/** `Published on 3 May 2025.`, ` -- Ann Moor <ann@quay.example>  Sat, 03 May 2025 …` */
function datesRelease(candidate: Candidate): boolean {
  const text = textOf(candidate);
  return (saysReleased.test(text) || /^\s*(?:--|–|—) [^\n]*>/u.test(text)) && dayIn(text) !== '';
}

/** The release at the end of one change log; undefined where the change log may go on elsewhere. */
function endOf(
  asked: Asked,
  all: readonly Headed[],
  whole: WholeDocuments,
  positions: ReadonlySet<number>,
): Headed | undefined {
  const stable = all.filter(({ release }) => !isPreRelease(release));
  const headed = inOrder(stable.length > 0 ? stable : all);
  const { uri } = headed[0]!.candidate.passage.hit.chunk;
  const isThere = whole.has(uri) || beginsWith(asked, headed, positions);
  return isThere || (whole.ended?.has(uri) && endsWith(asked, headed, positions)) ? atEnd(asked, headed) : undefined;
}

function atEnd({ end }: Asked, headed: readonly Headed[]): Headed {
  const sign = end === 'latest' ? 1 : -1;
  return headed.reduce((best, one) => (sign * compareVersions(one.release, best.release) > 0 ? one : best));
}

/** Whether the title of a change log, its address or what it says above its releases has all that the question is about. */
function isOf(question: Question, { subject }: Asked, uri: string, { passage }: Candidate): boolean {
  const { position, text } = passage.hit.chunk;
  const own = `${uri.replaceAll(/[/._-]+/g, ' ')}\n${position === 0 ? aboveReleases(text) : ''}`;
  const held = matchTerms(question, analyseWords(own));
  return subject.every((j) => Math.max(passage.titleMatch[j]!, held[j]!) >= sameWord);
}

const inOrder = <T extends Pick<Headed, 'candidate'>>(all: readonly T[]): T[] =>
  all.toSorted((a, b) => placeOf(a) - placeOf(b));

const placeOf = ({ candidate: { passage, unit } }: Pick<Headed, 'candidate'>): number =>
  passage.hit.chunk.span.start + unit.start;

/** The passages of a document up to its second release are there, and the versions go on from the end that is asked for. */
function beginsWith(asked: Asked, [first, second]: readonly Headed[], positions: ReadonlySet<number>): boolean {
  return first !== undefined && second !== undefined && goesOn(asked, first, second) && hasAll(positions, 0, second);
}

/** The same of its last two releases and the passages below them. */
function endsWith(asked: Asked, headed: readonly Headed[], positions: ReadonlySet<number>): boolean {
  const [before, last] = headed.slice(-2);
  if (before === undefined || last === undefined || !goesOn(asked, last, before)) return false;
  return hasAll(positions, positionOf(before), last);
}

const goesOn = (asked: Asked, one: Headed, next: Headed): boolean =>
  one.release.version !== next.release.version && atEnd(asked, [one, next]) === one;

function hasAll(positions: ReadonlySet<number>, from: number, to: Headed): boolean {
  return Array.from({ length: positionOf(to) + 1 - from }, (_, i) => from + i).every((one) => positions.has(one));
}

const positionOf = ({ candidate: { passage } }: Headed): number => passage.hit.chunk.position;

const positionsIn = (ranked: readonly Scored[], uri: string): ReadonlySet<number> =>
  new Set(
    ranked.flatMap(({ candidate }) => {
      const { chunk } = candidate.passage.hit;
      return chunk.uri === uri ? [chunk.position] : [];
    }),
  );
