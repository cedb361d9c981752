import type { CallOptions, Chunk, Metadata, StoredChunk } from '../core/types.ts';
import type { LexicalReader } from '../lexical/reader.ts';
import type { AnalysableChunk } from '../text/analysis/analysis.ts';

/** A set of ordinals, e.g. the rows a `where` filter lets through. */
export interface RowSet {
  readonly size: number;
  has(ordinal: number): boolean;
  /** Ascending. */
  readonly ordinals: Uint32Array;
}

export interface VectorHits {
  /** Best first; ties by ordinal. */
  readonly ordinals: Uint32Array;
  /** Exact int8 cosine of each, in [-1, 1]; a zero vector scores 0. */
  readonly cosines: Float32Array;
}

/** A chunk as far as it is read to be compared with a query, and the whole of it for who asks. */
export interface ChunkRow extends Pick<StoredChunk, 'title' | 'text' | 'headings'> {
  readonly chunk: StoredChunk;
}

/**
 * One consistent view of an index at one version. Rows are addressed by ordinal, 0 … `rows` - 1; the rows of one
 * document are consecutive and in order. Some ordinals may be dead (deleted or replaced rows): no method returns them.
 */
export interface Snapshot {
  readonly rows: number;
  readonly liveRows: number;
  readonly dimensions: number;
  readonly lexical: LexicalReader;
  /** How much may be kept of what is derived from rows. Absent: as whoever derives it thinks best. */
  readonly cacheBytes?: number | undefined;
  /** `[first, end)`: the ordinals of the document that `ordinal` belongs to. */
  documentRange(ordinal: number): readonly [first: number, end: number];
  /** The `limit` nearest live rows by exact int8 cosine (two-stage search where the plane is used). */
  searchVectors(
    query: Int8Array,
    limit: number,
    options?: CallOptions & { readonly within?: RowSet | undefined },
  ): Promise<VectorHits>;
  /** `ordinals.length * dimensions` components, row after row. */
  vectorsAt(ordinals: ArrayLike<number>): Promise<Int8Array>;
  /**
   * @param where SQL over the columns `uri`, `title`, `format`, `position`, `metadata.…` @throws IbidError
   * INVALID_FILTER
   */
  filter(where: string): Promise<RowSet>;
  /** Rows in the order asked for. */
  fetch(ordinals: ArrayLike<number>): Promise<readonly StoredChunk[]>;
  /** The same rows for who reads many to choose a few: each decoded as far as it is asked for. */
  rowsAt(ordinals: ArrayLike<number>): Promise<readonly ChunkRow[]>;
}

/** What the index remembers of a source file, to tell whether it changed. */
export interface FileState {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Hex SHA-256 of the file's bytes. */
  readonly contentHash: string;
}

/** A document ready to be stored. */
export interface DocumentRecord {
  readonly uri: string;
  /** '' when there is none worth showing. */
  readonly title: string;
  readonly format: string;
  readonly metadata: Metadata;
  readonly source: FileState;
  readonly chunks: readonly Chunk[];
  /** One per chunk, `dimensions` components each. */
  readonly vectors: readonly Int8Array[];
  readonly warnings: readonly Warning[];
}

/** What the inverted index is made from. */
export interface AnalysableDocument {
  readonly title: string;
  readonly chunks: readonly AnalysableChunk[];
}

/** Builds the inverted index of documents ahead, while their vectors are being made. */
export interface SegmentQueue {
  /**
   * Takes documents that will most likely be stored later: the same arrays of chunks, which must not change until then.
   * Documents that are never stored take memory until the run ends.
   */
  enqueue(documents: readonly AnalysableDocument[]): void;
  /** Starts on the documents that will be stored next, in this order; all of them were enqueued. */
  start(documents: readonly AnalysableDocument[]): void;
}

/** The lines of an index's manifest by uri: the documents that are in, and the files that could not be. */
export interface Manifest extends ReadonlyMap<string, ManifestEntry> {
  /** Begins a comparison with the items of a source; the manifest must not change before it ends. */
  diff(): ManifestDiff;
  /** Documents and chunks that are in, without files that could never be read. */
  totals(): { readonly documents: number; readonly chunks: number };
  /** Changes when a document with chunks comes, goes or changes; the order of the lines does not matter. */
  signature(): string;
}

/** What differs between a manifest and the items of a source, which are given one after the other. */
export interface ManifestDiff {
  /**
   * `unchanged`: a document that could be read and has this size and time; `known`: any other line; `repeated`: given
   * before.
   * @param mtimeMs NaN matches no time
   */
  compare(uri: string, sizeBytes: number, mtimeMs: number): 'new' | 'known' | 'unchanged' | 'repeated';
  /** Uris of the lines that no item was given for. */
  missing(): Iterable<string>;
}

/** One line of the index's manifest: a document that is in, or a file that could not be. */
export interface ManifestEntry extends FileState {
  readonly uri: string;
  readonly chunks: number;
  /**
   * Present when the file could not be read the last time; it is tried again next run. With chunks, those are what
   * could be read before: stale, still searchable, and said to be so.
   */
  readonly failure?: { readonly code: string; readonly message: string };
}

export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** A manifest line with what the documents table knows beyond the contract. */
export interface DocumentEntry extends ManifestEntry {
  readonly title?: string | undefined;
  readonly format?: string | undefined;
  readonly warnings?: readonly Warning[] | undefined;
  /** `seq` of the first chunk; absent when there are none. */
  readonly first?: number | undefined;
}
