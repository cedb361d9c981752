import type { StoredChunk } from '../../core/types.ts';
import type { SampledRow } from '../../store/row-sample.ts';
import type { RowRun } from '../../store/runs.ts';
import type { CollectionTotals } from '../lexical-scores.ts';
import type { CandidatesRequest, DictionaryRequest, TermsRequest } from './contract.ts';

/** What an index that ranks with others as one is asked over the network. `view` is that of `open`. */
export type RemoteQuestion =
  | { readonly kind: 'open' }
  | { readonly kind: 'model' }
  | { readonly kind: 'terms'; readonly view: string; readonly request: TermsRequest }
  | { readonly kind: 'dictionary'; readonly view: string; readonly request: DictionaryRequest }
  | { readonly kind: 'candidates'; readonly view: string; readonly request: CandidatesRequest }
  | { readonly kind: 'find'; readonly view: string; readonly request: { readonly where: string } }
  | { readonly kind: 'rows'; readonly view: string; readonly request: { readonly ordinals: readonly number[] } };

/** Terms of one question at most. */
export const mostTerms = 500;

/** The answer to `open`. */
export interface OpenedShard {
  /** Names this state of the index in the questions that follow. */
  readonly view: string;
  readonly fingerprint: Readonly<Record<string, string | number>>;
  readonly rows: number;
  readonly liveRows: number;
  /** Runs of ordinals that are dead. */
  readonly dead: readonly RowRun[];
  /** The sample of rows that stands for all rows (`store/row-sample.ts`). */
  readonly sample?: readonly SampledRow[] | undefined;
  readonly totals: CollectionTotals;
  readonly calibration?: unknown;
}

/** A row with the ordinals of its document. */
export interface ShardRow {
  readonly chunk: StoredChunk;
  readonly range: readonly [first: number, end: number];
}
