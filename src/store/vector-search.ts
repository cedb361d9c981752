import type { Table } from '@lancedb/lancedb';
import type { VectorHits } from './contract.ts';
import type { SeqMap } from './runs.ts';
import type { ResidentVectors } from './vectors.ts';

/** Nearest neighbours over the rows of one snapshot. */
export interface VectorSearch {
  /** @param within ascending ordinals of live rows */
  search(query: Int8Array, limit: number, within?: Uint32Array): Promise<VectorHits>;
  /** Components of live rows, row after row. */
  at(ordinals: ArrayLike<number>): Promise<Int8Array>;
}

export interface SearchedRows {
  readonly chunks: Table;
  readonly map: SeqMap;
  readonly live: Uint8Array;
  readonly liveRows: number;
}

/** Exact search over resident vectors, which are loaded when first needed. */
export class ExactSearch implements VectorSearch {
  readonly #rows: SearchedRows;
  readonly #vectors: ResidentVectors;
  #ready: Promise<void> | undefined;

  constructor(rows: SearchedRows, vectors: ResidentVectors) {
    this.#rows = rows;
    this.#vectors = vectors;
  }

  #load(): Promise<void> {
    this.#ready ??= this.#vectors.load(this.#rows.chunks, this.#rows.map).catch((error: unknown) => {
      this.#ready = undefined; // the next query tries again
      throw error;
    });
    return this.#ready;
  }

  async search(query: Int8Array, limit: number, within?: Uint32Array): Promise<VectorHits> {
    await this.#load();
    const { map, live } = this.#rows;
    return this.#vectors.rows.search(query, limit, { rows: map.rows, live, within });
  }

  async at(ordinals: ArrayLike<number>): Promise<Int8Array> {
    await this.#load();
    const { dimensions } = this.#vectors.rows;
    const out = new Int8Array(ordinals.length * dimensions);
    for (let i = 0; i < ordinals.length; i++) out.set(this.#vectors.rows.row(ordinals[i]!), i * dimensions);
    return out;
  }
}
