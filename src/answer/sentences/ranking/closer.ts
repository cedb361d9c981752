import { answerTypes } from '../../../text/languages/answer-types.ts';
import { leadingPronoun } from '../../../text/languages/pronouns.ts';
import { asksAtEnd } from '../../../text/languages/question-marks.ts';
import { isNumberWord, isYear } from '../../../text/languages/question-words.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { coverage, positionOf, type Question, raise, relatedWord, sameWord } from '../question/question.ts';
import { holdsWanted } from '../question/wanted.ts';
import { textOf } from '../structure/unit-text.ts';
import { featureNames } from './features.ts';

/** Sentences that are looked at more closely, of those that a linear model ranks first. */
const shortlist = 16;

const base = featureNames.length;
const more = [
  'behind', // the linear model's score, against the best
  'place', // in its order
  'rank', // of the passage
  'score',
  'lead', // of this passage's score over the next one
  'density',
  'relativeDensity',
  'index',
  'left', // sentences behind it in its chunk
  'opening', // the first sentence of its document
  'length',
  'new', // content words that the question has not
  'repeated', // share of its content words that the question has
  'ownBehind', // coverage against the best of the shortlist
  'topicBehind',
  'nearBehind',
  'rarest', // the rarest term of the question: in the sentence, around it, in the passage
  'rarestNear',
  'rarestPassage',
  'names', // the question's names
  'namesNear',
  'namesPassage',
  'namesAsked',
  'figures', // the question's numbers and identifiers
  'figuresNear',
  'figuresPassage',
  'figuresAsked',
  'target', // the word behind the question word
  'targetNear',
  'type',
  'wanted',
  'wantedBest', // of the shortlist
  'numbers',
  'years',
  'namesHeld',
  'runs',
  'placeHeld',
  'reason',
  'definition',
  'steps',
  'code',
  'unit',
  'items',
  'gap', // words between a thing of the wanted kind and a word of the question
  'spread', // words from the first to the last word of the question
  'pronoun',
  'heading',
  'headingAsks',
  'unspaced',
  'terms',
  'before', // coverage by the sentence before, and by the one behind
  'behindIt',
  'exact', // coverage by equal terms alone
  'unmatched', // weight of the heaviest term that the passage has not
  'rows',
  'lastTerm', // the last word of the question, in English often its verb
  'share', // of the question's words, whatever their weight
] as const;

/** Columns of a row of features of the first sentence of an answer. */
export const firstColumns: number = base + more.length;

const own = featureNames.indexOf('own');
const topic = featureNames.indexOf('topic');
const near = featureNames.indexOf('near');

/** A sentence with what the trees look at in it. */
export interface Looked {
  readonly scored: Scored;
  /** Features of the sentence as the first of an answer. */
  readonly row: Float32Array;
}

/** Begins with a word that stands for something said before. */
export function leansBack(text: string): boolean {
  return leadingPronoun.test(text);
}
const asking = /\b(?:what|which|who|whom|whose|where|when|how|why)\b(?:\s+(?:many|much|long|often|far))?/i;

/** The words of a question that a sentence must not lack, found once. */
interface Wanted {
  readonly rarest: number;
  readonly names: readonly number[];
  readonly figures: readonly number[];
  readonly target: number;
}

function wantedOf(question: Question): Wanted {
  const { terms, tokens, text } = question;
  const rarest = terms.reduce((best, { weight }, i) => (weight > (terms[best]?.weight ?? -1) ? i : best), 0);
  const capital = new Set(tokens.slice(1).flatMap(({ capital, term }) => (capital ? [term] : [])));
  const indices = (keep: (term: (typeof terms)[number]) => boolean): number[] =>
    terms.flatMap((term, i) => (keep(term) ? [i] : []));
  const match = asking.exec(text);
  const from = match ? match.index + match[0].length : -1;
  const behind = from < 0 ? undefined : tokens.find(({ start, empty }) => start >= from && !empty);
  return {
    rarest,
    names: indices(({ term }) => capital.has(term)),
    figures: indices(({ numeric, word }) => numeric || /[_./:-]/.test(word)),
    target: positionOf(question, behind),
  };
}

/** Mean match of some terms, by weight; −1 without such a term. */
function part(question: Question, match: ArrayLike<number>, indices: readonly number[]): number {
  let sum = 0;
  let all = 0;
  for (const j of indices) {
    sum += question.terms[j]!.weight * match[j]!;
    all += question.terms[j]!.weight;
  }
  return all === 0 ? -1 : sum / all;
}

/**
 * Sentences with all their features, those that compare them with the first of the ranking included.
 * @param looked which ones: the first of the ranking, unless others are given
 */
export function lookCloser(question: Question, ranked: readonly Scored[], looked?: readonly Scored[]): Looked[] {
  const list = ranked.slice(0, shortlist);
  if (list.length === 0) return [];
  const compared = comparedWith(question, ranked, list);
  return (looked ?? list).map((scored, at) => ({
    scored,
    row: firstRow(question, scored, looked ? shortlist : at, compared),
  }));
}

/** What sentences are compared with, found once. */
interface Compared {
  readonly wanted: Wanted;
  /** Of the first of the ranking. */
  readonly firstScore: number;
  /** The highest values of the shortlist. */
  readonly own: number;
  readonly topic: number;
  readonly near: number;
  readonly density: number;
  readonly holdsWanted: number;
  /** Scores of the hits, each passage once. */
  readonly hitScores: readonly number[];
  /** All of the ranking, by passage and place in it. */
  readonly byPlace: ReadonlyMap<string, Candidate>;
  /** Whether the question has words that no spaces part. */
  readonly unspaced: 0 | 1;
}

function comparedWith(question: Question, ranked: readonly Scored[], list: readonly Scored[]): Compared {
  const most = (value: (candidate: Candidate) => number): number =>
    Math.max(...list.map(({ candidate }) => value(candidate)));
  return {
    wanted: wantedOf(question),
    firstScore: list[0]!.score,
    own: most(({ features }) => features[own]!),
    topic: most(({ features }) => features[topic]!),
    near: most(({ features }) => features[near]!),
    density: Math.max(
      most(({ passage }) => passage.density),
      1e-9,
    ),
    holdsWanted: most(({ holds }) => holdsWanted(question, holds)),
    hitScores: [...new Set(ranked.map(({ candidate }) => candidate.passage))].map(({ hit }) => hit.score),
    byPlace: new Map(ranked.map(({ candidate }) => [keyOf(candidate), candidate])),
    unspaced: question.terms.some((term) => term.unspaced) ? 1 : 0,
  };
}

/** Features of a sentence as the first of an answer. @param place in the order of the linear model */
function firstRow(question: Question, { candidate, score }: Scored, place: number, compared: Compared): Float32Array {
  const { passage, features, holds, tokens, index, match } = candidate;
  const { hit } = passage;
  const { wanted } = compared;
  const text = textOf(candidate);
  const before = compared.byPlace.get(keyOf({ passage, index: index - 1 }));
  const behind = compared.byPlace.get(keyOf({ passage, index: index + 1 }));
  const around = match.slice();
  for (const other of [before?.match, behind?.match, candidate.titleMatch]) if (other) raise(around, other, 1);
  const words = contentWords(question, tokens);
  const headingCoverage = coverage(question, candidate.headingMatch);
  const rarest = question.terms.length > 0 ? [wanted.rarest] : [];
  const target = wanted.target < 0 ? [] : [wanted.target];
  const { exact, unmatched } = termWeights(question, candidate);
  const { gap, spread } = distances(question, candidate);
  const row = new Float32Array(firstColumns);
  row.set(features);
  row.set(
    [
      score - compared.firstScore,
      place,
      passage.rank,
      hit.score,
      hit.score - (compared.hitScores.find((other) => other < hit.score) ?? 0),
      passage.density,
      passage.density / compared.density,
      index,
      passage.units.length - index - 1,
      index === 0 && hit.chunk.position === 0 ? 1 : 0,
      Math.log1p(tokens.length),
      words.content - words.repeated,
      words.content === 0 ? 0 : words.repeated / words.content,
      features[own]! - compared.own,
      features[topic]! - compared.topic,
      features[near]! - compared.near,
      part(question, match, rarest),
      part(question, around, rarest),
      part(question, passage.match, rarest),
      part(question, match, wanted.names),
      part(question, around, wanted.names),
      part(question, passage.match, wanted.names),
      wanted.names.length,
      part(question, match, wanted.figures),
      part(question, around, wanted.figures),
      part(question, passage.match, wanted.figures),
      wanted.figures.length,
      part(question, match, target),
      part(question, around, target),
      answerTypes.indexOf(question.type),
      holdsWanted(question, holds),
      compared.holdsWanted,
      holds.numbers,
      holds.years,
      holds.names,
      holds.runs,
      holds.place ? 1 : 0,
      holds.reason ? 1 : 0,
      holds.definition ? 1 : 0,
      holds.steps ? 1 : 0,
      holds.code ? 1 : 0,
      holds.unit ? 1 : 0,
      holds.items,
      gap,
      spread,
      leadingPronoun.test(text) ? 1 : 0,
      headingCoverage,
      asksAtEnd.test(candidate.headings.at(-1) ?? '') ? headingCoverage : -1,
      compared.unspaced,
      question.terms.length,
      before ? coverage(question, before.match) : -1,
      behind ? coverage(question, behind.match) : -1,
      exact / question.weight,
      unmatched,
      passage.units.filter(({ kind }) => kind === 'row').length,
      match.at(-1) ?? 0,
      match.reduce((sum, x) => sum + x, 0) / (match.length || 1),
    ],
    base,
  );
  return row;
}

/** How many words are no function words, and how many of these the question has. */
function contentWords({ known }: Question, tokens: Candidate['tokens']): { content: number; repeated: number } {
  let content = 0;
  let repeated = 0;
  for (const { empty, term } of tokens) {
    if (empty) continue;
    content++;
    if (known.has(term)) repeated++;
  }
  return { content, repeated };
}

/** Weight of all terms that the sentence has exactly, and of the heaviest one that its passage has not. */
function termWeights({ terms }: Question, { match, passage }: Candidate): { exact: number; unmatched: number } {
  let exact = 0;
  let unmatched = 0;
  terms.forEach(({ weight }, j) => {
    if (match[j] === 1) exact += weight;
    if (passage.match[j]! < relatedWord) unmatched = Math.max(unmatched, weight);
  });
  return { exact, unmatched };
}

function keyOf({ passage, index }: Pick<Candidate, 'passage' | 'index'>): string {
  return `${passage.rank} ${index}`;
}

/** Words between what may be the answer and the nearest word of the question; from its first word there to its last. */
function distances(question: Question, { tokens }: Candidate): { gap: number; spread: number } {
  const matched: number[] = [];
  const things: number[] = [];
  tokens.forEach((token, i) => {
    const row = question.matches.get(token.word);
    if (row && Math.max(...row) >= sameWord) matched.push(i);
    else if (isThing(question, token)) things.push(i);
  });
  if (matched.length === 0) return { gap: 30, spread: 0 };
  const gap = things.reduce((least, at) => Math.min(least, ...matched.map((i) => Math.abs(i - at))), 30);
  return { gap, spread: matched.at(-1)! - matched[0]! + 1 };
}

function isThing({ type, known }: Question, token: Candidate['tokens'][number]): boolean {
  if (known.has(token.term)) return false;
  const figure = token.numeric || isNumberWord(token.word);
  if (type === 'number') return figure;
  if (type === 'date') return isYear(token.word) || figure;
  return type === 'person' || type === 'place' ? token.capital && !token.empty : !token.empty;
}
