import type { IbidError } from '../core/errors.ts';
import type { CallOptions, Chunk, Document, ReadWarning } from '../core/types.ts';
import type { DistantEmbedding } from '../embed/local/distant.ts';
import type { EmbedUsage } from '../embed/service/contract.ts';
import type { ReaderOptions } from '../read/contract.ts';
import type { DistantSegments } from '../store/contract.ts';
import type { ChunkOptions } from '../text/chunk/chunk.ts';
import type { TranscriptionUsage } from '../transcribe/contract.ts';
import type { CutElsewhere, CutOutcome } from './cut.ts';
import type { MovedFolder } from './moved.ts';

/**
 * One item to index. Its fields show whether the item changed, without reading it. `hash` and `load` are called as
 * methods.
 */
export interface SourceItem {
  /** Unique in the source; citations contain it. */
  readonly uri: string;
  readonly sizeBytes: number;
  /** 0 where the source has no times: then size and hash decide. */
  readonly mtimeMs: number;
  /** Hex SHA-256 of the content, without parsing. */
  hash(options?: CallOptions): Promise<string>;
  /** @throws IbidError FILE_* when the content cannot be read; the run continues */
  load(options?: CallOptions): Promise<LoadedItem>;
}

/** A document of a source. `contentHash` changes when anything of it does. */
export interface LoadedItem {
  readonly contentHash: string;
  readonly document: Document;
  /**
   * Given chunks, for collections with fixed retrieval units. Absent: the index's options decide how the document is
   * cut.
   */
  readonly chunks?: readonly Chunk[] | undefined;
}

/** A file that any thread may read. */
export interface SmallFile {
  readonly uri: string;
  readonly path: string;
  /** Where many files make a batch. */
  readonly sizeBytes?: number | undefined;
}

/** Threads or processes that read and cut files for a run. */
export interface Cutters {
  /** Files that they can work on without a pause. */
  readonly capacity: number;
  /** A run of fewer bytes is read and cut sooner without them. @default 0 */
  readonly worthBytes?: number | undefined;
  /** True where they read every file that is no recording, and not small ones alone. */
  readonly readsAll?: boolean | undefined;
  /** Set where they also embed what they have cut, with a local model. */
  readonly distant?: DistantEmbedding | undefined;
  /** Set where they also build segments of what they have cut. */
  readonly segments?: DistantSegments | undefined;
  /** Starts them before there is a file. */
  start?(): void;
  /** True while they would only let a file wait: they are starting, or have enough. */
  readonly isBusy?: boolean | undefined;
  /** @returns undefined when the caller must read the file @throws the reason of the signal */
  cut(file: SmallFile, signal: AbortSignal): Promise<CutOutcome | CutElsewhere | undefined>;
  /** Called when a run ends, however it ends; perhaps more than once. */
  close(): Promise<void>;
  /** Called when all that was cut is in the index: what was kept for another try may go. */
  finish?(): Promise<void>;
}

/** How the files of a run are read and cut. */
export interface CutShape {
  readonly chunking: ChunkOptions | undefined;
  readonly reader: ReaderOptions;
}

/** Other processes, on this machine or others, that read and cut for a run. */
export interface IngestQueue {
  /** @param folder beside the index, for what is on its way @throws IbidError CONNECTION_FAILED */
  cutters(shape: CutShape, folder: string): Promise<Cutters>;
}

/** A source of documents: a folder, a BEIR collection, an export of messages. */
export interface IngestSource {
  /** True for uris in the scope of this source. A document in the scope that the source no longer yields is removed. */
  covers(uri: string): boolean;
  items(options?: CallOptions): AsyncIterable<SourceItem>;
  /** The file that `load` would read as it is, if a thread may read and cut it in place of `load`. Absent: never. */
  smallFileOf?(item: SourceItem): SmallFile | undefined;
  /** The same for a file of any size and kind, which another process may read; not for recordings. */
  fileOf?(item: SourceItem): SmallFile | undefined;
  /** The items that `items` left out, known when `items` has ended. */
  leftOut?(): readonly IngestLeftOut[];
  /** Folders and named paths that `items` could not open, known when `items` has ended; `covers` leaves them out. */
  unopened?(): readonly IngestFailure[];
  /** Whether text in pictures is read now; what waits for it is then read again. Absent: it is tried in each run. */
  readsPictures?(options?: CallOptions): Promise<boolean>;
  /** Whether recordings get transcripts now; those that wait are then read again. Absent: it is tried in each run. */
  transcribes?(options?: CallOptions): Promise<boolean>;
  /** Called when a run ends, however it ends. */
  close?(): Promise<void>;
}

/** Files and folders that a source did not yield. */
export interface IngestLeftOut {
  /** `ignored by ../.gitignore`, `hidden`, `symbolic link`, `special file`, `machine-made`, `with a name that is not UTF-8`, `an index`. */
  readonly reason: string;
  /** Files, and folders with all that is in them. */
  readonly entries: number;
}

/** The events of an ingest; the last one is `done`. */
export type IngestEvent =
  | { readonly type: 'scanned'; readonly files: number; readonly leftOut: readonly IngestLeftOut[] }
  /** Shards that were gone are made anew, empty: what they held is missing until it is read again. */
  | { readonly type: 'refilled'; readonly shards: readonly string[]; readonly warning: IbidError }
  | {
      readonly type: 'planned';
      readonly read: number;
      readonly readBytes: number;
      readonly unchanged: number;
      readonly removed: number;
      readonly renamed: number;
    }
  /** Read and cut; not yet in the index. */
  | { readonly type: 'read'; readonly uri: string; readonly sizeBytes: number; readonly chunks: number }
  /** In the index. */
  | {
      readonly type: 'document';
      readonly uri: string;
      readonly action: 'added' | 'updated';
      readonly chunks: number;
      readonly tokens: number;
      readonly sizeBytes: number;
    }
  | ({ readonly type: 'warning'; readonly uri: string } & ReadWarning)
  | { readonly type: 'failed'; readonly uri: string; readonly code: string; readonly message: string }
  /** A file that holds nothing to index: see `IngestSummary.skipped`. */
  | { readonly type: 'skipped'; readonly uri: string; readonly code: string; readonly message: string }
  | { readonly type: 'renamed'; readonly from: string; readonly to: string }
  | { readonly type: 'removed'; readonly uri: string }
  /** Documents of a folder that is away were found elsewhere. */
  | ({ readonly type: 'moved' } & MovedFolder)
  | { readonly type: 'training'; readonly chunks: number; readonly reason: 'first' | 'drift' }
  | { readonly type: 'committed'; readonly documents: number; readonly chunks: number }
  | { readonly type: 'finishing' }
  /** Billed so far in this run. The last one before an error has the cost of the failed run. */
  | { readonly type: 'billed'; readonly embedding: EmbedUsage }
  | { readonly type: 'done'; readonly summary: IngestSummary };

/** A file or document that was not read, with the reason. */
export interface IngestFailure {
  readonly uri: string;
  readonly code: string;
  readonly message: string;
}

/** The summary of a run; `ibid ingest --json` prints it. */
export interface IngestSummary {
  /** Documents and chunks in the index after the run. */
  readonly documents: number;
  readonly chunks: number;
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly renamed: number;
  readonly unchanged: number;
  /** Files and folders that should have been read and could not be. The next run tries again. */
  readonly failed: readonly IngestFailure[];
  /**
   * Files that hold nothing to index: of a kind that no reader knows (FILE_UNSUPPORTED), empty (FILE_EMPTY), scans that
   * wait for OCR (FILE_SCANNED), recordings that wait for a transcript (FILE_UNTRANSCRIBED), or files that ibid itself
   * made of documents (FILE_OWN). They are looked at again
   * when they change, scans when there is OCR, recordings when there is a transcriber.
   */
  readonly skipped: readonly IngestFailure[];
  /** Counts of the items that the source left out, largest first. */
  readonly leftOut: readonly IngestLeftOut[];
  /** Shards that were gone and were made anew, empty. Documents that this run did not read are missing. */
  readonly refilled?: readonly string[];
  /** Folders that are away and whose documents were found elsewhere. */
  readonly moved?: readonly MovedFolder[];
  /** Files that were searchable and hold no text now: their passages have left the index. `skipped` has them too. */
  readonly emptied?: readonly string[];
  /** Tokens of the text read in this run. */
  readonly tokens: number;
  readonly costUsd: number;
  /** Usage of an embedding service that was billed; in a dry run, an estimate. Absent for the local embedder. */
  readonly embedding?: EmbedUsage;
  /** Transcripts of this run; in a dry run, an estimate. Absent when no recording needed one. */
  readonly transcription?: TranscriptionUsage;
  readonly elapsedMs: number;
}
