import { roleActs, whoActs } from '../../../text/languages/acting-roles.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { firstPerson, leadingPerson } from '../../../text/languages/pronouns.ts';
import { actAskedBy } from '../question/act-asked.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { countsNone, holdsWanted, lacksFigure, unitAsked } from '../question/wanted.ts';
import { actsByRole } from '../rules/actor.ts';
import { isClaim } from '../rules/findings.ts';
import { lacksUnit } from '../rules/lacks-unit.ts';
import { writerOf } from '../structure/turn.ts';
import { textOf } from '../structure/unit-text.ts';
import { lookCloser } from './closer.ts';
import { type Judged, judgeEach } from './rank.ts';
import { hasPronounForSubject } from './subject-before.ts';

const actOfWho = actAskedBy(whoActs);
/** Sentences before and behind. */
const farthest = 2;
/** Logits behind the likeliest sentence within which another one takes its place. */
const within = 3;

/** A name or a date is asked for, and the sentence has none, in a script that shows names. */
export function lacksAsked(question: Question, candidate: Candidate): boolean {
  const { unit, holds } = candidate;
  if (unit.kind === 'row' || isClaim(question)) return false;
  if (question.type === 'date') return lacksFigure(question, holds);
  const isNamed = holdsName(question, candidate) || !/\p{Lu}/u.test(textOf(candidate));
  return question.type === 'person' && !isNamed;
}

/** A figure with a unit is asked for, and the sentence has none. */
function lacksMeasure(question: Question, candidate: Candidate): boolean {
  if (question.type !== 'number' || candidate.unit.kind === 'row') return false;
  return lacksUnit(question, candidate) || (unitAsked(question) !== undefined && !candidate.holds.unit);
}

/** Has a figure of the unit that is asked for. */
function holdsMeasure(question: Question, candidate: Candidate): boolean {
  const { holds } = candidate;
  if (holdsWanted(question, holds) < 1 || countsNone(question, holds) || lacksUnit(question, candidate)) return false;
  return unitAsked(question) === undefined || holds.unit;
}

/**
 * The word before the verb that the question has, at the beginning of a sentence: `Ann` in `Ann owns the plan`, asked who
 * owns it. It has its capital there whatever it is.
 */
function namesWho({ terms, tokens: asked, known }: Question, { tokens }: Candidate): boolean {
  const [name, verb] = tokens;
  if (name === undefined || verb === undefined || !name.capital || name.empty) return false;
  if (known.has(name.term) || isCommonWord(name.word)) return false;
  const behindWho = asked.find(({ start }) => start > 0);
  return behindWho !== undefined && !behindWho.empty && behindWho.term === verb.term && terms.length > 1;
}

/** Has a name, be it of one word at its beginning, or that of who wrote the message. */
function holdsName(question: Question, candidate: Candidate): boolean {
  if (holdsWanted(question, candidate.holds) > 0.3 || namesWho(question, candidate)) return true;
  if (namesRole(question, candidate) || actsByRole(question, candidate)) return true;
  return firstPerson.test(textOf(candidate)) && writerOf(candidate) !== undefined;
}

/** `Your team lead has to approve it`, asked who has to approve something. */
function namesRole(question: Question, candidate: Candidate): boolean {
  const act = actOfWho(question);
  return act >= 0 && candidate.match[act]! >= sameWord && roleActs.test(textOf(candidate));
}

/** `Ann Moor joined us.`, `The last keeper was Ann Moor.`; a part of a name alone repeats whom the page is about. */
function namesOne({ known }: Question, { tokens, holds }: Candidate): boolean {
  if (holds.runs > 0) return true;
  return [0, 1].every((i) => tokens[i]?.capital === true && !tokens[i].empty && !known.has(tokens[i].term));
}

const weightOf = ({ terms }: Question, { match }: Candidate): number =>
  terms.reduce((sum, { weight }, j) => sum + (match[j]! >= sameWord ? weight : 0), 0);

/** Sentences around another one, of its paragraph, by how much of the question they hold, then the nearest. */
function around(question: Question, ranked: readonly Scored[], { candidate: first }: Judged): Scored[] {
  const { text } = first.passage.hit.chunk;
  const distance = ({ candidate }: Scored): number => Math.abs(candidate.index - first.index - 0.1);
  return ranked
    .filter(({ candidate: { passage, index, unit } }) => {
      if (passage !== first.passage || index === first.index || Math.abs(index - first.index) > farthest) return false;
      const [from, to] = index > first.index ? [first.unit, unit] : [unit, first.unit];
      return unit.kind === 'sentence' && !/\n\s*\n/.test(text.slice(from.start, to.start));
    })
    .sort((a, b) => weightOf(question, b.candidate) - weightOf(question, a.candidate) || distance(a) - distance(b));
}

/**
 * The sentence of the same paragraph that has what is asked for, where the likeliest one has it not: a figure with its
 * unit, a name, or the subject. In `The bridge was built. Ann Moor drew it.` the second says who.
 */
export function askedAround(question: Question, ranked: readonly Scored[], first: Judged): Judged[] {
  const { candidate } = first;
  if (candidate.unit.kind === 'row') return [];
  let found: Scored | undefined;
  if (hasPronounForSubject(question, candidate)) {
    const isSomebody = leadingPerson.test(textOf(candidate));
    found = around(question, ranked, first).find(
      (one) => one.candidate.index === candidate.index - 1 && (!isSomebody || namesOne(question, one.candidate)),
    );
  } else if (lacksMeasure(question, candidate)) {
    found = around(question, ranked, first).find((one) => holdsMeasure(question, one.candidate));
  } else if (question.type === 'person' && lacksAsked(question, candidate)) {
    const isBefore = leadingPerson.test(textOf(candidate));
    found = around(question, ranked, first).find((one) => {
      const { index } = one.candidate;
      if (index !== candidate.index + (isBefore ? -1 : 1)) return false;
      return isBefore ? namesOne(question, one.candidate) : namesWho(question, one.candidate);
    });
  }
  return found === undefined ? [] : judgeEach(lookCloser(question, ranked, [found]));
}

/**
 * The sentences, where the likeliest has no figure of the unit that is asked for, and another one of its document has
 * one and holds as much of the question: that one first.
 * @param all the likeliest first
 * @param scoreOf in logits
 */
export function withAskedFirst(
  question: Question,
  all: readonly Judged[],
  scoreOf: (one: Judged) => number,
): readonly Judged[] {
  const [first] = all;
  if (first === undefined || !lacksMeasure(question, first.candidate)) return all;
  const { uri } = first.candidate.passage.hit.chunk;
  const weight = weightOf(question, first.candidate);
  const better = all.find(
    (one) =>
      one.candidate.passage.hit.chunk.uri === uri &&
      one.candidate.unit.kind === 'sentence' &&
      scoreOf(one) > scoreOf(first) - within &&
      weightOf(question, one.candidate) >= weight &&
      holdsMeasure(question, one.candidate),
  );
  return better === undefined ? all : [better, ...all.filter((one) => one !== better)];
}
