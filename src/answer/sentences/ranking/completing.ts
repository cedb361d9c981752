import { itemMark } from '../../../text/item-mark.ts';
import { followsFromBefore } from '../../../text/languages/consequences.ts';
import { contrasts } from '../../../text/languages/contrasts.ts';
import { namesBefore } from '../../../text/languages/definitions.ts';
import { beginsFirst, beginsNext } from '../../../text/languages/members-counted.ts';
import { leadingPerson } from '../../../text/languages/pronouns.ts';
import { joinsReason } from '../../../text/languages/reasons-joined.ts';
import { leavesOffice, takesOffice } from '../../../text/languages/successions.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { askedTerm } from '../question/defined.ts';
import { stemOf } from '../question/file-name.ts';
import { type Question, sameWord } from '../question/question.ts';
import { holdsWanted } from '../question/wanted.ts';
import { onlyCounts } from '../rules/counted-members.ts';
import { isException } from '../rules/exception.ts';
import { lineLabel } from '../rules/labelled.ts';
import { lacksReason } from '../rules/lacks-reason.ts';
import { wayOfSection } from '../rules/procedure.ts';
import { hasReasonBehind } from '../rules/reason-behind.ts';
import { isEcho } from '../rules/says-no-more.ts';
import { answersHeading, goesOn } from '../rules/section.ts';
import { beginsRepair } from '../rules/trouble.ts';
import { goesOnWithWay, wantsWay } from '../rules/way.ts';
import { termOf } from '../structure/definitions.ts';
import { textOf } from '../structure/unit-text.ts';
import { askedAround, lacksAsked } from './asked-near.ts';
import { leansBack, lookCloser } from './closer.ts';
import { type Judged, judgeEach } from './rank.ts';

/** The header of a row, where a date is asked for and stands there alone: `| 2019 | 2018` over `Fees | 242 | 545`. */
function datesOver(question: Question, ranked: readonly Scored[], { candidate: row }: Judged): Judged[] {
  const hasDate = ({ holds }: Candidate): boolean => holds.years + holds.dates > 0;
  if (question.type !== 'date' || !row.unit.header || hasDate(row)) return [];
  const { start } = row.unit.header;
  const header = ranked.filter(({ candidate: { passage, unit } }) => passage === row.passage && unit.start === start);
  return judgeEach(
    lookCloser(
      question,
      ranked,
      header.filter(({ candidate }) => hasDate(candidate)),
    ),
  );
}

/** The sentence behind `No.`, which says what is the case. */
function afterShort(question: Question, ranked: readonly Scored[], { candidate: short }: Judged): Judged[] {
  if (!goesOn(short)) return [];
  const next = ranked.filter(
    ({ candidate: { passage, index, headings } }) =>
      passage === short.passage && index === short.index + 1 && headings.at(-1) === short.headings.at(-1),
  );
  return judgeEach(lookCloser(question, ranked, next));
}

/** Logits behind the likeliest sentence within which the one behind it dates it. */
const datesWithin = 4;

/**
 * The next sentence of the same paragraph, where a name or a date is asked for, and only that one has it. Of twelve
 * dates that stand so (six sets that no tree has seen) seven were right; of the sentences before them one was.
 */
function askedFollows(
  question: Question,
  ranked: readonly Scored[],
  { candidate: first, score }: Judged,
  judged: readonly Judged[],
): Judged[] {
  if (!lacksAsked(question, first)) return [];
  if (question.type === 'person' && leadingPerson.test(textOf(first))) return []; // who it is was said before
  const { text } = first.passage.hit.chunk;
  const next = ranked.filter(
    ({ candidate: { passage, index, unit, holds } }) =>
      passage === first.passage &&
      index === first.index + 1 &&
      unit.kind === 'sentence' &&
      !/\n\s*\n/.test(text.slice(first.unit.end, unit.start)) &&
      !contrasts.test(text.slice(unit.start, unit.end)) &&
      !lineLabel.test(text.slice(unit.start, unit.end)) &&
      holdsWanted(question, holds) === 1,
  );
  if (question.type !== 'date') return judgeEach(lookCloser(question, ranked, next));
  return judged.filter((one) => one.candidate === next[0]?.candidate && one.score > score - datesWithin);
}

/** `**The pump stops.** Its valve is shut.`: a heading that stands in the line of its text. */
const runIn = /^(?:\*\*|__)[^*_\n]+(?:\*\*|__)[.:?]?$/u;
const mostBehindEcho = 2;
/** Sentences that say more of one member before the next. */
const mostBetweenMembers = 2;
const asksWhy =
  /(?<!\p{L})(?:asks?|asked|wonders?|wondered|fragte?|demandée?|preguntó|chiesto|chiese)(?!\p{L})[^.?!]*(?<!\p{L})(?:why|warum|pourquoi|por qué|perché)(?!\p{L})/iu;
/**
 * The next sentence of the same paragraph, where the likeliest one only tells what happened, that somebody asked why, or
 * what the next one gives the reason of; the one before it, where it only says that something follows from that.
 */
function reasonFollows(question: Question, ranked: readonly Scored[], { candidate: first }: Judged): Judged[] {
  if (question.type !== 'reason' || first.unit.kind === 'row') return [];
  const cause = followsFromBefore.test(textOf(first)) ? before(ranked, first) : undefined;
  if (cause !== undefined) return judgeEach(lookCloser(question, ranked, [cause]));
  const asks = asksWhy.test(textOf(first)) || hasReasonBehind(question, first);
  if (!asks && !lacksReason(question, first)) return [];
  const next = behind(ranked, first);
  if (next && (asks || next.candidate.holds.reason)) return judgeEach(lookCloser(question, ranked, [next]));
  const above = isEcho(question, first) ? before(ranked, first) : undefined;
  const gives = above !== undefined && joinsReason.test(textOf(above.candidate));
  return gives ? judgeEach(lookCloser(question, ranked, [above])) : [];
}

/** The sentence before it, where the likeliest one gives what that says the name that is asked about. */
function namedBefore(question: Question, ranked: readonly Scored[], { candidate: first }: Judged): Judged[] {
  if (askedTerm(question) === undefined || first.unit.kind === 'row' || !namesBefore.test(textOf(first))) return [];
  const named = before(ranked, first);
  return named === undefined ? [] : judgeEach(lookCloser(question, ranked, [named]));
}

/** The next sentences of the same paragraph, where the likeliest one only says what is asked about. */
function echoGoesOn(question: Question, ranked: readonly Scored[], { candidate: first }: Judged): Judged[] {
  if ((question.type === 'reason' && !runIn.test(textOf(first))) || !isEcho(question, first)) return [];
  const entry = entryOf(ranked, first);
  if (entry !== undefined) return judgeEach(lookCloser(question, ranked, [entry]));
  const next: Scored[] = [];
  for (let last = first; next.length < mostBehindEcho; last = next.at(-1)!.candidate) {
    const found = behind(ranked, last);
    if (found === undefined) break;
    next.push(found);
  }
  return judgeEach(lookCloser(question, ranked, next));
}

/** `queue.limit` with its fields, over a paragraph of its entry that only says what is asked about. */
function entryOf(ranked: readonly Scored[], one: Candidate): Scored | undefined {
  const { text } = one.passage.hit.chunk;
  const term = termOf(text, one.unit.start);
  const own = text.slice(one.unit.start, one.unit.end);
  if (term === undefined || own.includes(term)) return undefined;
  return ranked.find(({ candidate: { passage, index, unit } }) => {
    if (passage !== one.passage || index !== one.index - 1 || unit.kind !== 'sentence') return false;
    return text.slice(unit.start, unit.end).startsWith(term) && termOf(text, unit.start) === term;
  });
}

/** Who takes over, where the likeliest sentence says who leaves. */
function successorFollows(question: Question, ranked: readonly Scored[], { candidate: first }: Judged): Judged[] {
  if (question.type !== 'person' || first.unit.kind === 'row' || !leavesOffice.test(textOf(first))) return [];
  const next = behind(ranked, first);
  return next && takesOffice.test(textOf(next.candidate)) ? judgeEach(lookCloser(question, ranked, [next])) : [];
}

/** The members, told one by one, where the likeliest sentence only says how many there are: `First, …`. */
function membersFollow(question: Question, ranked: readonly Scored[], { candidate: first }: Judged): Judged[] {
  if (!onlyCounts(question, first)) return [];
  const told: Scored[] = [];
  let next = behind(ranked, first);
  if (next === undefined || !beginsFirst.test(textOf(next.candidate))) return [];
  for (
    let since = 0;
    next !== undefined && since <= mostBetweenMembers;
    next = behind(ranked, next.candidate), since++
  ) {
    if (told.length > 0 && !beginsNext.test(textOf(next.candidate))) continue;
    told.push(next);
    since = 0;
  }
  return judgeEach(lookCloser(question, ranked, told));
}

/** The further steps of a list, where the first of them puts a fault right. */
function stepsFollow(question: Question, ranked: readonly Scored[], { candidate: first }: Judged): Judged[] {
  if (!beginsRepair(question, first) || !isItem(first)) return [];
  const next = ranked
    .filter(
      ({ candidate: { passage, index, headings } }) =>
        passage === first.passage && index > first.index && headings.at(-1) === first.headings.at(-1),
    )
    .toSorted((a, b) => a.candidate.index - b.candidate.index);
  return judgeEach(lookCloser(question, ranked, next));
}

/** The sentences of the same paragraph that go on telling what to do. */
function wayFollows(question: Question, ranked: readonly Scored[], { candidate: first }: Judged): Judged[] {
  if (!wantsWay(question) || first.unit.kind === 'row') return [];
  const next: Scored[] = [];
  for (let last = first; ; last = next.at(-1)!.candidate) {
    const found = behind(ranked, last);
    if (found === undefined || !goesOnWithWay(question, last, found.candidate)) break;
    next.push(found);
  }
  return judgeEach(lookCloser(question, ranked, next));
}

/** What tells how it is done, where the likeliest sentence only states something of it. */
function wayOfStated(question: Question, ranked: readonly Scored[], { candidate: first }: Judged): Judged[] {
  const way = wayOfSection(question, ranked, first);
  const told = ranked.filter(({ candidate }) => candidate === way);
  return judgeEach(lookCloser(question, ranked, told));
}

/**
 * The sentence before one that begins with `It`, where only that sentence has a word of the question: what stands over
 * both does not say what it is. `The mill has three doors. It was built in 1887.` below `Keys`.
 */
function antecedent(question: Question, ranked: readonly Scored[], { candidate: first }: Judged): Judged[] {
  if (first.unit.kind === 'row' || !leansBack(textOf(first))) return [];
  const named = before(ranked, first);
  if (named === undefined || leansBack(textOf(named.candidate))) return [];
  const { title, uri } = first.passage.hit.chunk;
  // which says of whom a short text is, unless it is only the name of its file
  if (first.headings.length === 0 && title !== '' && title !== stemOf(uri)) return [];
  const isSaid = question.terms.some(
    (_, j) => Math.max(first.match[j]!, first.headingMatch[j]!) < sameWord && named.candidate.match[j]! >= sameWord,
  );
  return isSaid ? judgeEach(lookCloser(question, ranked, [named])) : [];
}

/** The next sentence of the same paragraph. */
function behind(ranked: readonly Scored[], one: Candidate): Scored | undefined {
  return beside(ranked, one, one.index + 1);
}

/** The sentence before it in the same paragraph. */
function before(ranked: readonly Scored[], one: Candidate): Scored | undefined {
  return beside(ranked, one, one.index - 1);
}

function beside(ranked: readonly Scored[], { passage, unit }: Candidate, at: number): Scored | undefined {
  const found = ranked.find(({ candidate }) => candidate.passage === passage && candidate.index === at);
  if (found?.candidate.unit.kind !== 'sentence') return undefined;
  const other = found.candidate.unit;
  const between = passage.hit.chunk.text.slice(Math.min(unit.end, other.end), Math.max(unit.start, other.start));
  return /\n\s*\n/.test(between) ? undefined : found;
}

const item = new RegExp(`^[ \\t]*${itemMark}[ \\t]`, 'u');

function isItem({ passage, unit }: Candidate): boolean {
  const { text } = passage.hit.chunk;
  return item.test(text.slice(text.lastIndexOf('\n', unit.start - 1) + 1, unit.end));
}

/** Kinds of questions that one sentence seldom answers wholly. */
const mayGoOn: ReadonlySet<Question['type']> = new Set(['reason', 'steps', 'choice', 'number', 'other']);

/** The sentence behind the first one below a heading that asks the question. */
function answerGoesOn(question: Question, ranked: readonly Scored[], { candidate: first }: Judged): Judged[] {
  if (!mayGoOn.has(question.type) || !answersHeading(question, first)) return [];
  const next = behind(ranked, first);
  return next === undefined ? [] : judgeEach(lookCloser(question, ranked, [next]));
}

/** The exception that stands behind a rule. */
function exceptionFollows(question: Question, ranked: readonly Scored[], { candidate: rule }: Judged): Judged[] {
  const next = behind(ranked, rule);
  if (next === undefined || !isException(question, rule, next.candidate)) return [];
  return judgeEach(lookCloser(question, ranked, [next]));
}

/** What a sentence is not understood without, what goes on where it stops short, and the exception to what it rules. */
export function completing(
  question: Question,
  ranked: readonly Scored[],
  first: Judged,
  judged: readonly Judged[],
): Judged[] {
  const completed = neededBy(question, ranked, first, judged);
  return [...completed, ...exceptionFollows(question, ranked, completed.at(-1) ?? first)];
}

function neededBy(question: Question, ranked: readonly Scored[], first: Judged, judged: readonly Judged[]): Judged[] {
  const needed = [
    ...datesOver(question, ranked, first),
    ...afterShort(question, ranked, first),
    ...reasonFollows(question, ranked, first),
    ...namedBefore(question, ranked, first),
    ...echoGoesOn(question, ranked, first),
    ...successorFollows(question, ranked, first),
    ...membersFollow(question, ranked, first),
    ...stepsFollow(question, ranked, first),
    ...wayFollows(question, ranked, first),
    ...wayOfStated(question, ranked, first),
  ];
  if (needed.length > 0) return needed;
  const further = answerGoesOn(question, ranked, first);
  if (further.length > 0) return further;
  const follows = askedFollows(question, ranked, first, judged);
  if (follows.length > 0) return follows;
  const around = askedAround(question, ranked, first);
  return around.length > 0 ? around : antecedent(question, ranked, first);
}
