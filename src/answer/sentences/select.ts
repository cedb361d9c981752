import { type Chosen, type Looked, lookCloser, nextRow, overlapOf } from './closer.ts';
import { countGain, countsAll } from './counted.ts';
import { defaultGain } from './default-value.ts';
import { askedTerm, definitionGain } from './defined.ts';
import { type Candidate, type FeatureName, featureNames } from './features.ts';
import { findingGain, isClaim } from './findings.ts';
import { leadsTo, linkOf, opens, sentencesOfLinked } from './hops.ts';
import { identifiersHeld, otherIdentifierLoss } from './identifiers.ts';
import { labelGain, subjectGain } from './labelled.ts';
import { namedDocuments, openingGain } from './opening.ts';
import { optionGain } from './option-entry.ts';
import { otherDayLoss } from './other-date.ts';
import { otherNumberLosses } from './other-number.ts';
import type { Question } from './question.ts';
import { readingGains } from './reading.ts';
import { releaseGain } from './release.ts';
import { asksOn } from './second-part.ts';
import { goesOn, sectionGain } from './section.ts';
import { signatureGain } from './signature.ts';
import { scoreOf } from './trees.ts';
import { isUnfit, unfitLoss } from './unfit.ts';
import { holdsWanted, lacksFigure } from './wanted.ts';
import { firstTrees, nextTrees } from './weights.ts';

/**
 * Coefficients that find the sentences worth a closer look: a linear model, learned by listwise softmax on the tune
 * halves of the judged collections (`bench/quality/train-support.ts`).
 */
export const selectionWeights: Readonly<Record<FeatureName, number>> = {
  own: 2.54,
  topic: 2.61,
  near: 2.62,
  focus: 1.85,
  relative: 3.8,
  passage: 2.93,
  title: 3.67,
  language: 2.67,
  short: -2.74,
  question: -1.04,
  number: 2.02,
  date: 1.66,
  person: 1.11,
  place: 2.5,
  pair: 1.65,
  row: 2.84,
  reference: -3, // set by hand: the tuning collections have no such sections
  counted: 0.75,
  open: -0.34,
};

const vector = Float64Array.from(featureNames, (name) => selectionWeights[name]);

export interface Scored {
  readonly candidate: Candidate;
  readonly score: number;
}

/** Best first by the linear model, a logit that is comparable within one question; ties by passage, then position. */
export function rank(candidates: readonly Candidate[]): Scored[] {
  return candidates
    .map((candidate) => {
      let score = 0;
      for (let i = 0; i < vector.length; i++) score += vector[i]! * candidate.features[i]!;
      return { candidate, score };
    })
    .sort(
      (a, b) =>
        b.score - a.score ||
        a.candidate.passage.rank - b.candidate.passage.rank ||
        a.candidate.index - b.candidate.index,
    );
}

/** A sentence with the logit that it answers, as the first or after those before it. */
export interface Judged extends Chosen {
  readonly looked: Looked;
}

/** The sentences looked at more closely, the likeliest answer first. */
export function judge(question: Question, ranked: readonly Scored[]): Judged[] {
  return scored(lookCloser(question, ranked)).sort((a, b) => b.score - a.score); // stable: ties as the linear model has them
}

function scored(looked: readonly Looked[]): Judged[] {
  return looked.map((one) => ({ looked: one, candidate: one.scored.candidate, score: scoreOf(firstTrees, one.row) }));
}

/** Sentences of the documents that the likeliest answer or the question names, which were not looked at yet. */
function linked(
  question: Question,
  ranked: readonly Scored[],
  first: readonly Judged[],
  judged: readonly Judged[],
): Judged[] {
  const seen = new Set(judged.map(({ candidate }) => candidate));
  const counts = new Map<string, number>();
  const also = ranked.filter(({ candidate }) => {
    const { uri } = candidate.passage.hit.chunk;
    const count = counts.get(uri) ?? 0;
    counts.set(uri, count + 1);
    if ((count >= sentencesOfLinked && !opens(candidate)) || !linkOf(question, first, candidate.passage)) return false;
    return !seen.has(candidate);
  });
  return scored(lookCloser(question, ranked, also));
}

/**
 * The logit from which a sentence is believed, however well the words of a question are found: of 96 plain answers below
 * it in twelve training sets 34 were right, of those above it two thirds.
 */
const likelyFrom = -0.5;
/** The same of a sentence that has every word of the question: of 35 below the first number 16 were right. */
const likelyWhole = -1;
/** The same of a sentence without a name, where somebody is asked for: of 57 below it 22 were right. */
const likelyUnnamed = 1;

interface Placed {
  /** The sentences looked at, and those of the opening of a document that the question is about; the likeliest first. */
  readonly all: readonly Judged[];
  /** What a sentence gains by where it stands, by what it reports, and by how the network reads it. */
  gainOf(one: Judged): number;
  /** Whether it may answer, by the trees and what it finds, or by what states that it does. */
  isLikely(one: Judged): boolean;
  surenessOf(one: Judged): number;
}

function place(question: Question, ranked: readonly Scored[], judged: readonly Judged[]): Placed {
  const named = namedDocuments(question, new Set(ranked.map(({ candidate }) => candidate.passage)));
  const term = askedTerm(question);
  const identifiers = identifiersHeld(question, ranked);
  const otherNumberLoss = otherNumberLosses(
    question,
    ranked.map(({ candidate }) => candidate),
  );
  /** By what says that a sentence answers, whatever words it has: its section, its label, its subject. */
  const stated = (candidate: Candidate): number =>
    sectionGain(question, candidate) +
    signatureGain(question, candidate) +
    releaseGain(question, candidate) +
    labelGain(question, candidate) +
    subjectGain(question, candidate) +
    defaultGain(question, candidate) +
    optionGain(question, candidate) +
    (term === undefined ? 0 : definitionGain(question, term, candidate));
  const isStated = (candidate: Candidate): boolean => stated(candidate) > 0 || countsAll(question, candidate);
  const gains = new Map<Judged, number>();
  const ruled = (one: Judged): number => {
    const known = gains.get(one);
    if (known !== undefined) return known;
    const { candidate } = one;
    const gain =
      openingGain(question, named, candidate) +
      findingGain(question, candidate) +
      stated(candidate) +
      countGain(question, candidate) +
      unfitLoss(question, candidate) +
      otherIdentifierLoss(identifiers, candidate) +
      otherNumberLoss(candidate) +
      otherDayLoss(question, candidate);
    gains.set(one, gain);
    return gain;
  };
  const seen = new Set(judged.map(({ candidate }) => candidate));
  const gaining = ranked.filter(
    ({ candidate }) => !seen.has(candidate) && openingGain(question, named, candidate) + stated(candidate) > 0,
  );
  const also =
    question.type === 'reason'
      ? [...gaining, ...instead(ranked, new Set([...seen, ...gaining.map(({ candidate }) => candidate)]))]
      : gaining;
  const all = [...judged, ...scored(lookCloser(question, ranked, also))];
  const logitOf = (one: Judged): number => one.score + ruled(one);
  const isLikely = ({ score, candidate }: Judged): boolean => {
    if (isStated(candidate)) return true;
    const isUnnamed = question.type === 'person' && lacksAsked(question, candidate);
    const least = isUnnamed ? likelyUnnamed : holdsAll(question, candidate) ? likelyWhole : likelyFrom;
    return score + findingGain(question, candidate) >= least && !isUnfit(question, candidate);
  };
  const surenessOf = ({ score, candidate }: Judged): number => {
    const sureness = surenessOfLogit * (score + findingGain(question, candidate) - sureFrom);
    return isStated(candidate) ? Math.max(0, sureness) : sureness;
  };
  const inOrder = all.sort((a, b) => logitOf(b) - logitOf(a));
  const read = readingGains(
    question,
    inOrder.map((one) => ({ candidate: one.candidate, score: logitOf(one) })),
  );
  const gainOf = (one: Judged): number => ruled(one) + (read.get(one.candidate) ?? 0);
  return { all: inOrder.sort((a, b) => b.score + gainOf(b) - (a.score + gainOf(a))), gainOf, isLikely, surenessOf };
}

function holdsAll({ terms }: Question, { match, titleMatch }: Candidate): boolean {
  return terms.every((_, j) => Math.max(match[j]!, titleMatch[j]!) >= 0.75);
}

/** The header of a row, where a date is asked for and stands there alone: `| 2019 | 2018` over `Fees | 242 | 545`. */
function datesOver(question: Question, ranked: readonly Scored[], { candidate: row }: Judged): Judged[] {
  const hasDate = ({ holds }: Candidate): boolean => holds.years + holds.dates > 0;
  if (question.type !== 'date' || !row.unit.header || hasDate(row)) return [];
  const { start } = row.unit.header;
  const header = ranked.filter(({ candidate: { passage, unit } }) => passage === row.passage && unit.start === start);
  return scored(
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
  return scored(lookCloser(question, ranked, next));
}

const contrasts =
  /^(?:however|but|by contrast|in contrast|jedoch|aber|dagegen|sin embargo|pero|cependant|mais|toutefois|tuttavia|ma|porém|mas|однако|но)(?!\p{L})/iu;

/** A name or a date is asked for, and the sentence has none, in a script that shows names. */
function lacksAsked(question: Question, { passage, unit, holds }: Candidate): boolean {
  if (unit.kind === 'row' || isClaim(question)) return false;
  if (question.type === 'date') return lacksFigure(question, holds);
  const { text } = passage.hit.chunk;
  const isNamed = holdsWanted(question, holds) > 0.3 || !/\p{Lu}/u.test(text.slice(unit.start, unit.end));
  return question.type === 'person' && !isNamed;
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
  const { text } = first.passage.hit.chunk;
  const next = ranked.filter(
    ({ candidate: { passage, index, unit, holds } }) =>
      passage === first.passage &&
      index === first.index + 1 &&
      unit.kind === 'sentence' &&
      !/\n\s*\n/.test(text.slice(first.unit.end, unit.start)) &&
      !contrasts.test(text.slice(unit.start, unit.end)) &&
      holdsWanted(question, holds) === 1,
  );
  if (question.type !== 'date') return scored(lookCloser(question, ranked, next));
  return judged.filter((one) => one.candidate === next[0]?.candidate && one.score > score - datesWithin);
}

/** What a sentence is not understood without, or what goes on where it stops short. */
function completing(question: Question, ranked: readonly Scored[], first: Judged, judged: readonly Judged[]): Judged[] {
  const needed = [...datesOver(question, ranked, first), ...afterShort(question, ranked, first)];
  return needed.length > 0 ? needed : askedFollows(question, ranked, first, judged);
}

/** Sentences in place of the rows that were looked at, which give no reason. */
function instead(ranked: readonly Scored[], seen: ReadonlySet<Candidate>): Scored[] {
  const rows = [...seen].filter(({ unit }) => unit.kind === 'row').length;
  return ranked.filter(({ candidate }) => candidate.unit.kind === 'sentence' && !seen.has(candidate)).slice(0, rows);
}

/** A row says something of the question beside the subject of its page, or beside a fact it says nothing. */
function bearsOn({ terms }: Question, { candidate: { unit, match, titleMatch } }: Judged): boolean {
  return unit.kind !== 'row' || terms.some((_, j) => match[j]! > titleMatch[j]!);
}

/** Before all others. */
const secondPart = 10;
/** A further sentence belongs to the answer from this logit on: as likely as not. */
const belongsFrom = 0;

/**
 * Of two questions whose hits support an answer alike, the one with the likelier sentence is answered right more often:
 * a logit of the sentence counts as much as this of support, from the second number on. Chosen on 1,189 plain answers in
 * fourteen training sets (right 791 → 823, wrong 398 → 364); of seven sets that no tree has seen 361 → 371 and 178 → 152.
 */
const surenessOfLogit = 0.6;
const sureFrom = 0.6;

export interface Choice {
  readonly answer: readonly Judged[];
  /** Whether the first sentence may answer; false for a stopgap. */
  readonly isLikely: boolean;
  /** How much the first sentence itself says for a plain answer, in logits of support. */
  readonly sureness: number;
  readonly related: readonly Judged[];
}

/**
 * The sentences that answer together, and further ones beside them. How many belong to the answer is decided by the
 * probability of each sentence given those before it. A sentence that repeats 70 % of a chosen one is left out.
 * @param ranked all sentences, by the linear model
 * @param judged those looked at, the likeliest answer first
 * @param limit sentences of both together
 */
export function choose(
  question: Question,
  ranked: readonly Scored[],
  judged: readonly Judged[],
  limit: number,
): Choice {
  const { all, gainOf, isLikely, surenessOf } = place(question, ranked, judged);
  const [first, ...others] = all;
  const answer = first === undefined ? [] : [first, ...completing(question, ranked, first, judged)].slice(0, limit);
  const related: Judged[] = [];
  let isOpen = true;
  const more = answer.length > 0 && limit > 1 ? [...others, ...linked(question, ranked, answer, judged)] : [];
  let rest = more.filter((one) => gainOf(one) > 0 || bearsOn(question, one));
  let scores = new Map<Judged, number>();
  while (answer.length > 0 && answer.length + related.length < limit) {
    const chosen = [...answer, ...related];
    const last = chosen.at(-1)!;
    rest = rest.filter((one) => one !== last && overlapOf(one.candidate, last.candidate) < 0.7);
    if (isOpen)
      scores = new Map(rest.map((one) => [one, scoreOf(nextTrees, nextRow(question, one.looked, one.score, answer))]));
    let next: { one: Judged; belongs: boolean; order: number } | undefined;
    for (const one of rest) {
      const score = scores.get(one)!;
      const isAsked = isOpen && asksOn(question, answer, one);
      const order = score + gainOf(one) + (isAsked ? secondPart : leadsTo(question, chosen, one.candidate));
      if (next === undefined || order > next.order) next = { one, belongs: isAsked || score >= belongsFrom, order };
    }
    if (next === undefined) break;
    isOpen &&= next.belongs;
    (isOpen ? answer : related).push(next.one);
  }
  const [isSure, sureness] = first === undefined ? [false, 0] : [isLikely(first), surenessOf(first)];
  return { answer, isLikely: isSure, sureness, related };
}
