import { answerTypes } from '../../../text/languages/answer-types.ts';
import { leadingPronoun } from '../../../text/languages/pronouns.ts';
import { isNumberWord, isYear } from '../../../text/languages/question-words.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { coverage, type Question, raise, relatedWord, sameWord } from '../question/question.ts';
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

const later = [
  'chosen', // how many sentences stand already
  'firstScore',
  'scoreBehind', // this one's score against the first one's
  'sameChunk',
  'sameDocument',
  'distance', // in sentences, to the nearest chosen of its chunk
  'follows',
  'overlap', // share of its words that the chosen have
  'adds', // coverage beyond the chosen
  'covered', // coverage by the chosen
  'announced', // the chosen one before it ends with a colon
  'wantedThere', // the chosen hold what is asked for
] as const;

export const firstColumns: number = base + more.length;
const nextColumns: number = firstColumns + later.length;

const own = featureNames.indexOf('own');
const topic = featureNames.indexOf('topic');
const near = featureNames.indexOf('near');

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
    target: behind ? terms.findIndex(({ term }) => term === behind.term) : -1,
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
  const wanted = wantedOf(question);
  const most = (column: number): number => Math.max(...list.map(({ candidate }) => candidate.features[column]!));
  const [bestOwn, bestTopic, bestNear] = [most(own), most(topic), most(near)];
  const bestDensity = Math.max(...list.map(({ candidate }) => candidate.passage.density), 1e-9);
  const wantedBest = Math.max(...list.map(({ candidate }) => holdsWanted(question, candidate.holds)));
  const scores = [...new Set(ranked.map(({ candidate }) => candidate.passage))].map(({ hit }) => hit.score);
  const matchOf = new Map(ranked.map(({ candidate }) => [keyOf(candidate), candidate]));
  const unspaced = question.terms.some((term) => term.unspaced) ? 1 : 0;
  return (looked ?? list).map((scored, at) => {
    const { candidate, score } = scored;
    const { passage, features, holds, tokens, index, match } = candidate;
    const { hit } = passage;
    const text = textOf(candidate);
    const neighbours = [-1, 1].map((by) => matchOf.get(keyOf({ passage, index: index + by })));
    const around = match.slice();
    for (const other of [...neighbours.map((one) => one?.match), candidate.titleMatch]) {
      if (other) raise(around, other, 1);
    }
    let content = 0;
    let repeated = 0;
    for (const token of tokens) {
      if (token.empty) continue;
      content++;
      if (question.known.has(token.term)) repeated++;
    }
    const headingCoverage = coverage(question, candidate.headingMatch);
    const rarest = question.terms.length > 0 ? [wanted.rarest] : [];
    const target = wanted.target < 0 ? [] : [wanted.target];
    let exact = 0;
    let unmatched = 0;
    question.terms.forEach((term, j) => {
      if (match[j] === 1) exact += term.weight;
      if (passage.match[j]! < relatedWord) unmatched = Math.max(unmatched, term.weight);
    });
    const { gap, spread } = distances(question, candidate);
    const row = new Float32Array(firstColumns);
    row.set(features);
    row.set(
      [
        score - list[0]!.score,
        looked ? shortlist : at,
        passage.rank,
        hit.score,
        hit.score - (scores.find((other) => other < hit.score) ?? 0),
        passage.density,
        passage.density / bestDensity,
        index,
        passage.units.length - index - 1,
        index === 0 && hit.chunk.position === 0 ? 1 : 0,
        Math.log1p(tokens.length),
        content - repeated,
        content === 0 ? 0 : repeated / content,
        features[own]! - bestOwn,
        features[topic]! - bestTopic,
        features[near]! - bestNear,
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
        wantedBest,
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
        /[?？؟]\s*$/.test(candidate.headings.at(-1) ?? '') ? headingCoverage : -1,
        unspaced,
        question.terms.length,
        neighbours[0] ? coverage(question, neighbours[0].match) : -1,
        neighbours[1] ? coverage(question, neighbours[1].match) : -1,
        exact / question.weight,
        unmatched,
        passage.units.filter(({ kind }) => kind === 'row').length,
        match.at(-1) ?? 0,
        match.reduce((sum, x) => sum + x, 0) / (match.length || 1),
      ],
      base,
    );
    return { scored, row };
  });
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

/** Features of a sentence as the next of an answer. */
export function nextRow(question: Question, looked: Looked, score: number, chosen: readonly Chosen[]): Float32Array {
  const { candidate } = looked.scored;
  const row = new Float32Array(nextColumns);
  row.set(looked.row);
  const same = chosen.filter((one) => one.candidate.passage === candidate.passage);
  const nearest = same.reduce((best, { candidate: { index } }) => {
    const distance = candidate.index - index;
    return Math.abs(distance) < Math.abs(best) ? distance : best;
  }, 20);
  const together = new Float32Array(question.terms.length);
  for (const { candidate: one } of chosen) raise(together, one.match, 1);
  const covered = coverage(question, together);
  raise(together, candidate.match, 1);
  const before = same.find(({ candidate: { index } }) => index === candidate.index - 1)?.candidate;
  const textBefore = before === undefined ? '' : textOf(before);
  row.set(
    [
      chosen.length,
      chosen[0]!.score,
      score - chosen[0]!.score,
      same.length,
      chosen.some((one) => one.candidate.passage.hit.chunk.uri === candidate.passage.hit.chunk.uri) ? 1 : 0,
      nearest,
      nearest === 1 ? 1 : 0,
      Math.max(...chosen.map((one) => overlapOf(candidate, one.candidate))),
      coverage(question, together) - covered,
      covered,
      /[:：]\s*$/.test(textBefore) ? 1 : 0,
      Math.max(...chosen.map((one) => holdsWanted(question, one.candidate.holds))),
    ],
    firstColumns,
  );
  return row;
}

/** A sentence of the answer, with its score as its first. */
export interface Chosen {
  readonly candidate: Candidate;
  readonly score: number;
}

/** Share of the words of the shorter of two sentences that the other has too. */
export function overlapOf(a: Candidate, b: Candidate): number {
  const smaller = Math.min(a.terms.size, b.terms.size);
  if (smaller === 0) return a.terms.size === b.terms.size ? 1 : 0;
  let shared = 0;
  for (const term of a.terms) if (b.terms.has(term)) shared++;
  return shared / smaller;
}
