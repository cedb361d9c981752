import type { CallOptions, Chunk, Document } from '../core/types.ts';
import type { EmbedUsage } from '../embed/service/contract.ts';

/**
 * One thing to index, known well enough to tell whether it changed without reading it. `hash` and `load` are called as
 * its methods.
 */
export interface SourceItem {
  /** Unique in the source; what citations name. */
  readonly uri: string;
  readonly sizeBytes: number;
  /** 0 where the source has no times: then size and hash decide. */
  readonly mtimeMs: number;
  /** Hex SHA-256 of the content alone, without parsing it. */
  hash(options?: CallOptions): Promise<string>;
  /** @throws IbidError FILE_* when the content cannot be read; the run goes on. */
  load(options?: CallOptions): Promise<LoadedItem>;
}

export interface LoadedItem {
  readonly contentHash: string;
  readonly document: Document;
  /**
   * Given chunks, for collections whose retrieval units are fixed; else the document is chunked by the index's options.
   */
  readonly chunks?: readonly Chunk[] | undefined;
}

/** A place documents come from: a folder, a BEIR collection, an export of messages. */
export interface IngestSource {
  /** True for uris this source speaks for: what it no longer yields inside its scope is removed from the index. */
  covers(uri: string): boolean;
  items(options?: CallOptions): AsyncIterable<SourceItem>;
}

export type IngestEvent =
  | { readonly type: 'scanned'; readonly files: number }
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
  | { readonly type: 'warning'; readonly uri: string; readonly code: string; readonly message: string }
  | { readonly type: 'failed'; readonly uri: string; readonly code: string; readonly message: string }
  | { readonly type: 'renamed'; readonly from: string; readonly to: string }
  | { readonly type: 'removed'; readonly uri: string }
  | { readonly type: 'training'; readonly chunks: number; readonly reason: 'first' | 'drift' }
  | { readonly type: 'committed'; readonly documents: number; readonly chunks: number }
  | { readonly type: 'finishing' }
  /** What the run has been billed so far, and kept; the last one before an error is what the failed run has cost. */
  | { readonly type: 'billed'; readonly embedding: EmbedUsage }
  | { readonly type: 'done'; readonly summary: IngestSummary };

export interface IngestFailure {
  readonly uri: string;
  readonly code: string;
  readonly message: string;
}

/** The receipt of a run; `ibid ingest --json` prints it. */
export interface IngestSummary {
  /** Documents and chunks in the index after the run. */
  readonly documents: number;
  readonly chunks: number;
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly renamed: number;
  readonly unchanged: number;
  readonly failed: readonly IngestFailure[];
  /** Tokens of the text read in this run. */
  readonly tokens: number;
  readonly costUsd: number;
  /** What was sent to an embedding service and paid for; in a dry run, what would be. Absent for the local embedder. */
  readonly embedding?: EmbedUsage;
  readonly elapsedMs: number;
}
