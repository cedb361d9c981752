import type { IbidError } from '../core/errors.ts';
import type { CallOptions, Chunk, Metadata, ReadWarning, StoredChunk } from '../core/types.ts';
import type { SegmentData } from '../lexical/contract.ts';
import type { LexicalReader } from '../lexical/reader.ts';
import type { AnalysableChunk } from '../text/analysis/analysis.ts';
import type { SampledRow } from './row-sample.ts';

/** A set of ordinals, for example the rows that match a `where` filter. */
export interface RowSet {
  readonly size: number;
  has(ordinal: number): boolean;
  /** Ascending. */
  readonly ordinals: Uint32Array;
}

export interface VectorHits {
  /** Best first; equal cosines in order of ordinals. */
  readonly ordinals: Uint32Array;
  /** Exact int8 cosine of each, in [-1, 1]; a zero vector scores 0. */
  readonly cosines: Float32Array;
}

/** The parts of a chunk that are compared with a query; `chunk` is the whole chunk, decoded on demand. */
export interface ChunkRow extends Pick<StoredChunk, 'title' | 'text' | 'headings'> {
  readonly chunk: StoredChunk;
}

/** A shard of an index that a search did without. */
export interface MissingShard {
  readonly name: string;
  /** Why. */
  readonly error: IbidError;
}

/** In how many rows words occur. */
export interface WordCounts {
  readonly liveRows: number;
  /** Live rows that hold each term, in text, title or headings. */
  counts(terms: readonly string[], options: CallOptions): Promise<readonly number[]>;
}

/**
 * One consistent view of an index at one version. A row's address is its ordinal, 0 … `rows` - 1. The rows of one
 * document are consecutive and in order. Some ordinals are dead (deleted or replaced rows); no method returns a dead
 * ordinal.
 */
export interface Snapshot {
  readonly rows: number;
  readonly liveRows: number;
  readonly dimensions: number;
  /** @throws IbidError INVALID_ARGUMENT where a part of the index is on another machine */
  readonly lexical: LexicalReader;
  /** Absent: `lexical` counts. */
  readonly words?: WordCounts | undefined;
  /** Of an index that consists of shards: how many it has, and those that are not in this view. */
  readonly shards?: { readonly count: number; readonly missing: readonly MissingShard[] } | undefined;
  /** Upper bound, in bytes, for caches of data derived from rows. Absent: the cache's own default. */
  readonly cacheBytes?: number | undefined;
  /** Rows that stand for all, lowest key first: the same ones in whatever order rows are stored. Absent: not known. */
  readonly sample?: readonly SampledRow[] | undefined;
  /** Snapshots with the same object here have the same row at an ordinal, where both have one. */
  readonly rowMemory?: object | undefined;
  /** False for an ordinal that is dead. */
  isLive(ordinal: number): boolean;
  /** The ordinals of the document that holds `ordinal`, as `[first, end)`. */
  documentRange(ordinal: number): readonly [first: number, end: number];
  /** The `limit` nearest live rows by exact int8 cosine. Where signs are used, they select the candidates first. */
  searchVectors(query: Int8Array, limit: number, options?: VectorOptions): Promise<VectorHits>;
  /** `ordinals.length * dimensions` components, row after row. */
  vectorsAt(ordinals: ArrayLike<number>): Promise<Int8Array>;
  /**
   * @param where SQL over the columns `uri`, `title`, `format`, `position`, `text`, `tokens`, `metadata.…`
   * @throws IbidError INVALID_FILTER
   */
  filter(where: string): Promise<RowSet>;
  /** Chunks, in the order of `ordinals`. */
  fetch(ordinals: ArrayLike<number>): Promise<readonly StoredChunk[]>;
  /** The same rows as `fetch`, decoded on demand: for callers that read many rows and choose a few. */
  rowsAt(ordinals: ArrayLike<number>): Promise<readonly ChunkRow[]>;
}

export interface VectorOptions extends CallOptions {
  readonly within?: RowSet | undefined;
  /** Rows of a lesser cosine may be left out: as many as are wanted have been found elsewhere. */
  readonly least?: number | undefined;
}

/** State of a source file, stored to detect changes. */
export interface FileState {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Hex SHA-256 of the file's bytes. */
  readonly contentHash: string;
}

/** A document ready to be stored. */
export interface DocumentRecord {
  readonly uri: string;
  /** '' when the document has no useful title. */
  readonly title: string;
  readonly format: string;
  readonly metadata: Metadata;
  readonly source: FileState;
  readonly chunks: readonly Chunk[];
  /** One per chunk, with `dimensions` components each. */
  readonly vectors: readonly Int8Array[];
  readonly warnings: readonly ReadWarning[];
}

/** The parts of a document that the inverted index needs. */
export interface AnalysableDocument {
  readonly title: string;
  readonly chunks: readonly AnalysableChunk[];
  /** The name that other processes have it by. */
  readonly part?: string | undefined;
}

/** Other processes that build segments of documents which they have by name. */
export interface DistantSegments {
  /** @returns the segment of the documents in order; undefined when the caller must build it */
  segment(parts: readonly string[]): Promise<SegmentData | undefined>;
}

/** Builds the inverted index of documents in advance, while their vectors are made. */
export interface SegmentQueue {
  /**
   * Takes documents that will probably be stored later, as the same arrays of chunks. These arrays must not change
   * until then. Documents that are never stored use memory until the run ends.
   */
  enqueue(documents: readonly AnalysableDocument[]): void;
  /** Starts to build the segment of documents that are stored together, in this order. All of them must be enqueued. */
  start(documents: readonly AnalysableDocument[]): void;
}

/** The manifest of an index by uri: one line for each stored document and for each file that could not be read. */
export interface Manifest<Entry extends ManifestEntry = ManifestEntry> extends ReadonlyMap<string, Entry> {
  /** Starts a comparison with the items of a source. The manifest must not change until the comparison ends. */
  diff(): ManifestDiff;
  /** Counts of stored documents and chunks, without the files that could not be read. */
  totals(): { readonly documents: number; readonly chunks: number };
  /** A text that changes when a document with chunks is added, removed or changed. Order does not matter. */
  signature(): string;
}

/** The differences between a manifest and the items of a source, one item at a time. */
export interface ManifestDiff {
  /**
   * `new`: no line has this uri; `unchanged`: the line has this size and time and no failure;
   * `waiting`: it has this size and time, and waits for OCR or a transcript; `known`: any other line; `repeated`: the
   * line was compared before.
   * @param mtimeMs NaN matches no time
   */
  compare(uri: string, sizeBytes: number, mtimeMs: number): 'new' | 'known' | 'unchanged' | 'waiting' | 'repeated';
  /** Uris of the lines that were not compared. */
  missing(): Iterable<string>;
}

/** One line of the manifest: a stored document, or a file that could not be read. */
export interface ManifestEntry extends FileState {
  readonly uri: string;
  readonly chunks: number;
  /**
   * Present when the last read of the file failed; the next run tries again. When `chunks` is above 0, the index still
   * has the chunks of an earlier read, which are marked as stale.
   */
  readonly failure?: { readonly code: string; readonly message: string };
}

/** A manifest line with all fields of the documents table. */
export interface DocumentEntry extends ManifestEntry {
  readonly title?: string | undefined;
  readonly format?: string | undefined;
  readonly warnings?: readonly ReadWarning[] | undefined;
  /** `seq` of the first chunk; absent when there are no chunks. */
  readonly first?: number | undefined;
}
