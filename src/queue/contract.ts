import type { CutShape, SmallFile } from '../ingest/contract.ts';
import type { FileFailure } from '../ingest/cut.ts';
import { textVersion } from '../text/version.ts';

/** What a worker is asked: files to read and cut. */
export interface CutBatch {
  readonly shape: CutShape;
  /** Folder beside the index, where the parts go. */
  readonly parts: string;
  readonly files: readonly SmallFile[];
}

/** What became of a file: the name of its part, or why there is none. */
export type FileResult = { readonly part: string } | { readonly failure: FileFailure };

/** Programs that read or cut in another way do not see each other's work. */
export const queueName: string = `ibid-cut-${textVersion}`;

/** How often a batch is tried before it counts as failed. */
export const ATTEMPTS = 3;
