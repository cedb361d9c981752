import type { Table } from '@lancedb/lancedb';
import { IbidError } from '../core/errors.ts';
import { Int8Rows } from '../vector/int8-rows.ts';
import { listValues, wholeNumbers } from './columns.ts';
import { scan } from './database.ts';
import type { SeqMap } from './runs.ts';

/**
 * The vectors of an index in memory, row number = ordinal. Snapshots of successive versions share one instance: rows never change
 * under their seq, so a later version only adds rows at the end.
 */
export class ResidentVectors {
  readonly rows: Int8Rows;
  #map: SeqMap | undefined;
  #loaded = 0;
  #loading: Promise<void> = Promise.resolve();

  constructor(dimensions: number) {
    this.rows = new Int8Rows(dimensions);
  }

  /** Whether the rows loaded so far mean the same under `map`. */
  suits(map: SeqMap): boolean {
    return this.#map === undefined || this.#map.agreesWith(map, Math.min(this.#loaded, map.rows));
  }

  /** Loads what is missing of `map`'s rows; dead ones stay zero. Calls wait for one another. */
  load(table: Table, map: SeqMap): Promise<void> {
    const run = this.#loading.then(() => this.#load(table, map));
    this.#loading = run.catch(() => {});
    return run;
  }

  async #load(table: Table, map: SeqMap): Promise<void> {
    const from = this.#loaded;
    if (from >= map.rows) return;
    this.rows.extend(map.rows);
    const { dimensions } = this.rows;
    const where = from === 0 ? undefined : `seq >= ${map.seqOf(from)}`;
    for await (const batch of scan(table, { columns: ['seq', 'vector'], where })) {
      const seqs = wholeNumbers(batch, 'seq');
      const values = listValues(batch, 'vector') as Int8Array; // the schema says so
      if (values.length !== seqs.length * dimensions) {
        throw new IbidError('INDEX_DAMAGED', `the vectors do not have ${dimensions} dimensions`);
      }
      for (let i = 0; i < seqs.length; ) {
        const ordinal = map.ordinalOf(seqs[i]!);
        let count = 1;
        while (i + count < seqs.length && map.ordinalOf(seqs[i + count]!) === ordinal + count) count++;
        if (ordinal >= from) this.rows.write(ordinal, values.subarray(i * dimensions, (i + count) * dimensions));
        i += count;
      }
    }
    this.#map = map;
    this.#loaded = map.rows;
  }
}
