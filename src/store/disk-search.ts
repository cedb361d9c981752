import type { SignCalibration } from '../vector/calibrate.ts';
import { Int8Rows, type Nearest } from '../vector/int8-rows.ts';
import type { SignCode } from '../vector/sign-code.ts';
import { TopScores } from '../vector/top.ts';
import { listValues, wholeNumbers } from './columns.ts';
import { guard } from './failure.ts';
import {
  type Among,
  defaultExactBytes,
  exactWithin,
  nearestOf,
  readVectors,
  rescore,
  type SearchedRows,
  type SharedSearch,
  type VectorSearch,
} from './vector-search.ts';

/** Bytes of vectors per read, when vectors are read by row id. */
const readBytes = 2 ** 20;

/** Keeps nothing in memory: the database ranks stored signs, or a scan reads all vectors. */
export class DiskSearch implements VectorSearch {
  readonly #rows: SearchedRows;
  readonly #code: SignCode;
  readonly #calibration: SignCalibration | undefined;
  readonly #exactBytes: number;
  /** The rows of the current batch; reused by the next. */
  readonly #batch: Int8Rows;

  constructor(
    rows: SearchedRows,
    code: SignCode,
    calibration?: SignCalibration,
    exactBytes: number = defaultExactBytes,
  ) {
    this.#rows = rows;
    this.#code = code;
    this.#calibration = calibration;
    this.#exactBytes = exactBytes;
    this.#batch = new Int8Rows(rows.dimensions);
  }

  get #candidates(): number {
    return this.#calibration?.candidates ?? 0;
  }

  async share(): Promise<SharedSearch> {
    return { calibration: this.#calibration, exactBytes: this.#exactBytes };
  }

  async search(query: Int8Array, limit: number, { within }: Among = {}): Promise<Nearest> {
    if (within !== undefined && within.length <= exactWithin) {
      return rescore(query, limit, within, await readVectors(this.#rows, within));
    }
    if (within === undefined && this.#signsDecide) return this.#searchSigns(query, limit);
    return this.#scan(query, limit, within);
  }

  async searchEach(queries: readonly Int8Array[], limit: number, signal?: AbortSignal): Promise<Nearest[]> {
    if (!this.#signsDecide) return this.#readOnce(queries, limit, signal);
    const found: Nearest[] = [];
    for (const query of queries) {
      signal?.throwIfAborted();
      found.push(await this.#searchSigns(query, limit));
    }
    return found;
  }

  /** True when stored signs select the candidates. Without a calibration they do not. */
  get #signsDecide(): boolean {
    const { liveRows, dimensions } = this.#rows;
    return this.#code.isStored && liveRows * dimensions > this.#exactBytes && this.#candidates > 0;
  }

  async #searchSigns(query: Int8Array, limit: number): Promise<Nearest> {
    const { chunks, map } = this.#rows;
    const count = Math.max(400, this.#candidates, 5 * limit);
    const rows = await guard('cannot search vectors', async () =>
      (await chunks.table())
        .query()
        .nearestTo(this.#code.encode(query))
        .column('signs')
        .distanceType('hamming' as 'l2') // absent from the client's types, supported by the database
        .bypassVectorIndex()
        .limit(count)
        .select(['seq', 'vector', '_distance'])
        .toArrow(),
    );
    const found = rows.batches.map((batch) => ({
      ordinals: Uint32Array.from(wholeNumbers(batch, 'seq'), (seq) => map.ordinalOf(seq)),
      vectors: listValues(batch, 'vector') as Int8Array, // the schema guarantees this type
    }));
    const ordinals = Uint32Array.from(found.flatMap((part) => [...part.ordinals]));
    const vectors = new Int8Array(ordinals.length * query.length);
    let at = 0;
    for (const part of found) {
      vectors.set(part.vectors, at);
      at += part.vectors.length;
    }
    return rescore(query, limit, ordinals, vectors);
  }

  async #scan(query: Int8Array, limit: number, within: Uint32Array | undefined): Promise<Nearest> {
    const { chunks, map, live: alive } = this.#rows;
    const allowed = within && new Set(within);
    const top = new TopScores(Math.min(limit, map.rows));
    for await (const batch of chunks.scan({ columns: ['seq', 'vector'], lent: true })) {
      const seqs = wholeNumbers(batch, 'seq');
      const ordinals = new Int32Array(batch.numRows);
      const live = new Uint8Array(batch.numRows);
      for (let i = 0; i < ordinals.length; i++) {
        const at = map.ordinalOf(seqs[i]!);
        ordinals[i] = at;
        live[i] = alive[at] === 1 && allowed?.has(at) !== false ? 1 : 0;
      }
      this.#batch.extend(ordinals.length);
      this.#batch.write(0, listValues(batch, 'vector') as Int8Array); // the schema guarantees this type
      // Equal cosines are ordered by ordinal. Where the batch is not in that order, `search` must return all its rows.
      const isAscending = ordinals.every((ordinal, i) => i === 0 || ordinal > ordinals[i - 1]!);
      const found = this.#batch.search(query, isAscending ? limit : ordinals.length, { rows: ordinals.length, live });
      for (const [i, row] of found.ordinals.entries()) top.add(ordinals[row]!, found.cosines[i]!);
    }
    return nearestOf(top);
  }

  /**
   * One pass over the vectors for many queries. Reads a few rows at a time, which is slower than a scan: a scan reads
   * ahead while its consumer works, and left 80 to 130 MB at a million rows, where this leaves 25 MB.
   */
  async #readOnce(queries: readonly Int8Array[], limit: number, signal: AbortSignal | undefined): Promise<Nearest[]> {
    const { map, live, dimensions } = this.#rows;
    const tops = queries.map(() => new TopScores(Math.min(limit, map.rows)));
    const step = Math.ceil(readBytes / dimensions);
    for (let from = 0; from < map.rows && tops.length > 0; from += step) {
      signal?.throwIfAborted();
      const ordinals: number[] = [];
      for (let at = from; at < Math.min(map.rows, from + step); at++) if (live[at] === 1) ordinals.push(at);
      this.#batch.extend(ordinals.length);
      this.#batch.write(0, await readVectors(this.#rows, ordinals));
      for (const [q, query] of queries.entries()) {
        const found = this.#batch.search(query, limit, { rows: ordinals.length });
        for (const [i, row] of found.ordinals.entries()) tops[q]!.add(ordinals[row]!, found.cosines[i]!);
      }
    }
    return tops.map(nearestOf);
  }

  at(ordinals: ArrayLike<number>): Promise<Int8Array> {
    return readVectors(this.#rows, ordinals);
  }
}
