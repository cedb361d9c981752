/** The tokens of one chunk, as `text/analysis` makes them; order kept, repetitions kept. */
export interface LexicalRow {
  readonly title: readonly string[];
  readonly headings: readonly string[];
  readonly text: readonly string[];
}

/** As `LexicalRow`, with terms as numbers from 0 that one list gives their strings. */
export interface NumberedRow {
  readonly title: Uint32Array;
  readonly headings: Uint32Array;
  readonly text: Uint32Array;
}

/** The rows of one document, in order. Rows of a segment are numbered through all its documents, from 0. */
export type LexicalDocument = readonly LexicalRow[];

/** One run of the term dictionary with its postings; terms are in code unit order through the blocks of a segment. */
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

/** A stored segment as the reader is given it. */
export interface SegmentSource {
  /** Ordinal of the segment's row 0 in the snapshot. */
  readonly base: number;
  readonly header: Uint8Array;
  /** Bytes of the given blocks (indices into the header's directory), in that order. */
  readBlocks(indices: readonly number[]): Promise<readonly Uint8Array[]>;
}

/** Postings of one term over all segments, live rows only, ordinals ascending. The arrays are parallel. */
export interface TermPostings {
  readonly term: string;
  readonly ordinals: Uint32Array;
  /** Frequency in the chunk's text, in its document's title, in its heading path; 0 where it does not occur. */
  readonly text: Uint16Array;
  readonly title: Uint16Array;
  readonly headings: Uint16Array;
}
