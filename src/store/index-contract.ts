import type { CallOptions } from '../core/types.ts';
import type { Address } from './address.ts';
import type {
  DocumentEntry,
  DocumentRecord,
  Manifest,
  ManifestEntry,
  MissingShard,
  SegmentQueue,
  Snapshot,
  VectorHits,
} from './contract.ts';
import type { Fingerprint } from './state.ts';

/** A snapshot that answers several queries in one pass. */
export interface PassSnapshot extends Snapshot {
  /** The result of `searchVectors` for each query. */
  searchEach(queries: readonly Int8Array[], limit: number, options?: CallOptions): Promise<readonly VectorHits[]>;
}

/** A manifest whose lines have all their fields. */
export type StoredManifest = Manifest<DocumentEntry>;

export interface SnapshotOptions {
  /** Also of an index whose words were analysed by another version: a rebuild reads its rows, and searches nothing. */
  readonly ofAnyAnalysis?: boolean;
}

export interface ManifestOptions {
  /** Compares all files that readers see with their checksums first, each once. @default those of the manifest */
  readonly verified?: boolean | undefined;
  /** Called with each shard that cannot be read, whose lines are then left out. Absent: its error is thrown. */
  readonly onMissing?: ((shard: MissingShard) => void) | undefined;
}

/** Reads an index, which may consist of shards. */
export interface Store extends AsyncDisposable {
  readonly address: Address;
  /** Grows whenever something was written since the snapshot before, if only a note: its snapshot may be the same. */
  readonly revision: number;
  /** The fingerprint of the index. */
  fingerprint(): Promise<Fingerprint>;
  /**
   * The newest state of the index; the same object while nothing is written.
   * @throws IbidError INDEX_MISMATCH when the index was made by another version of the analysis
   */
  snapshot(options?: SnapshotOptions): Promise<PassSnapshot>;
  /** The next snapshot is the newest one, also of a remote index: this process has written. */
  renew(): void;
  /** The stored documents and the files that could not be read, by uri. */
  manifest(options?: ManifestOptions): Promise<StoredManifest>;
  /** A note of the current generation; undefined when there is none. */
  getMeta(key: string): Promise<unknown>;
  getBlob(name: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export interface Rename {
  readonly from: string;
  readonly to: string;
  readonly mtimeMs?: number | undefined;
}

/** Writes the documents of one generation. */
export interface DocumentWriter {
  /** The manifest, which follows the changes of this writer. */
  manifest(): Promise<StoredManifest>;
  /** Stores documents and replaces older versions of them. @throws IbidError INVALID_ARGUMENT */
  replaceDocuments(records: readonly DocumentRecord[]): Promise<void>;
  removeDocuments(uris: readonly string[]): Promise<void>;
  /**
   * Gives documents other uris; text, title and vectors stay. Two documents may exchange their uris.
   * @throws IbidError INVALID_ARGUMENT when a document does not exist, or a uri is given twice
   */
  renameDocuments(renames: readonly Rename[]): Promise<void>;
  /** Writes only manifest lines: failures, or new times of unchanged content. A line with 0 chunks deletes the chunks. */
  recordEntries(lines: readonly ManifestEntry[]): Promise<void>;
  /** The record of a stored document, with vectors; undefined when the document has no chunks here. */
  readDocument(uri: string): Promise<DocumentRecord | undefined>;
  /** The records of stored documents, in the order of `uris`; documents without chunks here are left out. */
  readDocuments(uris: readonly string[]): Promise<DocumentRecord[]>;
  /** Stores bytes under a name and replaces earlier ones. */
  putBlob(name: string, bytes: Uint8Array): Promise<void>;
  getBlob(name: string): Promise<Uint8Array | undefined>;
  /** Merges segments, compacts and prunes where this helps. */
  finish(): Promise<void>;
}

/** A generation that is being built while readers see another one. */
export interface NextGeneration {
  readonly writer: DocumentWriter;
  putMeta(key: string, value: unknown): Promise<void>;
}

/** Writes an index, which may consist of shards. An index has one writer at a time. */
export interface IndexWriter extends AsyncDisposable {
  /** The fingerprint of the index; undefined while there is no index. */
  readonly fingerprint: Fingerprint | undefined;
  /** The writer of the generation that readers see. @throws IbidError INVALID_ARGUMENT while there is no index */
  readonly current: DocumentWriter;
  /** Builds segments in advance for the next `replaceDocuments`, of this or the next generation. */
  readonly segments: SegmentQueue;
  /** Names of shards that were gone and that this writer has made anew, empty. Absent for an index without shards. */
  readonly refilled?: readonly string[];
  /** Makes a new, empty index. @throws IbidError INVALID_ARGUMENT when the index exists */
  initialise(fingerprint: Fingerprint): Promise<void>;
  getMeta(key: string): Promise<unknown>;
  putMeta(key: string, value: unknown): Promise<void>;
  /** Completes a run that changed the index: compacts, and calibrates the search by signs. */
  finish(): Promise<void>;
  /** Creates the next generation. Without `switchGeneration`, the next writer removes it. */
  beginGeneration(fingerprint: Fingerprint): Promise<NextGeneration>;
  /** Makes the next generation the current one for readers and for this writer, in one atomic change. */
  switchGeneration(next: NextGeneration): Promise<void>;
  /** Discards the generation that is being built. The current generation stays as it is. */
  abandonGeneration(next: NextGeneration): Promise<void>;
  /** Drops what is obsolete and releases the lock. A second call does nothing. */
  close(): Promise<void>;
}
