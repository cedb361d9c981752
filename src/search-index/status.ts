import type { ShardsReport } from '../core/report.ts';
import type { ReadWarning } from '../core/types.ts';
import type { Int8Recall } from '../embed/int8-recall.ts';
import type { BilledTotals } from '../embed/service/receipts.ts';
import type { TranscribedTotals } from '../transcribe/contract.ts';
import type { KeptPages } from '../web/snapshots.ts';

// Not in `summarise.ts` and `health.ts`, so that the public types use no type of the database.

/** `ibid status --json`. */
export interface IndexStatus {
  readonly address: string;
  readonly documents: number;
  readonly chunks: number;
  /** Documents by format. */
  readonly formats: Readonly<Record<string, number>>;
  /** Absent while there are no vectors. */
  readonly embedder?: string;
  readonly dimensions: number;
  /** What eight bits cost the vectors of a model of an own server; absent for few vectors and other embedders. */
  readonly int8Recall?: Int8Recall;
  /** Billed totals of all runs for vectors, without queries; absent when nothing was billed. */
  readonly paid?: BilledTotals;
  /** Recordings that a transcriber heard, over all runs; absent when there were none. */
  readonly transcribed?: TranscribedTotals;
  /** Billed vectors stored beside the index; absent when there are none. */
  readonly keptVectors?: KeptVectors;
  /** Stored web pages that searches have shown; absent when there are none. */
  readonly webPages?: KeptPages;
  /** Why nothing can be searched until an ingest with `rebuild`; absent where that is not so. */
  readonly rebuild?: string;
  /** Present for an index that consists of shards: documents and chunks are those of the shards that can be read. */
  readonly shards?: ShardsReport;
  /** Local folders only. */
  readonly bytesOnDisk?: number;
  /** Files that could not be read; `stale`: an older version is still searchable. */
  readonly failed: readonly {
    readonly uri: string;
    readonly code: string;
    readonly message: string;
    readonly stale: boolean;
  }[];
  /** Files that hold nothing to index: see `IngestSummary.skipped`. */
  readonly skipped: readonly { readonly uri: string; readonly code: string; readonly message: string }[];
  /** Parts of stored documents that readers guessed or left out. */
  readonly warnings: readonly ({ readonly uri: string } & ReadWarning)[];
}

/** Vectors of a service or server that are kept beside the index. */
export interface KeptVectors {
  /** Documents, or windows of long ones, of all models. */
  readonly entries: number;
  /** Entries that no document of the index needs; deleted thirty days after a run finds that. */
  readonly unneeded: number;
  /** Bytes on disk; 0 for an index that is not in a local folder. */
  readonly bytes: number;
}

/** One check of an index, and what it found. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do next, in one sentence. */
  readonly hint?: string;
}
