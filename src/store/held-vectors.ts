import { Int8Rows, type SharedInt8Rows } from '../vector/int8-rows.ts';
import { SignCode } from '../vector/sign-code.ts';
import { type SharedSignFilter, SignFilter } from '../vector/sign-filter.ts';
import { type SharedSignRows, SignRows } from '../vector/sign-rows.ts';
import type { PinnedTable } from './pinned.ts';
import type { RowFiles } from './row-files.ts';
import type { SeqMap } from './runs.ts';

/** Which data of the vectors is kept in memory. */
export interface Kept {
  readonly vectors: boolean;
  readonly signs: boolean;
}

/** The vectors in memory, as a search reads them. */
export interface HeldVectors {
  readonly kept: Kept;
  readonly code: SignCode;
  readonly vectors: Int8Rows;
  readonly signs: SignRows;
  /** Spares an exact search most rows, once it is prepared. */
  readonly filter: SignFilter | undefined;
  /** Loads what is missing. */
  load(table: PinnedTable, map: SeqMap, copies?: RowFiles): Promise<void>;
  share(): SharedVectors;
}

/** Vectors in memory as other threads take them. */
export interface SharedVectors {
  readonly kept: Kept;
  readonly vectors: SharedInt8Rows;
  readonly signs: SharedSignRows;
  readonly filter: SharedSignFilter | undefined;
}

/** Vectors that another thread has loaded. @param thread its number, from 1 on */
export function attachVectors(shared: SharedVectors, thread: number): HeldVectors {
  const vectors = Int8Rows.attach(shared.vectors, thread);
  return {
    kept: shared.kept,
    code: new SignCode(shared.vectors.dimensions),
    vectors,
    signs: SignRows.attach(shared.signs, thread),
    filter: shared.filter && SignFilter.attach(vectors, shared.filter, thread),
    load: async () => {},
    share: () => shared,
  };
}
