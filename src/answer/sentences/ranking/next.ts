import { type Candidate, termsOf } from '../question/candidate.ts';
import { coverage, type Question, raise } from '../question/question.ts';
import { holdsWanted } from '../question/wanted.ts';
import { textOf } from '../structure/unit-text.ts';
import { firstColumns, type Looked } from './closer.ts';

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

const nextColumns: number = firstColumns + later.length;

/** A sentence of the answer, with its score as its first. */
export interface Chosen {
  readonly candidate: Candidate;
  readonly score: number;
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

/** Share of the words of the shorter of two sentences that the other has too. */
export function overlapOf(a: Candidate, b: Candidate): number {
  const [own, others] = [termsOf(a), termsOf(b)];
  const smaller = Math.min(own.size, others.size);
  if (smaller === 0) return own.size === others.size ? 1 : 0;
  let shared = 0;
  for (const term of own) if (others.has(term)) shared++;
  return shared / smaller;
}
