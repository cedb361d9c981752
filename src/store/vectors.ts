import { IbidError } from '../core/errors.ts';
import { Int8Rows } from '../vector/int8-rows.ts';
import { SignCode } from '../vector/sign-code.ts';
import { SignFilter } from '../vector/sign-filter.ts';
import { SignRows } from '../vector/sign-rows.ts';
import { listValues, wholeNumbers } from './columns.ts';
import type { HeldVectors, Kept, SharedVectors } from './held-vectors.ts';
import type { PinnedTable } from './pinned.ts';
import type { RowFiles } from './row-files.ts';
import type { SeqMap } from './runs.ts';

/**
 * Vectors, bits or both of an index in memory; row number = ordinal. Snapshots of successive versions share one
 * instance: the row of a seq never changes, so a later version only adds rows at the end.
 */
export class ResidentVectors implements HeldVectors {
  readonly kept: Kept;
  readonly code: SignCode;
  readonly vectors: Int8Rows;
  readonly signs: SignRows;
  readonly filter: SignFilter;
  #map: SeqMap | undefined;
  #loaded = 0;
  #loading: Promise<void> = Promise.resolve();

  /** @param threads that search the vectors, this one included */
  constructor(dimensions: number, kept: Kept, threads: number) {
    this.kept = kept;
    this.code = new SignCode(dimensions);
    this.vectors = new Int8Rows(dimensions, { threads });
    this.signs = new SignRows(this.code.bits, { threads });
    this.filter = new SignFilter(this.vectors, { threads });
  }

  share(): SharedVectors {
    return {
      kept: this.kept,
      vectors: this.vectors.share(),
      signs: this.signs.share(),
      filter: this.filter.share(),
    };
  }

  /** True when this instance keeps `kept` and the loaded rows have the same ordinals in `map`. */
  suits(map: SeqMap, kept: Kept): boolean {
    if (kept.vectors !== this.kept.vectors || kept.signs !== this.kept.signs) return false;
    return this.#map === undefined || this.#map.agreesWith(map, Math.min(this.#loaded, map.rows));
  }

  /**
   * Loads the missing rows of `map`. Parallel calls run one after the other.
   * @param copies from where vectors are taken first
   */
  load(table: PinnedTable, map: SeqMap, copies?: RowFiles): Promise<void> {
    const run = this.#loading.then(() => this.#load(table, map, copies));
    this.#loading = run.catch(() => {});
    return run;
  }

  async #load(table: PinnedTable, map: SeqMap, copies: RowFiles | undefined): Promise<void> {
    const from = this.#loaded;
    if (from >= map.rows) return;
    const { vectors, signs, code, kept } = this;
    if (kept.vectors) vectors.extend(map.rows);
    if (kept.signs) signs.extend(map.rows);
    const last = map.seqOf(map.rows - 1);
    let begin = map.seqOf(from);
    if (kept.vectors && copies) {
      begin = await copies.eachVectors(begin, vectors.dimensions, (first, values) => {
        const count = values.length / vectors.dimensions;
        const ordinal = map.ordinalOf(first);
        const isWhole = ordinal >= from && map.ordinalOf(first + count - 1) === ordinal + count - 1; // no seq is left out
        if (isWhole && !kept.signs) return vectors.write(ordinal, values);
        const seqs = Float64Array.from({ length: count }, (_, i) => first + i);
        this.#write(map, from, seqs, values, kept.signs ? code.encode(values) : undefined);
      });
    }
    if (begin <= last) await this.#scan(table, map, from, begin);
    this.#map = map;
    this.#loaded = map.rows;
  }

  async #scan(table: PinnedTable, map: SeqMap, from: number, begin: number): Promise<void> {
    const { vectors, code, kept } = this;
    const storedSigns = kept.signs && code.isStored;
    const columns = ['seq', ...(kept.vectors || !storedSigns ? ['vector'] : []), ...(storedSigns ? ['signs'] : [])];
    const where = from === 0 && begin === map.seqOf(0) ? undefined : `seq >= ${begin}`;
    for await (const batch of table.scan({ columns, where, lent: true })) {
      const seqs = wholeNumbers(batch, 'seq');
      // the schema guarantees this type
      const values = columns.includes('vector') ? (listValues(batch, 'vector') as Int8Array) : undefined;
      const bits = storedSigns
        ? (listValues(batch, 'signs') as Uint8Array)
        : kept.signs
          ? code.encode(values!)
          : undefined;
      if (values && values.length !== seqs.length * vectors.dimensions) {
        throw new IbidError('INDEX_DAMAGED', `the vectors do not have ${vectors.dimensions} dimensions`);
      }
      this.#write(map, from, seqs, values, bits);
    }
  }

  /** Writes what belongs to ordinals from `from` on. */
  #write(
    map: SeqMap,
    from: number,
    seqs: Float64Array,
    values: Int8Array | undefined,
    bits: Uint8Array | undefined,
  ): void {
    const { vectors, signs, code, kept } = this;
    for (let i = 0; i < seqs.length; ) {
      const ordinal = map.ordinalOf(seqs[i]!);
      const end = runEnd(seqs, i, (seq) => map.ordinalOf(seq));
      if (ordinal >= from) {
        if (kept.vectors) vectors.write(ordinal, values!.subarray(i * vectors.dimensions, end * vectors.dimensions));
        if (bits) signs.write(ordinal, bits.subarray(i * code.bytes, end * code.bytes));
      }
      i = end;
    }
  }
}

/** End (exclusive) of the rows from `from` on whose seqs and ordinals both ascend by one. */
function runEnd(seqs: ArrayLike<number>, from: number, ordinalOf: (seq: number) => number): number {
  const ordinal = ordinalOf(seqs[from]!);
  if (ordinal < 0) return from + 1; // a newer row than the snapshot
  let end = from + 1;
  while (end < seqs.length && seqs[end] === seqs[from]! + end - from) end++;
  // ordinals ascend with seqs: if both span the same distance, there is no gap between
  if (ordinalOf(seqs[end - 1]!) === ordinal + end - 1 - from) return end;
  end = from + 1;
  while (end < seqs.length && ordinalOf(seqs[end]!) === ordinal + end - from) end++;
  return end;
}
