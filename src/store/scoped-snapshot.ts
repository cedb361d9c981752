import { IbidError } from '../core/errors.ts';
import type { CallOptions, StoredChunk } from '../core/types.ts';
import type { LexicalReader } from '../lexical/reader.ts';
import type { ChunkRow, RowSet, Snapshot, VectorHits } from './contract.ts';
import { OrdinalSet } from './row-set.ts';

/** Memory of one scope's caches, in bytes: a server has one for each kind of reader. */
const CACHE_BYTES = 8 * 2 ** 20;
const POSTINGS_BYTES = 4 * 2 ** 20;

/**
 * A snapshot as if the index held the documents of one filter alone: rows, terms, vectors and all statistics. What is
 * not in the scope cannot be read, counted or searched through it.
 */
export class ScopedSnapshot implements Snapshot {
  readonly rows: number;
  readonly liveRows: number;
  readonly dimensions: number;
  readonly lexical: LexicalReader;
  readonly cacheBytes: number = CACHE_BYTES;
  readonly whole: Snapshot;
  /** The filter of the scope. */
  readonly where: string;
  readonly shards: Snapshot['shards'];
  readonly #scope: RowSet;

  private constructor(whole: Snapshot, where: string, scope: RowSet) {
    this.whole = whole;
    this.where = where;
    this.#scope = scope;
    this.rows = whole.rows;
    this.liveRows = scope.size;
    this.dimensions = whole.dimensions;
    this.shards = whole.shards;
    this.lexical = whole.lexical.restricted(scope, { postingsCacheBytes: POSTINGS_BYTES });
  }

  /** @throws IbidError INVALID_FILTER when the filter takes some chunks of a document and leaves others */
  static async open(whole: Snapshot, where: string): Promise<ScopedSnapshot> {
    const scope = await whole.filter(where);
    const { ordinals } = scope;
    for (let i = 0; i < ordinals.length; ) {
      const [first, end] = whole.documentRange(ordinals[i]!);
      if (ordinals[i] !== first || ordinals[i + end - first - 1] !== end - 1)
        throw new IbidError('INVALID_FILTER', 'a scope must take whole documents', {
          hint: 'Use uri, format, title and metadata, not columns of a chunk.',
        });
      i += end - first;
    }
    return new ScopedSnapshot(whole, where, scope);
  }

  isLive(ordinal: number): boolean {
    return this.#scope.has(ordinal);
  }

  documentRange(ordinal: number): readonly [first: number, end: number] {
    return this.whole.documentRange(ordinal);
  }

  async searchVectors(
    query: Int8Array,
    limit: number,
    { within, signal }: CallOptions & { readonly within?: RowSet | undefined } = {},
  ): Promise<VectorHits> {
    return await this.whole.searchVectors(query, limit, { within: within ? this.#both(within) : this.#scope, signal });
  }

  /** The rows of the scope, ascending. */
  get ordinals(): Uint32Array {
    return this.#scope.ordinals;
  }

  async vectorsAt(ordinals: ArrayLike<number>): Promise<Int8Array> {
    this.#check(ordinals);
    return await this.whole.vectorsAt(ordinals);
  }

  async filter(where: string): Promise<RowSet> {
    return this.#both(await this.whole.filter(where));
  }

  async fetch(ordinals: ArrayLike<number>): Promise<readonly StoredChunk[]> {
    this.#check(ordinals);
    return await this.whole.fetch(ordinals);
  }

  async rowsAt(ordinals: ArrayLike<number>): Promise<readonly ChunkRow[]> {
    this.#check(ordinals);
    return await this.whole.rowsAt(ordinals);
  }

  #both(rows: RowSet): RowSet {
    return new OrdinalSet(rows.ordinals.filter((ordinal) => this.#scope.has(ordinal)));
  }

  #check(ordinals: ArrayLike<number>): void {
    for (let i = 0; i < ordinals.length; i++)
      if (!this.#scope.has(ordinals[i]!)) throw new IbidError('INVALID_ARGUMENT', 'a row is not in this scope');
  }
}
