import type { SkipTable } from './skip-table.ts';

/** The terms of one chunk, from `text/analysis`, in order and with repetitions. */
interface LexicalRow {
  readonly title: readonly string[];
  readonly headings: readonly string[];
  readonly text: readonly string[];
}

/** A `LexicalRow` with numbers in place of terms. A number is an index into a list of terms. */
export interface NumberedRow {
  readonly title: Uint32Array;
  readonly headings: Uint32Array;
  readonly text: Uint32Array;
}

/** The rows of one document, in order. A segment numbers the rows of all its documents from 0. */
export type LexicalDocument = readonly LexicalRow[];

/** A part of the term dictionary with its postings. Terms ascend in code unit order through the blocks of a segment. */
export interface SegmentBlock {
  readonly firstTerm: string;
  readonly bytes: Uint8Array;
}

/** An immutable inverted index over consecutive rows, ready to be stored. */
export interface SegmentData {
  /** Row count, document bounds and field lengths of every row, block directory, statistics. */
  readonly header: Uint8Array;
  readonly blocks: readonly SegmentBlock[];
}

/** The postings of a term in a segment: their block, the byte of it at which they begin, their number. */
export interface PostingsPlace {
  readonly block: number;
  readonly offset: number;
  readonly count: number;
}

/** A stored segment, as the reader receives it. */
export interface SegmentSource {
  /** Ordinal of the segment's row 0 in the snapshot. */
  readonly base: number;
  readonly header: Uint8Array;
  /** Bytes of the given blocks (indices into the block directory), in the given order. */
  readBlocks(indices: readonly number[]): Promise<readonly Uint8Array[]>;
  /** The same blocks checked and inflated, where there is a copy of them; undefined, or nothing, for the others. */
  readInflated?: ((indices: readonly number[]) => Promise<readonly (Uint8Array | undefined)[]>) | undefined;
  /** The skip tables of common terms, where they were kept; undefined, or nothing, for the others. */
  readSkipTables?: ((places: readonly PostingsPlace[]) => Promise<readonly (SkipTable | undefined)[]>) | undefined;
}

/** Postings of one term over all segments: live rows only, ordinals ascending. The arrays are parallel. */
export interface TermPostings {
  readonly term: string;
  readonly ordinals: Uint32Array;
  /** Frequency in the text of the chunk, in the title, in the heading path; 0 where the term does not occur. */
  readonly text: Uint16Array;
  readonly title: Uint16Array;
  readonly headings: Uint16Array;
}
