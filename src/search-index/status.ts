import type { BilledTotals } from '../embed/service/receipts.ts';
import type { KeptPages } from '../web/snapshots.ts';

// Apart from `health.ts`, so that the public types reach no database type.

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
  /** What all runs together have paid for vectors; absent where nothing was. Queries are not among them. */
  readonly paid?: BilledTotals;
  /** Vectors that were paid for and are kept beside the index; absent where there are none. */
  readonly keptVectors?: KeptVectors;
  /** Pages of the web that searches have shown, kept as they were; absent where there are none. */
  readonly webPages?: KeptPages;
  /** Local folders only. */
  readonly bytesOnDisk?: number;
  /** Files that could not be read; `stale` when an older version of theirs is still searchable. */
  readonly failed: readonly {
    readonly uri: string;
    readonly code: string;
    readonly message: string;
    readonly stale: boolean;
  }[];
  /** What readers had to guess or leave out in documents that are in. */
  readonly warnings: readonly { readonly uri: string; readonly code: string; readonly message: string }[];
}

export interface KeptVectors {
  /** Documents, or windows of long ones, of all models. */
  readonly entries: number;
  /** Those among them that no document of the index was found to need; dropped thirty days after that was found. */
  readonly unneeded: number;
  /** On disk; 0 where the index is in no local folder. */
  readonly bytes: number;
}

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}
