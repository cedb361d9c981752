import { analyseWords } from '../../../text/analysis/words.ts';
import { asksVersion, versionChanges } from '../../../text/languages/changes.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchTerms, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';
import { noteBefore, versionHeading } from '../structure/version-note.ts';
import { entryOver, isNamedIn, isOfOtherEntry, namesParts } from './entry.ts';

/** On the scale of the trees: `New in version 3.8.` has none of the words of the question. */
const gain = 8;
const gainOfBare = 9;
/** Of the weight of what is asked about, by the sentence and what stands over it; less where it has the name. */
const leastHeld = 0.75;
const leastOfNamed = 0.4;
const leastAlone = 0.85;
const leastOpen = 0.6;
const leastHeaded = 0.4;

type Kind = keyof typeof versionChanges;
const allKinds = Object.keys(versionChanges) as readonly Kind[];
/** Words that ask for the version, and do not say whose it is. */
const asking =
  /^(?:versions?|releases?|parameters?|arguments?|options?|functions?|methods?|modules?|class|mode|since|welcher)$/iu;

/** `with version 3`, `since 3.1`, `Since: 3.1`, `New in Kran 3.2`; not `supported on MariaDB 10.2`. */
const told =
  /\b(?:versions?|releases?)\s+v?\d|\b(?:in|since|as of|from|with|seit|ab|mit):?\s+(?:\p{Lu}\p{L}*\s+)?v?\d+(?:\.\d+)+/iu;
/** `When was it first released?` asks for the day. */
const asksRelease = /\bwhen (?:was|were|will|did)\b.*\b(?:released?|published|launched)\b/iu;
/** What is asked about a version: whether it added something, removed it, …; undefined for another question. */
const kindAsked = once(({ text }): Kind | undefined =>
  asksVersion.test(text) && !asksRelease.test(text)
    ? (['deprecated', 'removed', 'added', 'changed'] as const).find((k) => versionChanges[k].test(text))
    : undefined,
);

/** Whether a question asks in which version something was added, changed or removed. */
export function asksSince(question: string): boolean {
  return asksVersion.test(question) && allKinds.some((kind) => versionChanges[kind].test(question));
}

interface Telling {
  /** What tells what happened: the sentence, with the note or the heading that has the version. */
  readonly said: string;
  readonly isHeading: boolean;
}

/** What names a version for a sentence: itself, the note that it goes on with, or the heading over it. */
function tellingOf(candidate: Candidate): Telling | undefined {
  const own = textOf(candidate);
  if (told.test(own)) return { said: own, isHeading: false };
  const { chunk } = candidate.passage.hit;
  const note = noteBefore(chunk.text.slice(0, candidate.unit.start));
  if (note !== undefined) return { said: `${note} ${own}`, isHeading: false };
  const heading = versionHeading(candidate.headings);
  if (heading === undefined) return undefined;
  return { said: `${candidate.headings.at(-1)} ${own}`, isHeading: true };
}

/**
 * How much a sentence gains since it tells in which version that happened which the question asks for: `New in version
 * 3.8: The depth parameter.`, `New in version 3.8.` below the name itself, or an entry of a change log below the heading
 * of its version; else 0.
 */
export function sinceGain(question: Question, candidate: Candidate): number {
  const asked = kindAsked(question);
  const telling = asked && tellingOf(candidate);
  if (!telling || isOfOtherEntry(question, candidate)) return 0;
  const says = allKinds.filter((kind) => versionChanges[kind].test(telling.said));
  // an entry of a change log may leave out that it was added
  const mayBe = says.length === 0 && telling.isHeading && (asked === 'added' || asked === 'changed');
  if (!says.includes(asked) && !mayBe) return 0;
  const { passage, match, titleMatch, headingMatch, tokens } = candidate;
  const inAddress = matchTerms(question, analyseWords(passage.hit.chunk.uri));
  const inEntry = matchTerms(question, analyseWords(entryOver(candidate) ?? ''));
  const inItem = matchTerms(question, analyseWords(itemBefore(candidate)));
  // what title and address leave open; where they have it all, the sentence must say it itself
  let [own, headed, held, all, open, closed] = [0, 0, 0, 0, 0, 0];
  let isWhole = true;
  question.terms.forEach(({ word, weight, numeric }, j) => {
    if (isAsking(word)) return;
    const above = Math.max(titleMatch[j]!, inAddress[j]!, inEntry[j]!);
    const isSaid = Math.max(match[j]!, inItem[j]!) >= sameWord;
    if (isSaid) own += weight;
    if (above < sameWord) open += weight;
    if (above < sameWord && isSaid) closed += weight;
    headed += weight * Math.max(headingMatch[j]!, inEntry[j]!);
    held += weight * Math.max(match[j]!, inItem[j]!, above);
    all += weight;
    isWhole &&= !numeric || isSaid;
  });
  const saysName = isNamedIn(question, textOf(candidate));
  if (all === 0 || held < (saysName ? leastOfNamed : leastHeld) * all || !isWhole) return 0;
  if (
    open === 0
      ? own >= leastAlone * all || namesParts(question, textOf(candidate))
      : closed >= leastOpen * open || saysName
  )
    return (gain * held) / all;
  const isBare = tokens.every(({ word, numeric, empty }) => empty || numeric || isAsking(word));
  return isBare && headed >= leastHeaded * all ? gainOfBare : 0;
}

/** What stands before a sentence in its item of a list: `- \`slow\`. Use \`pace\`; it will be removed in 4.0.` */
function itemBefore({ passage, unit }: Candidate): string {
  const { text } = passage.hit.chunk;
  const before = text.slice(text.lastIndexOf('\n', unit.start - 1) + 1, unit.start);
  return /^[ \t]*[-*+][ \t]/.test(before) ? before : '';
}

const isAsking = (word: string): boolean =>
  asking.test(word) || allKinds.some((kind) => versionChanges[kind].test(word));

/** Whether a sentence tells the version that is asked for, so that it needs no date. */
export function tellsVersion(question: Question, candidate: Candidate): boolean {
  return sinceGain(question, candidate) > 0;
}

/** Which version it was is asked, and a sentence does not tell it of what is asked. */
export function lacksVersion(question: Question, candidate: Candidate): boolean {
  if (kindAsked(question) === undefined || !/\bversion|\brelease/iu.test(question.text)) return false;
  return sinceGain(question, candidate) === 0;
}
