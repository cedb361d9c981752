import type { SupportCalibration } from '../answer/contract.ts';
import type { IbidError } from '../core/errors.ts';
import type { Embedder } from '../embed/contract.ts';
import type { Searcher } from '../retrieve/search.ts';
import type { Snapshot } from '../store/contract.ts';

/** One consistent view of an index, with the embedder its vectors were made with. */
export interface IndexView {
  readonly snapshot: Snapshot;
  /** Absent while nothing is indexed, and where the embedder of the vectors cannot be had: then words alone decide. */
  readonly embedder: Embedder | undefined;
  /** Why the embedder cannot be had, or why this view may be old. */
  readonly warning?: IbidError | undefined;
  /** Searches this snapshot in place of the calling thread. */
  readonly searcher?: Searcher | undefined;
  readonly calibration: (SupportCalibration & { readonly chunks: number }) | undefined;
}
