import { analyseWords, fullWords } from '../../../text/analysis/words.ts';
import { asksReleaseDay } from '../../../text/languages/changes.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { aboutRelease, releaseEndAsked } from '../../../text/languages/latest-release.ts';
import type { Candidate, Scored, WholeDocuments } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchTerms, type Question, sameWord } from '../question/question.ts';
import { compareVersions, isPreRelease, type Release, releaseAt } from '../structure/release-line.ts';
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
    change: changesAsked.find((kind) => kind.test(rest)),
    asksDay,
    subject: [...terms.keys()].filter((j) => subject.has(terms[j]!.term)),
  };
});

/** Kinds of changes, which a question and the item or its heading name alike. */
const changesAsked: readonly RegExp[] = [
  /(?<!\p{L})(?:fix(?:e[sd])?|repaired|behoben|corrigée?s?|corregid[oa]s?)(?!\p{L})/iu,
  /(?<!\p{L})(?:add(?:s|ed)|introduced|hinzugefügt|ajoutée?s?|añadid[oa]s?)(?!\p{L})/iu,
  /(?<!\p{L})(?:remov(?:es|ed)|dropp?(?:s|ed)|entfernt|supprimée?s?|eliminad[oa]s?)(?!\p{L})/iu,
  /(?<!\p{L})(?:deprecate[sd]?|veraltet|obsol[eè]tes?|obsolet[oa]s?)(?!\p{L})/iu,
];

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
}

const known = new WeakMap<readonly Scored[], FoundRelease | { readonly heading?: undefined }>();

/**
 * The latest or first release of what a question names, in the change logs that have it in their title or address. None
 * where one of them may go on elsewhere, or several are of nothing that is named, and where it is asked when it was and
 * its heading has no day.
 * @param ranked all sentences of the hits
 */
export function releaseAtEnd(
  question: Question,
  ranked: readonly Scored[],
  whole: WholeDocuments,
): FoundRelease | undefined {
  const asked = askedOf(question);
  if (asked === undefined) return undefined;
  const found = known.get(ranked) ?? find(question, asked, ranked, whole) ?? {};
  known.set(ranked, found);
  return found.heading === undefined ? undefined : (found as FoundRelease);
}

/** Whether an answer has no version, where the latest or the first one is asked for, and not what changed in it. */
export function lacksRelease(question: Question, candidate: Candidate): boolean {
  const asked = askedOf(question);
  return asked !== undefined && !asked.asksChanges && !asked.asksDay && !/\p{N}\.\p{N}/u.test(textOf(candidate));
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
): FoundRelease | undefined {
  const logs = new Map<string, Headed[]>();
  for (const { candidate } of ranked) {
    if (!headsRelease(question, candidate)) continue;
    const release = releaseAt(textOf(candidate))!;
    const { uri } = candidate.passage.hit.chunk;
    const list = logs.get(uri);
    if (list) list.push({ release, candidate });
    else logs.set(uri, [{ release, candidate }]);
  }
  const own = [...logs].filter(([uri, headed]) => isOf(question, asked, uri, headed[0]!.candidate));
  if (own.length === 0 || (own.length > 1 && asked.subject.length === 0)) return undefined;
  const ends: Headed[] = [];
  for (const [uri, headed] of own) {
    const one = endOf(asked, headed, whole.has(uri), positionsIn(ranked, uri));
    if (one === undefined) return undefined;
    ends.push(one);
  }
  const one = atEnd(asked, ends);
  if (asked.asksDay && one.release.day === '') return undefined;
  return {
    heading: one.candidate,
    headings: new Set(own.flatMap(([, headed]) => headed.map(({ candidate }) => candidate))),
    changes: asked.asksChanges ? changesIn(one, asked.change, ranked) : undefined,
  };
}

function changesIn(
  { release, candidate: { passage, unit } }: Headed,
  kind: RegExp | undefined,
  ranked: readonly Scored[],
): Candidate[] {
  const { uri, span } = passage.hit.chunk;
  const isOfIt = ({ candidate }: Scored): boolean => {
    const { chunk } = candidate.passage.hit;
    if (chunk.uri !== uri || chunk.span.start + candidate.unit.start <= span.start + unit.start) return false;
    if (releaseAt(textOf(candidate)) !== undefined) return false;
    const own = candidate.headings.findLast((heading) => releaseAt(heading) !== undefined);
    if (own === undefined || releaseAt(own)!.version !== release.version) return false;
    return kind === undefined || kind.test(textOf(candidate)) || candidate.headings.some((one) => kind.test(one));
  };
  const found = ranked.filter(isOfIt).map(({ candidate }) => ({ candidate, release }));
  return inOrder(found).map(({ candidate }) => candidate);
}

/** The release at the end of one change log; undefined where the change log may go on elsewhere. */
function endOf(
  asked: Asked,
  all: readonly Headed[],
  isWhole: boolean,
  positions: ReadonlySet<number>,
): Headed | undefined {
  const stable = all.filter(({ release }) => !isPreRelease(release));
  const headed = inOrder(stable.length > 0 ? stable : all);
  return isWhole || (asked.end === 'latest' && beginsWithLatest(headed, positions)) ? atEnd(asked, headed) : undefined;
}

function atEnd({ end }: Asked, headed: readonly Headed[]): Headed {
  const sign = end === 'latest' ? 1 : -1;
  return headed.reduce((best, one) => (sign * compareVersions(one.release, best.release) > 0 ? one : best));
}

/** Whether the title of a document, or its address, has all that the question is about. */
function isOf(question: Question, { subject }: Asked, uri: string, { passage }: Candidate): boolean {
  const inAddress = matchTerms(question, analyseWords(uri.replaceAll(/[/._-]+/g, ' ')));
  return subject.every((j) => Math.max(passage.titleMatch[j]!, inAddress[j]!) >= sameWord);
}

const inOrder = (headed: readonly Headed[]): Headed[] => headed.toSorted((a, b) => placeOf(a) - placeOf(b));

const placeOf = ({ candidate: { passage, unit } }: Headed): number => passage.hit.chunk.span.start + unit.start;

/** The passages of a document up to its second release are there, and the versions go down. */
function beginsWithLatest([first, second]: readonly Headed[], positions: ReadonlySet<number>): boolean {
  if (first === undefined || second === undefined || compareVersions(first.release, second.release) <= 0) return false;
  const last = second.candidate.passage.hit.chunk.position;
  return Array.from({ length: last + 1 }, (_, i) => i).every((position) => positions.has(position));
}

const positionsIn = (ranked: readonly Scored[], uri: string): ReadonlySet<number> =>
  new Set(
    ranked.flatMap(({ candidate }) => {
      const { chunk } = candidate.passage.hit;
      return chunk.uri === uri ? [chunk.position] : [];
    }),
  );
