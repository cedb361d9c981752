import type { TermPostings } from '../lexical/contract.ts';
import type { LexicalReader } from '../lexical/reader.ts';

/** BM25's saturation and length normalisation (Robertson & Zaragoza 2009, doi:10.1561/1500000019). */
export const K1 = 1.2;
export const B = 0.75;
/** Length normalisation of titles and heading paths. */
export const B_SHORT = 0.5;
/** How many chunks on each side of a chunk belong to its window. */
export const WINDOW = 3;

/** One distinct term of a query with where it occurs. */
export interface QueryTerm {
  readonly postings: TermPostings;
  /** Occurrences in the query. */
  readonly count: number;
  /** ln(1 + (N - df + 0.5) / (df + 0.5)), df = live rows with the term in text or title, else in headings. */
  readonly idf: number;
}

export function inverseDocumentFrequency(rows: number, containing: number): number {
  return Math.log(1 + (rows - containing + 0.5) / (containing + 0.5));
}

export function queryTerm(reader: LexicalReader, postings: TermPostings, count: number): QueryTerm {
  let containing = 0;
  let anywhere = 0;
  const { ordinals, text, title } = postings;
  for (; anywhere < ordinals.length && ordinals[anywhere]! < reader.counted; anywhere++) {
    if (text[anywhere]! + title[anywhere]! > 0) containing++;
  }
  // a term of headings alone is as rare as it is there
  return { postings, count, idf: inverseDocumentFrequency(reader.liveRows, containing || anywhere) };
}

/** What a row's length adds to a frequency in BM25's denominator, derived once per reader; by ordinal. */
interface Norms {
  readonly body: Float32Array;
  readonly window: Float32Array;
}

const normsOfReader = new WeakMap<LexicalReader, Norms>();

function normsOf(reader: LexicalReader): Norms {
  let norms = normsOfReader.get(reader);
  if (norms === undefined) {
    const body = Float64Array.from(reader.textLengths, (length, row) => length + reader.titleLengths[row]!);
    norms = { body: normalise(reader, body), window: normalise(reader, windowLengths(reader)) };
    normsOfReader.set(reader, norms);
  }
  return norms;
}

/** Tokens of each row's title, its text, and the text of `WINDOW` rows on each side in the same document. */
function windowLengths({ rows, textLengths, titleLengths, documentFirst, documentEnd }: LexicalReader): Float64Array {
  const lengths = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const first = Math.max(documentFirst[row]!, row - WINDOW);
    const end = Math.min(documentEnd[row]!, row + WINDOW + 1);
    let length = titleLengths[row]!;
    for (let near = first; near < end; near++) length += textLengths[near]!;
    lengths[row] = length;
  }
  return lengths;
}

function normalise(reader: LexicalReader, lengths: Float64Array): Float32Array {
  let total = 0;
  for (let row = 0; row < reader.counted; row++) if (reader.isLive(row)) total += lengths[row]!;
  const average = total / (reader.liveRows || 1) || 1;
  return Float32Array.from(lengths, (length) => K1 * (1 - B + (B * length) / average));
}

/** Adds BM25 of title and text as one field to `scores`, by ordinal. */
export function scoreRows(reader: LexicalReader, terms: readonly QueryTerm[], scores: Float32Array): void {
  const { body } = normsOf(reader);
  for (const { postings, count, idf } of terms) {
    const { ordinals, text, title } = postings;
    const weight = count * idf * (K1 + 1);
    for (let i = 0; i < ordinals.length; i++) {
      const frequency = text[i]! + title[i]!;
      if (frequency === 0) continue;
      const ordinal = ordinals[i]!;
      scores[ordinal]! += (weight * frequency) / (frequency + body[ordinal]!);
    }
  }
}

/** Reused between queries: rows and saturated frequencies of one term's windows. */
class Pending {
  rows = new Uint32Array(1024);
  values = new Float32Array(1024);

  reserve(count: number): void {
    if (count <= this.rows.length) return;
    this.rows = new Uint32Array(count * 2);
    this.values = new Float32Array(count * 2);
  }
}

const pending = new Pending();

/**
 * Adds BM25 of windows to `scores`, by ordinal: title and window text as one field, with its own lengths and document frequencies, both
 * derived from the same postings, so that no window is ever stored.
 */
export function scoreWindows(reader: LexicalReader, terms: readonly QueryTerm[], scores: Float32Array): void {
  const norms = normsOf(reader).window;
  for (const { postings, count } of terms) {
    const { ordinals } = postings;
    pending.reserve(Math.min(reader.rows, ordinals.length * (2 * WINDOW + 1)));
    let windows = 0;
    let counted = 0;
    for (let i = 0; i < ordinals.length; ) {
      const end = reader.documentEnd[ordinals[i]!]!;
      let j = i + 1;
      while (j < ordinals.length && ordinals[j]! < end) j++;
      windows = eachWindow(postings, i, j, reader.documentFirst[ordinals[i]!]!, end, windows);
      if (end <= reader.counted) counted = windows;
      i = j;
    }
    const weight = count * inverseDocumentFrequency(reader.liveRows, counted) * (K1 + 1);
    const { rows, values } = pending;
    for (let w = 0; w < windows; w++) {
      const row = rows[w]!;
      const frequency = values[w]!;
      scores[row]! += (weight * frequency) / (frequency + norms[row]!);
    }
  }
}

/** Writes the windows of one document that hold the term, postings `[from, to)`, to `pending`; returns the new count. */
function eachWindow(
  postings: TermPostings,
  from: number,
  to: number,
  first: number,
  end: number,
  count: number,
): number {
  const { ordinals, text, title } = postings;
  const { rows, values } = pending;
  let n = count;
  let low = from;
  let high = from;
  let sum = 0;
  const inTitle = title[from]!; // the same on every row of a document
  for (let row = Math.max(first, ordinals[from]! - WINDOW); row < end; row++) {
    while (high < to && ordinals[high]! <= row + WINDOW) sum += text[high++]!;
    while (low < high && ordinals[low]! < row - WINDOW) sum -= text[low++]!;
    const frequency = sum + inTitle;
    if (frequency > 0) {
      rows[n] = row;
      values[n++] = frequency;
    } else if (high === to) break;
    else row = Math.max(row, ordinals[high]! - WINDOW - 1);
  }
  return n;
}

/** Calls `onFound` for each of the given ordinals (ascending) that the postings hold. */
export function frequenciesAt(
  { ordinals, text, title, headings }: TermPostings,
  wanted: readonly number[],
  onFound: (index: number, text: number, title: number, headings: number) => void,
): void {
  let from = 0;
  for (let i = 0; i < wanted.length && from < ordinals.length; i++) {
    const row = wanted[i]!;
    let high = ordinals.length;
    while (from < high) {
      const middle = (from + high) >> 1;
      if (ordinals[middle]! < row) from = middle + 1;
      else high = middle;
    }
    if (ordinals[from] === row) onFound(i, text[from]!, title[from]!, headings[from]!);
  }
}
