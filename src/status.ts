import type { PaidTotals } from './embed/paid/receipts.ts';

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
  readonly paid?: PaidTotals;
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

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}
