import type { TermPostings } from '../lexical/contract.ts';
import type { LexicalReader } from '../lexical/reader.ts';
import { countOf, SkippedPostings } from '../lexical/skipped-postings.ts';
import { WINDOW } from '../lexical/term-counts.ts';
import type { RowSet } from '../store/contract.ts';
import {
  eachFrequency,
  type Field,
  fieldNorms,
  fieldWeight,
  type QueryTerm,
  scoreRows,
  scoreWindows,
  seek,
} from './lexical-scores.ts';
import { topIndices } from './top.ts';

/** Sums in another order differ by less than this share: thirty additions of 32-bit floats. */
const ROUNDING = 1e-5;
/** With more rows than this still in question, going through all postings is no slower. */
const MOST_LEFT = 4096;

/** Looking up one more term costs as much as scoring so many rows for each that is wanted. */
const FEW = 2;

interface WeighedTerm {
  readonly term: QueryTerm;
  readonly weight: number;
}

/** Between two queries all scores are 0. */
interface Scratch {
  readonly scores: Float32Array;
  /** The rows whose score is not 0. */
  readonly touched: Uint32Array;
}

const scratches = new WeakMap<LexicalReader, Scratch>();

function scratchOf(reader: LexicalReader): Scratch {
  let scratch = scratches.get(reader);
  if (scratch === undefined) {
    scratch = { scores: new Float32Array(reader.rows), touched: new Uint32Array(reader.rows) };
    scratches.set(reader, scratch);
  }
  return scratch;
}

/**
 * The `limit` rows that `scoreRows` or `scoreWindows` scores highest, ties by row; rows without any of the terms are
 * never among them. Terms go from the one that can add most to the one that can add least, and once all that are left
 * could not lift a row from nothing into the best, they are only looked up where a row is still in question: the
 * postings of common words, most of all there are, are skipped.
 * @param within only these rows
 * @param least rows of a lesser score may be left out: as many as are wanted have been found elsewhere
 * @see Turtle & Flood 1995, doi:10.1016/0306-4573(95)00020-H (MaxScore)
 */
export function bestRows(
  reader: LexicalReader,
  terms: readonly QueryTerm[],
  field: Field,
  limit: number,
  within?: RowSet,
  least = 0,
): number[] {
  const weighed = terms
    .map((term) => ({ term, weight: fieldWeight(term, field) }))
    .filter(({ term, weight }) => weight > 0 && countOf(term.postings) > 0)
    .sort((a, b) => b.weight - a.weight);
  const { scores, touched } = scratchOf(reader);
  const norms = fieldNorms(reader, field);
  let ahead = weighed.reduce((sum, { weight }) => sum + weight, 0);
  let behind = 0;
  let count = 0;
  let left: Uint32Array | undefined;
  let rest = weighed;
  for (const [place, { term, weight }] of weighed.entries()) {
    eachFrequency(reader, term.postings, field, (row, frequency) => {
      if (scores[row] === 0) touched[count++] = row;
      scores[row]! += (weight * frequency) / (frequency + norms[row]!);
    });
    behind += weight;
    ahead = place === weighed.length - 1 ? 0 : ahead - weight;
    if (ahead >= behind && ahead >= least) continue; // no row can be out of reach yet
    const bar = (1 - ROUNDING) * Math.max(least, greatest(scores, touched, count, limit, within));
    if (ahead > 0 && ahead * (1 + ROUNDING) >= bar) continue;
    left = reaching(bar - ahead, touched.subarray(0, count), scores, within);
    rest = weighed.slice(place + 1);
    if (left.length <= MOST_LEFT) break;
  }
  if (left !== undefined && left.length <= MOST_LEFT)
    left = narrowed(reader, rest, field, { limit, least }, left.sort(), scores);
  for (let i = 0; i < count; i++) scores[touched[i]!] = 0;
  if (left === undefined) return [];
  if (left.length > MOST_LEFT) return amongAll(reader, terms, field, limit, within);
  const exact = scoresAt(reader, terms, field, left);
  return topIndices(exact, exact.length, limit, 0).map((i) => left[i]!);
}

/**
 * Those of the rows that can still be among the best: one term after the other is looked up, in fewer and fewer rows.
 * @param rest terms that the scores do not have yet, from the one that can add most
 * @param rows ascending
 */
function narrowed(
  reader: LexicalReader,
  rest: readonly WeighedTerm[],
  field: Field,
  { limit, least }: { readonly limit: number; readonly least: number },
  rows: Uint32Array,
  scores: Float32Array,
): Uint32Array {
  let left = rows;
  let ahead = rest.reduce((sum, { weight }) => sum + weight, 0);
  for (const { term, weight } of rest) {
    if (left.length <= FEW * limit) break;
    const more = scoresAt(reader, [term], field, left);
    for (let i = 0; i < left.length; i++) scores[left[i]!]! += more[i]!;
    ahead -= weight;
    const bar = (1 - ROUNDING) * Math.max(least, greatest(scores, left, left.length, limit, undefined));
    left = reaching((1 - ROUNDING) * bar - ahead, left, scores);
  }
  return left;
}

/** The rows with at least a score. A loop, because `filter` of an array of numbers takes ten times as long. */
function reaching(least: number, rows: Uint32Array, scores: Float32Array, within?: RowSet): Uint32Array {
  const found = new Uint32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (scores[row]! >= least && within?.has(row) !== false) found[count++] = row;
  }
  return found.subarray(0, count);
}

/** The `limit`th greatest of the scores of some rows; 0 where there are fewer. */
function greatest(
  scores: Float32Array,
  rows: Uint32Array,
  count: number,
  limit: number,
  within: RowSet | undefined,
): number {
  // a min-heap of the greatest so far
  const heap = new Float32Array(limit);
  let size = 0;
  for (let r = 0; r < count; r++) {
    const score = scores[rows[r]!]!;
    if (size === limit && score <= heap[0]!) continue;
    if (within?.has(rows[r]!) === false) continue;
    let at: number;
    if (size < limit) {
      at = size++;
      for (let parent = (at - 1) >> 1; at > 0 && heap[parent]! > score; parent = (at - 1) >> 1) {
        heap[at] = heap[parent]!;
        at = parent;
      }
    } else {
      at = 0;
      for (let child = 1; child < limit; child = 2 * at + 1) {
        if (child + 1 < limit && heap[child + 1]! < heap[child]!) child++;
        if (heap[child]! >= score) break;
        heap[at] = heap[child]!;
        at = child;
      }
    }
    heap[at] = score;
  }
  return size < limit ? 0 : heap[0]!;
}

function amongAll(
  reader: LexicalReader,
  terms: readonly QueryTerm[],
  field: Field,
  limit: number,
  within: RowSet | undefined,
): number[] {
  const { scores } = scratchOf(reader);
  (field === 'body' ? scoreRows : scoreWindows)(reader, terms, scores);
  const rows = within?.ordinals;
  const allowed = rows ? Float32Array.from(rows, (row) => scores[row]!) : scores;
  const found = topIndices(allowed, allowed.length, limit, 0).map((i) => rows?.[i] ?? i);
  scores.fill(0);
  return found;
}

/** What `scoreRows` or `scoreWindows` gives some rows, to the last bit. @param rows ascending */
export function scoresAt(
  reader: LexicalReader,
  terms: readonly QueryTerm[],
  field: Field,
  rows: ArrayLike<number>,
): Float32Array {
  const scores = new Float32Array(rows.length);
  const norms = fieldNorms(reader, field);
  const { documentFirst, documentEnd } = reader;
  for (const term of terms) {
    const weight = fieldWeight(term, field);
    const frequencyIn = fieldFrequencies(term.postings);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const frequency =
        field === 'body'
          ? frequencyIn(row, row + 1)
          : frequencyIn(Math.max(documentFirst[row]!, row - WINDOW), Math.min(documentEnd[row]!, row + WINDOW + 1));
      if (frequency > 0) scores[i]! += (weight * frequency) / (frequency + norms[row]!);
    }
  }
  return scores;
}

/** A function that counts a term in rows [from, end) of one document; `from` must not fall from call to call. */
function fieldFrequencies(postings: TermPostings): (from: number, end: number) => number {
  if (postings instanceof SkippedPostings) {
    const { found } = postings;
    return (from, end) => {
      postings.between(from, end);
      let frequency = found.length > 0 ? found.title[0]! : 0; // the same on every row of a document
      for (let i = 0; i < found.length; i++) frequency += found.text[i]!;
      return frequency;
    };
  }
  const { ordinals, text, title } = postings;
  let at = 0;
  return (from, end) => {
    at = seek(ordinals, from, at);
    let frequency = at < ordinals.length && ordinals[at]! < end ? title[at]! : 0;
    for (let near = at; near < ordinals.length && ordinals[near]! < end; near++) frequency += text[near]!;
    return frequency;
  };
}
