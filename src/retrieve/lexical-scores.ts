import type { TermPostings } from '../lexical/contract.ts';
import type { LexicalReader } from '../lexical/reader.ts';
import { countOf, piecesOf, SkippedPostings } from '../lexical/skipped-postings.ts';
import { TermCounter, type TermCounts, WINDOW } from '../lexical/term-counts.ts';

/** BM25's saturation and length normalisation (Robertson & Zaragoza 2009, doi:10.1561/1500000019). */
export const K1 = 1.2;
export const B = 0.75;
/** Length normalisation of titles and heading paths. */
export const B_SHORT = 0.5;
/** A unit of scoring: title and text of a chunk, or of its window. */
export type Field = 'body' | 'window';

/** One distinct term of a query with where it occurs. */
export interface QueryTerm {
  readonly postings: TermPostings;
  /** Further terms whose postings these are too: other forms of its word. */
  readonly forms?: readonly string[] | undefined;
  /** Rows that hold it, wherever. */
  readonly rows: number;
  /** Occurrences in the query. */
  readonly count: number;
  /** ln(1 + (N - df + 0.5) / (df + 0.5)), df = live rows with the term in text or title, else in headings. */
  readonly idf: number;
  /** The same with df = live rows with the term in their window. */
  readonly windowIdf: number;
}

export function inverseDocumentFrequency(rows: number, containing: number): number {
  return Math.log(1 + (rows - containing + 0.5) / (containing + 0.5));
}

export function queryTerm(reader: LexicalReader, postings: TermPostings, count: number): QueryTerm {
  const rarity = rarityOf(reader.liveRows, termCounts(reader, postings));
  return { postings, rows: countOf(postings), count, ...rarity };
}

/** How rare a term is among so many rows. */
export function rarityOf(
  liveRows: number,
  { containing, anywhere, windows }: TermCounts,
): Pick<QueryTerm, 'idf' | 'windowIdf'> {
  return {
    // a term of headings alone is as rare as it is there
    idf: inverseDocumentFrequency(liveRows, containing || anywhere),
    windowIdf: inverseDocumentFrequency(liveRows, windows),
  };
}

/** Upper bound of the part of one term in a score; the part never reaches the bound. */
export function fieldWeight({ count, idf, windowIdf }: QueryTerm, field: Field): number {
  return count * (field === 'body' ? idf : windowIdf) * (K1 + 1);
}

interface KnownCounts {
  readonly reader: LexicalReader;
  readonly counts: TermCounts;
}

/** Kept as long as the reader keeps the postings: common words come in many queries. */
const countsOfPostings = new WeakMap<TermPostings, KnownCounts>();

export function termCounts(reader: LexicalReader, postings: TermPostings): TermCounts {
  if (postings instanceof SkippedPostings && postings.bounds === reader) return postings.counts;
  const known = countsOfPostings.get(postings);
  if (known?.reader === reader) return known.counts;
  const counts = new TermCounter(reader);
  for (const { ordinals, text, title } of piecesOf(postings, reader.documentEnd))
    for (let i = 0; i < ordinals.length; i++) counts.add(ordinals[i]!, text[i]!, title[i]!);
  countsOfPostings.set(postings, { reader, counts });
  return counts;
}

/** What the scores of words need to know of a collection: sums over the rows that make its statistics. */
export interface CollectionTotals {
  readonly liveRows: number;
  /** Tokens of the texts, titles and heading paths. */
  readonly text: number;
  readonly title: number;
  readonly headings: number;
  /** Tokens of both fields that are scored as one. */
  readonly body: number;
  readonly window: number;
  /** Rows that are whole documents. */
  readonly wholes: number;
}

const totalsOfReader = new WeakMap<LexicalReader, CollectionTotals>();

/** The totals that a reader's rows are scored by: its own, unless it is a part of a collection. */
export function totalsOf(reader: LexicalReader): CollectionTotals {
  const known = totalsOfReader.get(reader);
  if (known) return known;
  const { liveRows, counted } = reader;
  const body = bodyLengths(reader);
  const window = windowLengths(reader);
  const totals = { body: 0, window: 0, wholes: 0 };
  for (let row = 0; row < counted; row++) {
    if (!reader.isLive(row)) continue;
    totals.body += body[row]!;
    totals.window += window[row]!;
    if (reader.documentEnd[row]! - reader.documentFirst[row]! === 1) totals.wholes++;
  }
  const all = {
    ...totals,
    liveRows,
    // whole numbers, which the means were made of
    text: Math.round(reader.averageTextLength * liveRows),
    title: Math.round(reader.averageTitleLength * liveRows),
    headings: Math.round(reader.averageHeadingLength * liveRows),
  };
  totalsOfReader.set(reader, all);
  return all;
}

/** A reader of the same rows, whose scores are those they have in a larger collection. */
export function partOf(reader: LexicalReader, collection: CollectionTotals): LexicalReader {
  const part = reader.restricted({ has: () => true });
  totalsOfReader.set(part, collection);
  return part;
}

/** The length term of BM25's denominator for each row, by ordinal; computed once per reader. */
interface Norms {
  readonly body: Float32Array;
  readonly window: Float32Array;
}

const normsOfReader = new WeakMap<LexicalReader, Norms>();

function normsOf(reader: LexicalReader): Norms {
  let norms = normsOfReader.get(reader);
  if (norms === undefined) {
    const { liveRows, body, window } = totalsOf(reader);
    norms = {
      body: normalise(bodyLengths(reader), body / (liveRows || 1)),
      window: normalise(windowLengths(reader), window / (liveRows || 1)),
    };
    normsOfReader.set(reader, norms);
  }
  return norms;
}

/** The length term of BM25's denominator, by ordinal. */
export function fieldNorms(reader: LexicalReader, field: Field): Float32Array {
  return normsOf(reader)[field];
}

// Loops where `Float64Array.from` with a function would do: that goes through an iterator, and through 60 bytes of
// garbage a row.

/** Tokens of each row's title and its text. */
function bodyLengths({ rows, textLengths, titleLengths }: LexicalReader): Float64Array {
  const lengths = new Float64Array(rows);
  for (let row = 0; row < rows; row++) lengths[row] = textLengths[row]! + titleLengths[row]!;
  return lengths;
}

/** Tokens of each row's title, its text, and the text of `WINDOW` rows on each side in the same document. */
function windowLengths({ rows, textLengths, titleLengths, documentFirst, documentEnd }: LexicalReader): Float64Array {
  const lengths = new Float64Array(rows);
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    const first = documentFirst[row]!;
    const end = documentEnd[row]!;
    if (row === first) {
      sum = 0;
      for (let near = row; near < Math.min(end, row + WINDOW); near++) sum += textLengths[near]!;
    }
    if (row + WINDOW < end) sum += textLengths[row + WINDOW]!;
    if (row - WINDOW > first) sum -= textLengths[row - WINDOW - 1]!;
    lengths[row] = titleLengths[row]! + sum;
  }
  return lengths;
}

function normalise(lengths: Float64Array, mean: number): Float32Array {
  const average = mean || 1;
  const norms = new Float32Array(lengths.length);
  for (let row = 0; row < norms.length; row++) norms[row] = K1 * (1 - B + (B * lengths[row]!) / average);
  return norms;
}

/** The share of the rows that make the statistics which are whole documents. */
export function wholesOf(reader: LexicalReader): number {
  const { wholes, liveRows } = totalsOf(reader);
  return wholes / (liveRows || 1);
}

/** Adds BM25 of title and text as one field to `scores`, by ordinal. */
export function scoreRows(reader: LexicalReader, terms: readonly QueryTerm[], scores: Float32Array): void {
  addScores(reader, terms, 'body', scores);
}

/**
 * Adds BM25 of windows to `scores`, by ordinal: title and window text as one field, with its own lengths and document
 * frequencies, both derived from the same postings, so that no window is ever stored.
 */
export function scoreWindows(reader: LexicalReader, terms: readonly QueryTerm[], scores: Float32Array): void {
  addScores(reader, terms, 'window', scores);
}

function addScores(reader: LexicalReader, terms: readonly QueryTerm[], field: Field, scores: Float32Array): void {
  const norms = fieldNorms(reader, field);
  for (const term of terms) {
    const weight = fieldWeight(term, field);
    eachFrequency(reader, term.postings, field, (row, frequency) => {
      scores[row]! += (weight * frequency) / (frequency + norms[row]!);
    });
  }
}

/** Calls `visit` for each row whose field holds the term, ascending. */
export function eachFrequency(
  reader: LexicalReader,
  postings: TermPostings,
  field: Field,
  visit: (row: number, frequency: number) => void,
): void {
  for (const piece of piecesOf(postings, reader.documentEnd)) eachFrequencyOf(reader, piece, field, visit);
}

function eachFrequencyOf(
  { documentFirst, documentEnd }: LexicalReader,
  postings: TermPostings,
  field: Field,
  visit: (row: number, frequency: number) => void,
): void {
  const { ordinals, text, title } = postings;
  if (field === 'body') {
    for (let i = 0; i < ordinals.length; i++) {
      const frequency = text[i]! + title[i]!;
      if (frequency > 0) visit(ordinals[i]!, frequency);
    }
    return;
  }
  for (let i = 0; i < ordinals.length; ) {
    const end = documentEnd[ordinals[i]!]!;
    let j = i + 1;
    while (j < ordinals.length && ordinals[j]! < end) j++;
    eachWindow(postings, i, j, documentFirst[ordinals[i]!]!, end, visit);
    i = j;
  }
}

/** Visits the windows of one document that hold the term, postings `[from, to)`. */
function eachWindow(
  { ordinals, text, title }: TermPostings,
  from: number,
  to: number,
  first: number,
  end: number,
  visit: (row: number, frequency: number) => void,
): void {
  let low = from;
  let high = from;
  let sum = 0;
  const inTitle = title[from]!; // the same on every row of a document
  for (let row = Math.max(first, ordinals[from]! - WINDOW); row < end; row++) {
    while (high < to && ordinals[high]! <= row + WINDOW) sum += text[high++]!;
    while (low < high && ordinals[low]! < row - WINDOW) sum -= text[low++]!;
    const frequency = sum + inTitle;
    if (frequency > 0) visit(row, frequency);
    else if (high === to) break;
    else row = Math.max(row, ordinals[high]! - WINDOW - 1);
  }
}

/** Calls `onFound` for each of the given ordinals (ascending) that the postings hold. */
export function frequenciesAt(
  postings: TermPostings,
  wanted: readonly number[],
  onFound: (index: number, text: number, title: number, headings: number) => void,
): void {
  if (postings instanceof SkippedPostings) {
    const { found } = postings;
    for (let i = 0; i < wanted.length; i++) {
      postings.between(wanted[i]!, wanted[i]! + 1);
      if (found.length > 0) onFound(i, found.text[0]!, found.title[0]!, found.headings[0]!);
    }
    return;
  }
  const { ordinals, text, title, headings } = postings;
  let from = 0;
  for (let i = 0; i < wanted.length && from < ordinals.length; i++) {
    from = seek(ordinals, wanted[i]!, from);
    if (ordinals[from] === wanted[i]) onFound(i, text[from]!, title[from]!, headings[from]!);
  }
}

/**
 * Calls `onFound` for each of the given ordinals (ascending) that the postings hold, or that has one of them in its
 * window. `window` counts the texts of the window and the title.
 */
export function windowFrequenciesAt(
  { documentFirst, documentEnd }: LexicalReader,
  postings: TermPostings,
  wanted: readonly number[],
  onFound: (index: number, text: number, title: number, headings: number, window: number) => void,
): void {
  const skipped = postings instanceof SkippedPostings ? postings : undefined;
  let from = 0;
  for (let i = 0; i < wanted.length; i++) {
    const row = wanted[i]!;
    const first = Math.max(documentFirst[row]!, row - WINDOW);
    const end = Math.min(documentEnd[row]!, row + WINDOW + 1);
    skipped?.between(first, end);
    const { text, title, headings } = skipped?.found ?? postings;
    const rows = skipped?.found.rows ?? postings.ordinals;
    const count = skipped?.found.length ?? rows.length;
    if (!skipped) from = seek(rows, first, from);
    let window = from < count && rows[from]! < end ? title[from]! : 0; // the same on every row of a document
    let own = -1;
    let at = from;
    for (; at < count && rows[at]! < end; at++) {
      window += text[at]!;
      if (rows[at] === row) own = at;
    }
    if (own >= 0) onFound(i, text[own]!, title[own]!, headings[own]!, window);
    else if (at > from) onFound(i, 0, 0, 0, window);
  }
}

/** The first place from `from` on that holds `value` or more; in steps that double, then halve. */
export function seek(sorted: Uint32Array, value: number, from: number): number {
  let low = from;
  let step = 1;
  while (low + step <= sorted.length && sorted[low + step - 1]! < value) {
    low += step;
    step *= 2;
  }
  let high = Math.min(sorted.length, low + step - 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
