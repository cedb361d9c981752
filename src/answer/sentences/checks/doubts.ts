import { lacksCodeAsked } from '../manuals/code-asked.ts';
import { isOfOtherEntry } from '../manuals/entry.ts';
import { isOfUnknownName, lacksIdentifier, lacksMember } from '../manuals/identifiers.ts';
import { isOfOtherKeys, lacksKeys } from '../manuals/key-asked.ts';
import { isOfOtherRelease, lacksRelease } from '../manuals/latest-release.ts';
import { lacksCode, lacksForm, lacksOption } from '../manuals/manual-entry.ts';
import { lacksMemberPart } from '../manuals/member-entry.ts';
import { isNegatedOption, namesNoOption } from '../manuals/option-for.ts';
import { isOtherTag } from '../manuals/other-tag.ts';
import { lacksVersion, tellsVersion } from '../manuals/since-version.ts';
import { hasPartsAlone } from '../manuals/whole-identifier.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { askedTerm } from '../question/defined.ts';
import type { Question } from '../question/question.ts';
import { lacksContact, lacksFigure } from '../question/wanted.ts';
import { lacksAsked } from '../ranking/asked-near.ts';
import { leavesPart } from '../ranking/second-part.ts';
import type { Choice } from '../ranking/select.ts';
import { onlyAsks } from '../rules/asking-line.ts';
import { isOtherAttribute } from '../rules/attribute.ts';
import { lacksEnding } from '../rules/beginning.ts';
import { isForOther, isOfItsTime } from '../rules/circumstance.ts';
import { namesNeither } from '../rules/compared.ts';
import { isOfUsualCase } from '../rules/consequence.ts';
import { isControlFlow } from '../rules/control-flow.ts';
import { lacksFrequency } from '../rules/counted.ts';
import { lacksAuthorAsked } from '../rules/documents-holding.ts';
import { lacksAct } from '../rules/entitled.ts';
import { isExtremeAsked } from '../rules/extreme-row.ts';
import { hasFigureBelow } from '../rules/figure-below.ts';
import { isIndirect } from '../rules/indirect.ts';
import { isOneOfAlike } from '../rules/labelled.ts';
import { lacksComparison } from '../rules/lacks-comparison.ts';
import { lacksDefault } from '../rules/lacks-default.ts';
import { lacksLife, onlyTellsLife } from '../rules/lacks-life.ts';
import { lacksLimit } from '../rules/lacks-limit.ts';
import { lacksMeaning } from '../rules/lacks-meaning.ts';
import { lacksNegation } from '../rules/lacks-negation.ts';
import { lacksOther } from '../rules/lacks-other.ts';
import { hasNoWord, lacksPerson } from '../rules/lacks-person.ts';
import { lacksRank } from '../rules/lacks-rank.ts';
import { lacksReason } from '../rules/lacks-reason.ts';
import { lacksRelative } from '../rules/lacks-relative.ts';
import { lacksSubject } from '../rules/lacks-subject.ts';
import { lacksTime, saysCondition } from '../rules/lacks-time.ts';
import { isForOtherTime, lacksUnit } from '../rules/lacks-unit.ts';
import { isOnlyBirth } from '../rules/life-dates.ts';
import { listGain } from '../rules/list-lead.ts';
import { mayBecome } from '../rules/may-become.ts';
import { isNarrower } from '../rules/narrower.ts';
import { isNoLonger } from '../rules/no-longer.ts';
import { isBesideOffice } from '../rules/office.ts';
import { onlyDefines } from '../rules/only-defines.ts';
import { onlyDenies } from '../rules/only-denies.ts';
import { isOfOpposite } from '../rules/opposite.ts';
import { isByNobody, isByOther } from '../rules/other-agent.ts';
import { isByOtherAuthor } from '../rules/other-author.ts';
import { isOfOtherCraft } from '../rules/other-craft.ts';
import { isOfOtherDate } from '../rules/other-date.ts';
import { isOfOtherDimension } from '../rules/other-dimension.ts';
import { isOfOtherItem } from '../rules/other-item.ts';
import { isOfOtherKey } from '../rules/other-key.ts';
import { isOfOtherKind } from '../rules/other-kind.ts';
import { lacksMeasure, lacksNumber } from '../rules/other-number.ts';
import { isOfOther } from '../rules/other-of.ts';
import { isOfOtherSeason } from '../rules/other-season.ts';
import { isOfOtherSubject } from '../rules/other-subject.ts';
import { isOfThePast, onlyTellsRule } from '../rules/other-tense.ts';
import { isOutOfBounds } from '../rules/out-of-bounds.ts';
import { isOtherPrice } from '../rules/priced.ts';
import { isOfProcedure, lacksInstruction } from '../rules/procedure.ts';
import { isOfOtherColumn, leavesOpen } from '../rules/row-asked.ts';
import { contestOf } from '../rules/row-contest.ts';
import { lacksSignedName } from '../rules/signed-name.ts';
import { stepsFound } from '../rules/step-asked.ts';
import { lacksThing } from '../rules/there-is.ts';
import { isOfOtherOwner } from '../rules/unsaid-owner.ts';
import { lacksYear } from '../rules/unsaid-year.ts';
import { lacksWay } from '../rules/way.ts';
import { namesOver, textOf } from '../structure/unit-text.ts';
import { lacksName, lacksShortName } from './names-held.ts';
import { hasOtherNameThere, leansOnOtherName } from './other-name-there.ts';
import { isOfOtherName } from './other-of-name.ts';

/** What a sentence does not say, or says of something else, so that it is no plain answer. One is enough. */
const doubts: readonly ((question: Question, candidate: Candidate) => boolean)[] = [
  // no number or date
  (question, candidate) =>
    lacksFigure(question, candidate.holds) &&
    !tellsVersion(question, candidate) &&
    !hasFigureBelow(candidate) &&
    !saysCondition(question, candidate),
  lacksFrequency, // nothing of how often it happens
  isControlFlow, // a loop or a condition of a program, for a number
  lacksVersion, // no version
  lacksTime, // no time or condition
  lacksContact, // no telephone number or address
  // neither who nor the act
  (question, candidate) =>
    lacksAct(question, candidate) && lacksAsked(question, candidate) && listGain(question, candidate) === 0,
  lacksPerson, // nobody, where it is asked who
  onlyAsks, // a question
  isIndirect, // that nobody knows it
  lacksReason, // what happened, where it is asked why
  lacksRelative, // of somebody, where it is asked of a relative
  lacksRank, // of the head, where it is asked of the deputy
  isOfOtherKey, // settings below another key
  isOfOtherItem, // an item of another name
  lacksSignedName, // not `N+1`, where it is asked about
  lacksSubject, // settings of something else, or none of what the question ends with
  lacksWayAndSteps, // what is so by default, where it is asked how it is changed
  lacksThing, // not what it is asked whether there is
  lacksMeaning, // uses the word, and does not say what it means
  namesNeither, // neither of two things that are to be told apart
  lacksLimit, // a number, and no limit
  onlyTellsLife, // that somebody died, asked for something else
  lacksLife, // nothing of a birth, or not how somebody died
  lacksNegation, // what is so, where it is asked what is not
  lacksEnding, // when it began, where it is asked when it ended
  isByOther, // by whom something else was done
  isOfOtherCraft, // who directed it, where it is asked who translated it
  isByNobody, // that it was done, and not by whom
  onlyDenies, // that it is not so, where it is asked who or what is
  onlyDefines, // what something is, where it is asked who did it or how
  lacksUnit, // no sum, share, time or port
  isForOtherTime, // what a day costs, not a week
  isExtremeAsked, // rows were not compared
  isOfOtherColumn, // a row that says something else of what the question names
  isOfOtherKind, // `Brass hinges` for `steel hinges`
  leavesOpen, // a row that has too little of the question
  isOutOfBounds, // `flights under four hours` for one of six
  isNarrower, // the first one in Norland, not of all
  isNoLonger, // what held until some time
  mayBecome, // what may become otherwise
  isOnlyBirth, // a birth, where something else is asked for
  isOfOtherSeason, // July, where it is asked of winter
  isOfOtherDate, // another day, month or year
  isOfOtherDimension, // its length, where its height is asked for
  lacksYear, // what is so now, where it is asked of a year
  lacksNumber, // another number or letter of its kind: `Block C`
  lacksMeasure, // 30 mg, where 90 mg are asked about
  lacksAuthorAsked, // not the author whose documents are asked for
  lacksRelease, // no version, where the latest one is asked for
  lacksComparison, // something of one, where it is asked which is more so
  isOfOpposite, // the last, where it is asked for the first; `maximum` for `minimum`
  isOfOther, // the price of lunch, not of coffee
  isOfOtherOwner, // the weight of the device, not of its pot
  hasOtherNameThere, // `at Lindau` for `at Tarnow`
  isOfThePast, // what was, where it is asked what will be
  onlyTellsRule, // who does it as a rule, where it is asked who did it
  isOtherPrice, // the price of something else
  isOfItsTime, // what is so during it, not how long it is
  isOfUsualCase, // what is so when it is not too much
  isForOther, // a value for something else
  isOfOtherEntry, // another function or parameter
  lacksMemberAsked, // the module, not its function that is asked about
  isOtherTag, // `@throws`, asked what it returns
  lacksMemberPart, // not the part of the function that is asked for
  isOfOtherSubject, // the licence of another package
  isOtherAttribute, // the type of another setting
  isOfOtherKeys, // `Shift+Ctrl+J` for `Ctrl+J`
  lacksKeys, // no keys to press
  lacksDefault, // a row that says none
  isNegatedOption, // `--no-fold`, asked for what folds
  namesNoOption, // of a page with options, where one is asked for
  lacksOption, // not the option that is asked about: `-X` for `-x`
  lacksCode, // a numbered item of something else
  lacksCodeAsked, // no code, where one is asked for
  lacksForm, // no other form of it
  lacksIdentifier, // another identifier: `W-7004` for `W-7044`
];

function lacksMemberAsked(question: Question, candidate: Candidate): boolean {
  if (!askedTerm(question)?.asksUse) return false;
  return lacksMember(question, [textOf(candidate), ...namesOver(candidate)].join('\n'));
}

function lacksWayAndSteps(question: Question, candidate: Candidate): boolean {
  return lacksWay(question, candidate) && !isOfProcedure(candidate);
}

/** Whether an answer is doubtful however well the hits support it: by each of its sentences, or as a whole. */
export function isDoubtful(
  question: Question,
  { answer, isLikely, isStated }: Choice,
  ranked: readonly Scored[],
): boolean {
  const said = answer.map(({ candidate }) => candidate);
  return (
    !isLikely ||
    said.every((candidate) => doubts.some((doubt) => doubt(question, candidate))) ||
    contestOf(question, ranked).isLucky(said) ||
    (!isStated && lacksInstruction(question, said)) ||
    (!isStated && said.every((candidate) => hasNoWord(question, candidate))) ||
    isBesideOffice(question, said) ||
    isOneOfAlike(question, said, ranked) ||
    said.every((candidate) => isByOtherAuthor(question, candidate, ranked)) ||
    leavesPart(question, answer) ||
    lacksOther(question, said) ||
    lacksName(question, answer, ranked) ||
    lacksShortName(question, ranked) ||
    leansOnOtherName(question, said, ranked) ||
    isOfOtherName(question, answer, ranked) ||
    isOfUnknownName(question, ranked) ||
    answer.every(({ candidate }) => hasPartsAlone(question, candidate, ranked)) ||
    isOfOtherStep(question, answer, ranked) ||
    answer.some(({ candidate }) => isOfOtherRelease(candidate, ranked)) // of another one than the latest
  );
}

/** Whether it is the step beside which another one is asked for, or one of several of its number. */
function isOfOtherStep(question: Question, answer: Choice['answer'], ranked: readonly Scored[]): boolean {
  const steps = stepsFound(question, ranked);
  return steps.isUnclear || answer.every(({ candidate }) => steps.isBeside(candidate));
}
