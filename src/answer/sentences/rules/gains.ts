import { codeGain } from '../manuals/code-asked.ts';
import { declaredNameGain } from '../manuals/declared-name.ts';
import { defaultGain } from '../manuals/default-value.ts';
import { otherEntryLoss } from '../manuals/entry.ts';
import { identifiersHeld, otherIdentifierLoss } from '../manuals/identifiers.ts';
import { keyGain, otherKeysLoss } from '../manuals/key-asked.ts';
import { gainOfRelease, releaseAtEnd } from '../manuals/latest-release.ts';
import { entryGain, isBesideOption } from '../manuals/manual-entry.ts';
import { memberGain } from '../manuals/member-entry.ts';
import { optionGain } from '../manuals/option-entry.ts';
import { negatedOptionLoss, optionForGain } from '../manuals/option-for.ts';
import { otherTagLoss } from '../manuals/other-tag.ts';
import { releaseDayGain, releaseGain } from '../manuals/release.ts';
import { signatureGain } from '../manuals/signature.ts';
import { sinceGain } from '../manuals/since-version.ts';
import { partsAloneLoss } from '../manuals/whole-identifier.ts';
import type { Candidate, Scored, WholeDocuments } from '../question/candidate.ts';
import { askedTerm, definitionGain } from '../question/defined.ts';
import type { Question } from '../question/question.ts';
import { remembered } from '../structure/remembered.ts';
import { actorGain } from './actor.ts';
import { askingLabelGain } from './asking-label.ts';
import { askingHeadingLoss } from './asking-line.ts';
import { attributeGain, attributeLoss } from './attribute.ts';
import { beginnerGain, beginningGain } from './beginning.ts';
import { calledGain, namesakeGain } from './called.ts';
import { captionGain } from './captioned.ts';
import { caseAdviceGain } from './case-advice.ts';
import { itsTimeLoss } from './circumstance.ts';
import { consequenceGain, usualCaseLoss } from './consequence.ts';
import { contactGain, settlesContact } from './contact.ts';
import { controlFlowLoss } from './control-flow.ts';
import { countGain, countsAll, doneGain, oftenGain } from './counted.ts';
import { membersGain, onlyCountedLosses } from './counted-members.ts';
import { doingGain } from './doing-line.ts';
import { entitledGain } from './entitled.ts';
import { extremeRow } from './extreme-row.ts';
import { fieldGain } from './field.ts';
import { findingGain } from './findings.ts';
import { besideHappening, happenedGain } from './happening.ts';
import { headedListGain } from './headed-list.ts';
import { isIndexEntry } from './index-entry.ts';
import { indirectLoss } from './indirect.ts';
import { keptGain } from './kept-for.ts';
import { labelGain, subjectGain } from './labelled.ts';
import { lifeUnsaidLoss } from './lacks-life.ts';
import { noTimeLoss } from './lacks-time.ts';
import { lacksUnitLoss } from './lacks-unit.ts';
import { lastingGain } from './lasting.ts';
import { letterGain, sentGain } from './letter.ts';
import { lifeGain, lifeLoss } from './life-dates.ts';
import { limitGain } from './limit-said.ts';
import { listGain } from './list-lead.ts';
import { listsKindGain } from './lists-kind.ts';
import { mayBecomeLoss } from './may-become.ts';
import { measuredGain } from './measured.ts';
import { modalGain } from './modal-rule.ts';
import { partyGain } from './named-party.ts';
import { narrowerLoss } from './narrower.ts';
import { noLongerLoss } from './no-longer.ts';
import { obligationGain } from './obliged.ts';
import { officeGain } from './office.ts';
import { officeLettersGain } from './office-letters.ts';
import { decidedGain, onlyProposedLoss } from './only-proposed.ts';
import { onlySometimesLosses } from './only-sometimes.ts';
import { namedDocuments, openingGain } from './opening.ts';
import { oppositeLosses } from './opposite.ts';
import { otherDayLoss } from './other-date.ts';
import { otherItemLoss } from './other-item.ts';
import { otherKeyLoss } from './other-key.ts';
import { otherNumberLosses } from './other-number.ts';
import { otherOfLosses } from './other-of.ts';
import { otherSubjectLoss } from './other-subject.ts';
import { otherTenseLoss } from './other-tense.ts';
import { outOfBoundsLoss } from './out-of-bounds.ts';
import { permissionGain } from './permission.ts';
import { possessedLosses } from './possessed.ts';
import { otherPriceLoss } from './priced.ts';
import { gainOfWay, wayFound } from './procedure.ts';
import { reasonBehindGain } from './reason-behind.ts';
import { contestOf } from './row-contest.ts';
import { gainOfSettlingRow, settlingRows } from './row-settles.ts';
import { sectionGain } from './section.ts';
import { signKeyGain } from './sign-key.ts';
import { signedNameLoss } from './signed-name.ts';
import { spelledGain } from './spelled-out.ts';
import { gainOfStep, stepsFound } from './step-asked.ts';
import { successorGain } from './successor.ts';
import { tenureGain } from './tenure.ts';
import { thereIsGain } from './there-is.ts';
import { thereforeGain } from './therefore.ts';
import { titledGain } from './titled.ts';
import { troubleGains } from './trouble.ts';
import { unfitLoss } from './unfit.ts';
import { validFromGain } from './valid-from.ts';
import { stateLoss, wayGain } from './way.ts';
import { whichOneGain } from './which-one.ts';

/** A rule that no training set shows: what a sentence gains or loses by it, on the scale of the trees. */
type Rule = (question: Question, candidate: Candidate) => number;

/** What states that a sentence answers, whatever words it shares with the question. */
const stating: readonly Rule[] = [
  sectionGain, // first below the heading that asks
  signatureGain, // of the function that is asked about
  releaseGain, // below the version whose changes are asked for
  releaseDayGain, // the heading of the version whose day is asked for
  sinceGain, // with the version that did it
  doingGain, // the line of code that does what is asked for
  fieldGain, // the field of a record that is asked for
  labelGain, // behind the label that asks
  askingLabelGain, // behind the asking word as a label
  captionGain, // a line of its own beside the line that asks
  subjectGain, // in the row of the subject
  attributeGain, // the type of the setting that is asked about
  defaultGain, // what holds where nobody sets anything
  optionGain, // in the entry of the option
  optionForGain, // in that of the option that is asked for by what it does
  entryGain, // in that of the code, variable or file
  declaredNameGain, // first of the name of code that is asked for
  codeGain, // of the code that is asked for by what it means
  memberGain, // of the function or setting, in its own entry
  keyGain, // of the keys that are asked about, or with those that are asked for
  partyGain, // names who has this part in a contract
  officeGain, // says who has the office
  officeLettersGain, // the same of the `chief executive`, asked for the CEO
  entitledGain, // says who does it, or may do it, by an office
  successorGain, // says who follows in an office
  calledGain, // gives the name of the thing
  namesakeGain, // tells after whom the thing is called
  measuredGain, // measures it by the noun for it: `length`, asked how long
  letterGain, // names who wrote a letter, or to whom
  sentGain, // dates the mail that is asked about
  permissionGain, // says whether it may be done
  obligationGain, // says whether it must be done
  modalGain, // says whether somebody may do just what is asked
  spelledGain, // spells out the abbreviation
  signKeyGain, // in the row of the key that is written
  listGain, // announces a list of all that is asked for
  headedListGain, // opens a list below a heading for all that is asked for
  membersGain, // names as many as are asked for
  listsKindGain, // names things of the kind one by one
  lifeGain, // has the life of who is asked for
  reasonBehindGain, // is followed by its reason
  thereforeGain, // says that it follows from what stands before
  thereIsGain, // says what there is
  oftenGain, // says how often just that happens
  doneGain, // says with how many that was done which is asked about
  limitGain, // sets the limit that is asked for
  tenureGain, // says who had an office in the year that is asked for
  lastingGain, // has both ends of how long it lasted
  keptGain, // says for how long something is kept
  beginnerGain, // names who began what is asked about
  beginningGain, // dates the beginning that is asked for
  validFromGain, // dates from when on it is valid
  wayGain, // tells to do what is asked for
  caseAdviceGain, // tells to do something in the case that is asked about
  decidedGain, // says what was decided of what was proposed
  whichOneGain, // says which one, by its number
  happenedGain, // tells what happened in the month that is asked for
  consequenceGain, // says what follows from the case that is asked about
  (question, candidate) => {
    const term = askedTerm(question);
    if (term === undefined) return 0;
    return definitionGain(question, term, candidate) || titledGain(question, term, candidate); // says what the term is
  },
];

/** What makes a sentence likelier or less likely, and does not state that it answers. */
const moving: readonly Rule[] = [
  findingGain, // what was found, beside a claim
  countGain, // counts what is asked for, or only has years
  contactGain, // has the telephone number or address that is asked for, or has none
  controlFlowLoss, // is a loop or a condition of a program
  askingHeadingLoss, // is of a heading that asks
  unfitLoss, // speaks of its page, announces, is code or the head of a mail
  otherDayLoss, // of another day
  usualCaseLoss, // of what is not too much, where it is asked what follows from that
  outOfBoundsLoss, // of smaller or greater ones
  narrowerLoss, // the first one of a smaller range
  mayBecomeLoss, // of what may become otherwise, where it is asked what is so
  noLongerLoss, // of what held until some time, where it is asked what holds now
  onlyProposedLoss, // of what was only proposed
  otherEntryLoss, // of another function or parameter
  negatedOptionLoss, // of the option that does the opposite
  attributeLoss, // the type of another one
  otherKeysLoss, // of other keys
  otherTagLoss, // the tag of another part of a function
  otherKeyLoss, // of settings below another key
  otherItemLoss, // of an item of another name
  signedNameLoss, // of a passage without `N+1`, where it is asked about
  otherSubjectLoss, // of another folder than that of the subject
  lifeLoss, // has the day of a birth alone, where its place is asked for
  lifeUnsaidLoss, // says nothing of the birth that is asked for, or not how somebody died, or only that
  indirectLoss, // asks the same, or that nobody knows it
  actorGain, // has a name before what is asked who does it
  stateLoss, // says what is so, where it is asked how it is done
  noTimeLoss, // without a time, where it is asked when
  lacksUnitLoss, // without a sum or a time, where one is asked for
  otherTenseLoss, // of the past, where it is asked what will be
  otherPriceLoss, // of a passage without a word of what the price is asked of
  itsTimeLoss, // of what is so during it, where it is asked how long it is
];

/** What sentences gain and lose by rules. All rules are summed: their order says nothing. */
interface Gains {
  /** By all rules together. */
  of(candidate: Candidate): number;
  /** Whether it gains by where it stands or what it states, so that it is looked at though the words are few. */
  isFound(candidate: Candidate): boolean;
  /** Whether something states that it answers. */
  isStated(candidate: Candidate): boolean;
}

/** What each of the sentences of the hits gains and loses. */
export function gainsOf(question: Question, ranked: readonly Scored[], whole: WholeDocuments = new Set()): Gains {
  const named = namedDocuments(question, new Set(ranked.map(({ candidate }) => candidate.passage)));
  const identifiers = identifiersHeld(question, ranked);
  const candidates = ranked.map(({ candidate }) => candidate);
  const otherNumberLoss = otherNumberLosses(question, candidates);
  const oppositeLoss = oppositeLosses(question, candidates);
  const otherOfLoss = otherOfLosses(question, candidates);
  const possessedLoss = possessedLosses(question, candidates);
  const onlyCountedLoss = onlyCountedLosses(question, candidates);
  const onlySometimesLoss = onlySometimesLosses(question, candidates);
  const sum = (rules: readonly Rule[], candidate: Candidate): number =>
    rules.reduce((all, rule) => all + rule(question, candidate), 0);
  const extreme = extremeRow(question, ranked, whole)?.candidate;
  const settling = extreme === undefined ? settlingRows(question, ranked, whole) : new Set([extreme]);
  const contest = contestOf(question, ranked);
  const troubleGain = troubleGains(question, ranked);
  const steps = stepsFound(question, ranked); // of a numbered list, by its number or beside another
  const way = wayFound(question, ranked); // first of what tells how it is done
  const besideGain = besideHappening(question, ranked); // straight after or before what happened
  const release = releaseAtEnd(question, ranked, whole); // the latest or first one of a change log
  const stated = remembered((candidate: Candidate) =>
    isIndexEntry(question, candidate)
      ? 0
      : isBesideOption(question, candidate)
        ? optionGain(question, candidate)
        : sum(stating, candidate) +
          troubleGain(candidate) +
          gainOfWay(way, candidate) +
          gainOfRelease(release, candidate) +
          (settling.has(candidate) ? gainOfSettlingRow : 0) +
          (steps.wanted.has(candidate) ? gainOfStep : 0),
  );
  const opening = (candidate: Candidate): number => openingGain(question, named, candidate);
  return {
    of: remembered(
      (candidate: Candidate) =>
        opening(candidate) +
        stated(candidate) +
        sum(moving, candidate) +
        besideGain(candidate) +
        otherIdentifierLoss(identifiers, candidate) +
        partsAloneLoss(question, candidate, ranked) +
        contest.lossOf(candidate) +
        otherNumberLoss(candidate) +
        oppositeLoss(candidate) +
        otherOfLoss(candidate) +
        possessedLoss(candidate) +
        onlySometimesLoss(candidate) +
        onlyCountedLoss(candidate),
    ),
    isFound: (candidate) => opening(candidate) + stated(candidate) > 0,
    isStated: (candidate) =>
      stated(candidate) > 0 || countsAll(question, candidate) || settlesContact(question, candidate),
  };
}
