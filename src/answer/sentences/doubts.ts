import { isForOther, isOfItsTime } from './circumstance.ts';
import { askedTerm } from './defined.ts';
import { isOfOtherEntry } from './entry.ts';
import type { Candidate } from './features.ts';
import { isOfUnknownName, lacksIdentifier, lacksMember } from './identifiers.ts';
import { isOfOtherKeys, lacksKeys } from './key-asked.ts';
import { lacksMeaning } from './lacks-meaning.ts';
import { lacksUnit } from './lacks-unit.ts';
import { lacksCode, lacksForm, lacksOption } from './manual-entry.ts';
import { lacksName } from './names-held.ts';
import { isOfOtherDate } from './other-date.ts';
import { lacksNumber } from './other-number.ts';
import type { Question } from './question.ts';
import type { Scored } from './rank.ts';
import { isOfOtherColumn, leavesOpen } from './row-asked.ts';
import { leavesPart } from './second-part.ts';
import type { Choice } from './select.ts';
import { lacksVersion, tellsVersion } from './since-version.ts';
import { namesOver, textOf } from './unit-text.ts';
import { lacksContact, lacksFigure } from './wanted.ts';

/** What a sentence does not say, or says of something else, so that it is no plain answer. One is enough. */
const doubts: readonly ((question: Question, candidate: Candidate) => boolean)[] = [
  // no number or date
  (question, candidate) => lacksFigure(question, candidate.holds) && !tellsVersion(question, candidate),
  lacksVersion, // no version
  lacksContact, // no telephone number or address
  lacksMeaning, // uses the word, and does not say what it means
  lacksUnit, // no sum, share or time
  isOfOtherColumn, // a row that says something else of what the question names
  leavesOpen, // a row that has too little of the question
  isOfOtherDate, // another day, month or year
  lacksNumber, // another number or letter of its kind: `Block C`
  isOfItsTime, // what is so during it, not how long it is
  isForOther, // a value for something else
  isOfOtherEntry, // another function or parameter
  lacksMemberAsked, // the module, not its function that is asked about
  isOfOtherKeys, // `Shift+Ctrl+J` for `Ctrl+J`
  lacksKeys, // no keys to press
  lacksOption, // not the option that is asked about: `-X` for `-x`
  lacksCode, // a numbered item of something else
  lacksForm, // no other form of it
  lacksIdentifier, // another identifier: `W-7004` for `W-7044`
];

function lacksMemberAsked(question: Question, candidate: Candidate): boolean {
  if (!askedTerm(question)?.asksUse) return false;
  return lacksMember(question, [textOf(candidate), ...namesOver(candidate)].join('\n'));
}

/** Whether an answer is doubtful however well the hits support it: by each of its sentences, or as a whole. */
export function isDoubtful(question: Question, { answer, isLikely }: Choice, ranked: readonly Scored[]): boolean {
  return (
    !isLikely ||
    answer.every(({ candidate }) => doubts.some((doubt) => doubt(question, candidate))) ||
    leavesPart(question, answer) ||
    lacksName(question, answer, ranked) ||
    isOfUnknownName(question, ranked)
  );
}
