import { toldOfRelease } from '../manuals/latest-release.ts';
import type { Candidate, Scored, WholeDocuments } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { aboutDocument } from '../rules/about-document.ts';
import { comparedPair, winnerOf } from '../rules/compared.ts';
import { documentsHolding } from '../rules/documents-holding.ts';
import { extremeRow } from '../rules/extreme-row.ts';
import { findingGain } from '../rules/findings.ts';
import { gainsOf } from '../rules/gains.ts';
import { listedRows } from '../rules/listed-rows.ts';
import { isOutOfBounds } from '../rules/out-of-bounds.ts';
import { isUnfit } from '../rules/unfit.ts';
import { readingGains } from '../spans/reading.ts';
import { textOf } from '../structure/unit-text.ts';
import { scoresOf } from '../trees/trees.ts';
import { nextTrees } from '../trees/weights.ts';
import { lacksAsked, withAskedFirst } from './asked-near.ts';
import { lookCloser } from './closer.ts';
import { completing } from './completing.ts';
import { leadsTo, linkOf, opens, sentencesOfLinked } from './hops.ts';
import { nextRow, overlapOf } from './next.ts';
import { type Judged, judgeEach } from './rank.ts';
import { asksOn } from './second-part.ts';
import { networkOf, sureOf, usual } from './sureness.ts';

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
  return judgeEach(lookCloser(question, ranked, also));
}

/**
 * The logit of the trees from which a sentence is believed, however well the words of a question are found: of 96 plain
 * answers below it in twelve training sets 34 were right, of those above it two thirds. What the network finds better than
 * usual is added: of 58 that it lifts over the line 31 were right.
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
  /**
   * Whether it may answer, by the trees and what it finds, or by what states that it does.
   * @param isCompleted whether another sentence says what it lacks
   */
  isLikely(one: Judged, isCompleted: boolean): boolean;
  /** How much the sentences of an answer say for a plain one. */
  surenessOf(answer: readonly Judged[]): number;
  /** Whether a rule states that it answers. */
  isStated(one: Judged): boolean;
}

function place(
  question: Question,
  ranked: readonly Scored[],
  judged: readonly Judged[],
  whole: WholeDocuments,
): Placed {
  const gains = gainsOf(question, ranked, whole);
  const seen = new Set(judged.map(({ candidate }) => candidate));
  const found = ranked.filter(({ candidate }) => !seen.has(candidate) && gains.isFound(candidate));
  for (const { candidate } of found) seen.add(candidate);
  const also = question.type === 'reason' ? [...found, ...instead(ranked, seen)] : found;
  const logitOf = ({ score, candidate }: Judged): number => score + gains.of(candidate);
  const all = [...judged, ...judgeEach(lookCloser(question, ranked, also))].sort((a, b) => logitOf(b) - logitOf(a));
  const read = readingGains(
    question,
    all.map((one) => ({ candidate: one.candidate, score: logitOf(one) })),
  );
  const gainOf = ({ candidate }: Judged): number => gains.of(candidate) + (read.get(candidate) ?? 0);
  const isLikely = ({ score, candidate }: Judged, isCompleted: boolean): boolean => {
    if (gains.isStated(candidate)) return true;
    const isUnnamed = !isCompleted && question.type === 'person' && lacksAsked(question, candidate);
    const found = score + findingGain(question, candidate);
    if (isUnnamed) return found >= likelyUnnamed && !isUnfit(question, candidate);
    const least = holdsAll(question, candidate) ? likelyWhole : likelyFrom;
    return found + Math.max(0, networkOf(question, candidate) - usual) >= least && !isUnfit(question, candidate);
  };
  const surenessOf = (answer: readonly Judged[]): number => {
    const sureness = sureOf(question, answer, judged);
    return gains.isStated(answer[0]!.candidate) ? Math.max(0, sureness) : sureness;
  };
  const orderOf = (one: Judged): number => one.score + gainOf(one);
  all.sort((a, b) => orderOf(b) - orderOf(a));
  const isStated = ({ candidate }: Judged): boolean => gains.isStated(candidate);
  return { all: withAskedFirst(question, all, orderOf), gainOf, isLikely, surenessOf, isStated };
}

function holdsAll({ terms }: Question, { match, titleMatch }: Candidate): boolean {
  return terms.every((_, j) => Math.max(match[j]!, titleMatch[j]!) >= sameWord);
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

const fewestCapitals = 8;

/** `BYLAW No. 14 ON PARKING`: a line in capitals without an end heads what it names, and adds nothing to an answer. */
function isShoutedLine({ candidate }: Judged): boolean {
  const text = textOf(candidate);
  if (candidate.unit.kind === 'row' || /[.!?:;…]["'”’»)]*$/u.test(text)) return false;
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  return capitals >= fewestCapitals && (text.match(/\p{Ll}/gu)?.length ?? 0) < capitals / 4;
}

/** Before all others. */
const secondPart = 10;
/** A further sentence belongs to the answer from this logit on: as likely as not. */
const belongsFrom = 0;

/**
 * Sentences that answer together whatever else was found, and beside them what is likeliest.
 * @param winner goes before the others
 */
function chooseTogether(
  question: Question,
  ranked: readonly Scored[],
  candidates: readonly Candidate[],
  all: readonly Judged[],
  limit: number,
  winner: Candidate | undefined,
): Choice {
  const own = ranked.filter(({ candidate }) => candidates.includes(candidate));
  const found = judgeEach(lookCloser(question, ranked, own));
  const most = Math.max(...found.map(({ score }) => score));
  const answer = found.map((one) => (one.candidate === winner ? { ...one, score: most + 1 } : one));
  const others = all.filter(({ candidate }) => !candidates.includes(candidate));
  return {
    answer,
    isLikely: true,
    sureness: 0,
    related: others.slice(0, Math.max(0, limit - answer.length)),
    isTogether: true,
  };
}

/** The sentences of an answer, and what is said beside it. */
export interface Choice {
  /** The answer is the two sentences of a comparison, or the rows of a list: each is as much of it as the others. */
  readonly isTogether?: boolean;
  readonly answer: readonly Judged[];
  /** Whether a rule states that the first sentence answers: it is no refusal, however little supports it. */
  readonly isStated?: boolean;
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
 * @param whole documents all of whose passages are among the hits
 * @param mostRows of a list that is asked for
 */
export function choose(
  question: Question,
  ranked: readonly Scored[],
  judged: readonly Judged[],
  limit: number,
  whole: WholeDocuments = new Set(),
  mostRows: number = limit,
): Choice {
  const { all, gainOf, isLikely, surenessOf, isStated } = place(question, ranked, judged, whole);
  const pair = limit > 1 ? comparedPair(question, ranked) : undefined;
  const extreme = pair ? undefined : extremeRow(question, ranked, whole);
  const rows = pair ? [] : extreme?.isSure ? [extreme.candidate] : listedRows(question, ranked, whole);
  const release = toldOfRelease(question, ranked, whole).slice(0, limit);
  const documents = documentsHolding(question, ranked, mostRows);
  const about = aboutDocument(question, ranked, limit);
  const together = pair ?? [rows, release, documents, about].find(({ length }) => length > 0) ?? [];
  if (together.length > 0 && together.length <= (pair ? limit : mostRows)) {
    const winner = pair ? winnerOf(question, pair) : together[0];
    return chooseTogether(question, ranked, together, all, limit, winner);
  }
  const [first, ...others] = all;
  const answer = first === undefined ? [] : [first, ...completing(question, ranked, first, judged)].slice(0, limit);
  const isCompleted = answer.length > 1;
  const related: Judged[] = [];
  let isOpen = true;
  const more = answer.length > 0 && limit > 1 ? [...others, ...linked(question, ranked, answer, judged)] : [];
  let rest = more.filter((one) => !isShoutedLine(one) && (gainOf(one) > 0 || bearsOn(question, one)));
  let scores = new Map<Judged, number>();
  while (answer.length > 0 && answer.length + related.length < limit) {
    const chosen = [...answer, ...related];
    const last = chosen.at(-1)!;
    rest = rest.filter((one) => one !== last && overlapOf(one.candidate, last.candidate) < 0.7);
    if (isOpen) {
      const rows = rest.map(({ looked, score }) => nextRow(question, looked, score, answer));
      const logits = scoresOf(nextTrees, rows);
      scores = new Map(rest.map((one, i) => [one, logits[i]!]));
    }
    let next: { one: Judged; belongs: boolean; order: number } | undefined;
    for (const one of rest) {
      const score = scores.get(one)!;
      const isAsked = isOpen && asksOn(question, answer, one);
      const order = score + gainOf(one) + (isAsked ? secondPart : leadsTo(question, chosen, one.candidate));
      if (next === undefined || order > next.order)
        next = { one, belongs: isAsked || (score >= belongsFrom && !isOutOfBounds(question, one.candidate)), order };
    }
    if (next === undefined) break;
    isOpen &&= next.belongs;
    (isOpen ? answer : related).push(next.one);
  }
  const [isSure, sureness] = first === undefined ? [false, 0] : [isLikely(first, isCompleted), surenessOf(answer)];
  return { answer, isLikely: isSure, sureness, related, isStated: first !== undefined && isStated(first) };
}
