import { IbidError } from '../core/errors.ts';
import { yieldToEventLoop } from '../core/event-loop.ts';
import type { SignCalibration } from '../vector/calibrate.ts';
import { cosinesOf, type Nearest, type ScanOptions } from '../vector/int8-rows.ts';
import type { SignCode } from '../vector/sign-code.ts';
import { TopScores } from '../vector/top.ts';
import { listValues, wholeNumbers } from './columns.ts';
import type { ComparedRows, Comparing, ComparingRequest } from './comparing.ts';
import type { HeldVectors, Kept, SharedVectors } from './held-vectors.ts';
import { outdated, type PinnedTable } from './pinned.ts';
import type { RowFiles } from './row-files.ts';
import type { RowIds } from './row-ids.ts';
import type { SeqMap } from './runs.ts';
import { ReadVectors, rowsBySigns } from './sign-search.ts';
import { giveBack } from './table-rows.ts';

/** Live rows, and the cosine below which they may be left out. */
export type Among = Pick<ScanOptions, 'within' | 'least'>;

/** Nearest neighbours among the rows of one snapshot. */
export interface VectorSearch {
  search(query: Int8Array, limit: number, among?: Among): Promise<Nearest>;
  /** `search` for several queries, with as few passes over the vectors as possible. */
  searchEach(queries: readonly Int8Array[], limit: number, signal?: AbortSignal): Promise<Nearest[]>;
  /** The components of live rows, row after row. */
  at(ordinals: ArrayLike<number>): Promise<Int8Array>;
  /** The same search for other threads. */
  share(): Promise<SharedSearch>;
}

/** A search as another thread takes it; without `vectors` it reads from the table. */
export interface SharedSearch {
  readonly vectors?: SharedVectors | undefined;
  readonly calibration?: SignCalibration | undefined;
  readonly exactBytes?: number | undefined;
}

export interface SearchedRows {
  readonly chunks: PinnedTable;
  readonly map: SeqMap;
  readonly live: Uint8Array;
  readonly liveRows: number;
  readonly rowIds: RowIds;
  readonly dimensions: number;
  /** Copies of the rows; absent where there are none. */
  readonly rowFiles?: RowFiles | undefined;
}

export const defaultResidentBytes: number = 256 * 2 ** 20;
export const defaultExactBytes: number = 16 * 2 ** 20;

export interface ResidencyOptions {
  /**
   * `auto`: the first search loads vectors into memory, as far as they fit. `none`: every search reads what it needs,
   * which is better for a process with one question. @default 'auto'
   */
  readonly residency?: 'auto' | 'none' | undefined;
  /** Maximum bytes of vectors that are kept whole in memory; of larger ones only the bits are. @default 268435456 */
  readonly residentBytes?: number | undefined;
  /** Up to this many bytes of vectors, an exact scan is fast enough without bits. @default 16777216 */
  readonly exactBytes?: number | undefined;
}

export type Method = 'exact' | 'signs' | 'signs-and-disk' | 'disk';

/** The fastest method for this number of rows, by measured limits on the bytes of vectors. */
export function chooseMethod(
  rows: number,
  code: SignCode,
  dimensions: number,
  calibration: SignCalibration | undefined,
  { residency = 'auto', residentBytes = defaultResidentBytes, exactBytes = defaultExactBytes }: ResidencyOptions,
): Method {
  if (residency === 'none') return 'disk';
  const bytes = rows * dimensions;
  // 0 candidates: signs do not help. A calibration with half the rows or fewer is too old.
  const isCalibrated = calibration !== undefined && calibration.candidates > 0 && rows < 2 * calibration.rows;
  if (bytes <= residentBytes) return bytes > exactBytes && code.isStored && isCalibrated ? 'signs' : 'exact';
  return isCalibrated ? 'signs-and-disk' : 'disk';
}

export const keptBy: Readonly<Record<Method, Kept>> = {
  exact: { vectors: true, signs: false },
  signs: { vectors: true, signs: true },
  'signs-and-disk': { vectors: false, signs: true },
  disk: { vectors: false, signs: false },
};

/** A filter that leaves at most this many rows is searched exactly, which is the fastest way. */
export const exactWithin = 4096;

/** Searches before the signs of all rows are taken: a process with one question gains nothing from them. */
const searchesBefore = 4;

/** Searches rows in memory: exactly, or exactly among the candidates that signs select. */
export class ResidentSearch implements VectorSearch {
  readonly #rows: SearchedRows;
  readonly #resident: HeldVectors;
  readonly #calibration: SignCalibration | undefined;
  readonly #exactBytes: number;
  #ready: Promise<void> | undefined;
  #searches = 0;
  #filtering: Promise<void> | undefined;
  readonly #comparing: Comparing | undefined;
  #compared: ComparedRows | undefined;
  /** True when the comparing thread has not found a vector in the files. */
  #lacksVectors = false;
  #read: ReadVectors | undefined;

  /**
   * @param calibration number of candidates by signs; undefined = an exact search
   * @param exactBytes up to this many bytes of vectors, an exact search looks at every row
   * @param comparing does exact searches of all rows; their memory must be shared
   */
  constructor(
    rows: SearchedRows,
    resident: HeldVectors,
    calibration?: SignCalibration,
    exactBytes: number = defaultExactBytes,
    comparing?: Comparing,
  ) {
    this.#comparing = comparing;
    this.#rows = rows;
    this.#resident = resident;
    this.#calibration = calibration;
    this.#exactBytes = exactBytes;
  }

  #load(): Promise<void> {
    this.#ready ??= this.#resident
      .load(this.#rows.chunks, this.#rows.map, this.#rows.rowFiles)
      .catch((error: unknown) => {
        this.#ready = undefined; // the next query tries again
        throw error;
      });
    return this.#ready;
  }

  async search(query: Int8Array, limit: number, among: Among = {}): Promise<Nearest> {
    await this.#load();
    if (among.within === undefined) {
      const found = await this.#searchBeside({ query, limit, least: among.least });
      if (found) return found;
    }
    await yieldToEventLoop();
    return await this.#searchHere(query, limit, among);
  }

  async #searchHere(query: Int8Array, limit: number, { within, least }: Among): Promise<Nearest> {
    const { vectors, kept: held } = this.#resident;
    const { map, live } = this.#rows;
    const options = { rows: map.rows, live, within, least };
    const isSmall = within !== undefined && within.length <= exactWithin;
    if (held.vectors && isSmall) return vectors.search(query, limit, options);
    if (this.#isExact) {
      const { filter } = this.#resident;
      return (filter?.isUsable(map.rows) ? filter : vectors).search(query, limit, options);
    }
    if (isSmall && within.length <= 200) return this.#rescore(query, limit, within);
    const ordinals = rowsBySigns(this.#resident, this.#calibration, query, limit, options);
    if (held.vectors) return vectors.search(query, limit, { within: ordinals });
    return this.#rescore(query, limit, ordinals);
  }

  async searchEach(queries: readonly Int8Array[], limit: number, signal?: AbortSignal): Promise<Nearest[]> {
    const found: Nearest[] = [];
    for (const query of queries) {
      signal?.throwIfAborted();
      found.push(await this.search(query, limit));
    }
    return found;
  }

  /** True where all rows that may be found are compared, and all are in memory. */
  get #isExact(): boolean {
    return this.#resident.kept.vectors && this.#calibration === undefined;
  }

  /** A search of all rows by the comparing thread; undefined where it is to be done here. */
  async #searchBeside(request: ComparingRequest): Promise<Nearest | undefined> {
    if (this.#resident.kept.vectors && !this.#isExact) return undefined; // quick enough
    if (++this.#searches > searchesBefore && this.#isExact) await this.#filter();
    const compared = this.#beside();
    if (!compared) return undefined;
    try {
      const found = await this.#comparing!.search(compared, request);
      this.#lacksVectors = found === undefined;
      return found;
    } catch (error) {
      if (!(error instanceof IbidError) || error.code !== 'THREAD_ENDED') throw error;
      return undefined;
    }
  }

  /** The rows for the comparing thread; undefined while there is none, or where that thread cannot read them. */
  #beside(): ComparedRows | undefined {
    const { map, live, rowFiles } = this.#rows;
    const isInMemory = this.#resident.kept.vectors;
    if (!this.#comparing || this.#searches <= searchesBefore || this.#lacksVectors) return undefined;
    if (!isInMemory && !rowFiles) return undefined;
    this.#comparing.start();
    if (!this.#comparing.isReady) return undefined;
    this.#compared ??= {
      vectors: this.#resident.share(),
      live,
      rows: map.rows,
      bySigns: isInMemory ? undefined : { calibration: this.#calibration, files: rowFiles!.share(), runs: map.runs },
    };
    return this.#compared;
  }

  /** Prepares the filter where it saves more than it costs. */
  async #filter(): Promise<void> {
    const { vectors, filter } = this.#resident;
    const { map } = this.#rows;
    if (!filter || filter.isGivenUp || filter.isUsable(map.rows) || map.rows * vectors.dimensions <= this.#exactBytes)
      return;
    this.#filtering ??= filter.prepare(map.rows);
    await this.#filtering;
  }

  async #rescore(query: Int8Array, limit: number, ordinals: Uint32Array): Promise<Nearest> {
    const ascending = ordinals.slice().sort();
    this.#read ??= new ReadVectors(query.length);
    return this.#read.nearest(query, limit, ascending, await readVectors(this.#rows, ascending));
  }

  async at(ordinals: ArrayLike<number>): Promise<Int8Array> {
    if (!this.#resident.kept.vectors) return readVectors(this.#rows, ordinals);
    await this.#load();
    const { vectors } = this.#resident;
    const out = new Int8Array(ordinals.length * vectors.dimensions);
    for (let i = 0; i < ordinals.length; i++) out.set(vectors.row(ordinals[i]!), i * vectors.dimensions);
    return out;
  }

  async share(): Promise<SharedSearch> {
    await this.#load();
    if (this.#resident.kept.vectors && this.#calibration === undefined) await this.#filter();
    return { vectors: this.#resident.share(), calibration: this.#calibration, exactBytes: this.#exactBytes };
  }
}

export function nearestOf(top: TopScores): Nearest {
  const { ordinals, scores } = top.finish();
  return { ordinals, cosines: Float32Array.from(scores) };
}

/** Vectors of live rows, in the order of `ordinals`: from the copies, else from the table. */
export async function readVectors(rows: SearchedRows, ordinals: ArrayLike<number>): Promise<Int8Array> {
  const { dimensions, map, rowFiles } = rows;
  const out = new Int8Array(ordinals.length * dimensions);
  if (ordinals.length === 0) return out;
  const seqs = Array.from(ordinals, (ordinal) => map.seqOf(ordinal));
  const missing = (await rowFiles?.readVectors(seqs, dimensions, out)) ?? [...seqs.keys()];
  if (missing.length > 0) await takeVectors(rows, seqs, missing, out);
  return out;
}

/** Writes the vectors at some positions of `seqs` to `out`. */
async function takeVectors(
  { chunks, rowIds, dimensions }: SearchedRows,
  seqs: readonly number[],
  positions: readonly number[],
  out: Int8Array,
): Promise<void> {
  const ids = positions.map((i) => rowIds.of(seqs[i]!));
  // by row id, which costs nothing; `seq` would need one more access per row
  const found = new Map<number, Int8Array>();
  const wanted = [...new Set(ids)].sort((a, b) => a - b);
  const taken = await chunks.take(wanted, ['_rowid', 'vector']);
  for (const batch of taken.batches) {
    const vectors = listValues(batch, 'vector') as Int8Array; // the schema guarantees this type
    for (const [i, id] of wholeNumbers(batch, '_rowid').entries()) {
      found.set(id, vectors.subarray(i * dimensions, (i + 1) * dimensions));
    }
  }
  for (const [k, i] of positions.entries()) {
    const vector = found.get(ids[k]!);
    if (vector === undefined) throw outdated();
    out.set(vector, i * dimensions);
  }
  giveBack(taken);
}

/** The best `limit` of `ordinals` by exact cosine. @param vectors of these ordinals, row after row */
export function rescore(query: Int8Array, limit: number, ordinals: Uint32Array, vectors: Int8Array): Nearest {
  const all = cosinesOf(query, vectors);
  const top = new TopScores(Math.min(limit, ordinals.length));
  for (const [i, ordinal] of ordinals.entries()) top.add(ordinal, all[i]!);
  return nearestOf(top);
}
