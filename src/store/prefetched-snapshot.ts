import type { CallOptions, StoredChunk } from '../core/types.ts';
import type { LexicalReader } from '../lexical/reader.ts';
import type { ChunkRow, RowSet, Snapshot, VectorHits } from './contract.ts';
import type { PassSnapshot } from './index-contract.ts';

/**
 * A snapshot that knows its queries in advance. One pass over the vectors answers many queries, and no vectors stay in
 * memory.
 */
export class PrefetchedSnapshot implements Snapshot {
  readonly rows: number;
  readonly liveRows: number;
  readonly dimensions: number;
  readonly lexical: LexicalReader;
  /** For rows that one question needs twice; two questions rarely share rows. */
  readonly cacheBytes: number = 4 * 2 ** 20;
  readonly sample: Snapshot['sample'];
  readonly #snapshot: PassSnapshot;
  #known = new Map<string, VectorHits>();
  #limit = 0;

  constructor(snapshot: PassSnapshot) {
    this.#snapshot = snapshot;
    this.rows = snapshot.rows;
    this.liveRows = snapshot.liveRows;
    this.dimensions = snapshot.dimensions;
    this.lexical = snapshot.lexical;
    this.sample = snapshot.sample;
  }

  /**
   * Finds the `limit` nearest rows of each query, and forgets the results of earlier calls. Searches for other queries
   * go to the snapshot.
   */
  async prefetch(queries: readonly Int8Array[], limit: number, options: CallOptions = {}): Promise<void> {
    this.#known.clear();
    this.#limit = limit;
    const found = await this.#snapshot.searchEach(queries, limit, options);
    this.#known = new Map(queries.map((query, i) => [keyOf(query), found[i]!]));
  }

  async searchVectors(
    query: Int8Array,
    limit: number,
    options: CallOptions & { readonly within?: RowSet | undefined } = {},
  ): Promise<VectorHits> {
    const known = options.within === undefined && limit === this.#limit ? this.#known.get(keyOf(query)) : undefined;
    return known ?? (await this.#snapshot.searchVectors(query, limit, options));
  }

  isLive(ordinal: number): boolean {
    return this.#snapshot.isLive(ordinal);
  }

  documentRange(ordinal: number): readonly [first: number, end: number] {
    return this.#snapshot.documentRange(ordinal);
  }

  vectorsAt(ordinals: ArrayLike<number>): Promise<Int8Array> {
    return this.#snapshot.vectorsAt(ordinals);
  }

  filter(where: string): Promise<RowSet> {
    return this.#snapshot.filter(where);
  }

  fetch(ordinals: ArrayLike<number>): Promise<readonly StoredChunk[]> {
    return this.#snapshot.fetch(ordinals);
  }

  rowsAt(ordinals: ArrayLike<number>): Promise<readonly ChunkRow[]> {
    return this.#snapshot.rowsAt(ordinals);
  }
}

function keyOf(query: Int8Array): string {
  return Buffer.from(query.buffer, query.byteOffset, query.byteLength).toString('latin1');
}
