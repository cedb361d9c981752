import type { CallOptions, StoredChunk } from '../core/types.ts';
import type { LexicalReader } from '../lexical/reader.ts';
import { buildSegment } from '../lexical/segment.ts';
import { rowOf } from '../store/chunk-rows.ts';
import type { ChunkRow, RowSet, Snapshot, VectorHits } from '../store/contract.ts';
import { OrdinalSet } from '../store/row-set.ts';
import { analyseDocument } from '../text/analysis/analysis.ts';
import { cosinesOf } from '../vector/int8-rows.ts';
import { TopScores } from '../vector/top.ts';
import type { WebDocument } from './documents.ts';

/** From so many rows on, the index's own rows decide how rare a word is; below, there is too little of them to tell. */
export const LEAST_ROWS = 500;

export interface OverlayDocument {
  readonly document: WebDocument;
  /** One per chunk; absent where there is no embedder. */
  readonly vectors?: readonly Int8Array[] | undefined;
}

/**
 * An index with pages of the web behind its own rows, for one search: everything that scores rows sees both alike. How
 * rare words are and how long texts are is counted in the index alone (from `LEAST_ROWS` rows on), since the pages were
 * found for their words.
 */
export class OverlaySnapshot implements Snapshot {
  readonly rows: number;
  readonly liveRows: number;
  readonly dimensions: number;
  readonly lexical: LexicalReader;
  readonly shards: Snapshot['shards'];
  readonly #local: Snapshot;
  /** Ordinal of the first passage. */
  readonly #base: number;
  readonly #chunks: readonly StoredChunk[];
  readonly #vectors: Int8Array;
  readonly #documentOf = new Map<StoredChunk, WebDocument>();

  constructor(local: Snapshot, documents: readonly OverlayDocument[], leastRows: number = LEAST_ROWS) {
    this.#local = local;
    this.#base = Math.max(local.rows, local.lexical.rows);
    this.#chunks = documents.flatMap(({ document }) => document.chunks);
    for (const { document } of documents) for (const chunk of document.chunks) this.#documentOf.set(chunk, document);
    this.rows = this.#base + this.#chunks.length;
    this.liveRows = local.liveRows + this.#chunks.length;
    this.dimensions = local.dimensions;
    this.shards = local.shards;
    this.#vectors = new Int8Array(this.#chunks.length * this.dimensions);
    documents
      .flatMap(({ document, vectors }) => document.chunks.map((_, i) => vectors?.[i]))
      .forEach((vector, row) => {
        if (vector) this.#vectors.set(vector, row * this.dimensions);
      });
    const { header, blocks } = buildSegment(
      documents.map(({ document }) => analyseDocument(document.snapshot.title, document.chunks)),
    );
    const readBlocks = async (indices: readonly number[]): Promise<Uint8Array[]> =>
      indices.map((i) => blocks[i]!.bytes);
    this.lexical = local.lexical.extended([{ base: this.#base, header, readBlocks }], {
      decides: local.liveRows >= leastRows,
    });
  }

  /** The page a chunk of this snapshot comes from; undefined for one of the index. */
  pageOf(chunk: StoredChunk): WebDocument | undefined {
    return this.#documentOf.get(chunk);
  }

  isLive(ordinal: number): boolean {
    return ordinal < this.#base ? this.#local.isLive(ordinal) : ordinal < this.rows;
  }

  documentRange(ordinal: number): readonly [first: number, end: number] {
    return ordinal < this.#base ? this.#local.documentRange(ordinal) : this.lexical.documentRange(ordinal);
  }

  async searchVectors(
    query: Int8Array,
    limit: number,
    options: CallOptions & { readonly within?: RowSet | undefined } = {},
  ): Promise<VectorHits> {
    const { within, signal } = options;
    const own = within && new OrdinalSet(within.ordinals.filter((ordinal) => ordinal < this.#base));
    const local =
      this.#local.liveRows === 0 || own?.size === 0
        ? { ordinals: [], cosines: [] }
        : await this.#local.searchVectors(query, limit, { within: own, signal });
    const cosines = cosinesOf(query, this.#vectors);
    const top = new TopScores(limit);
    for (let i = 0; i < local.ordinals.length; i++) top.add(local.ordinals[i]!, local.cosines[i]!);
    cosines.forEach((cosine, row) => {
      if (within?.has(this.#base + row) !== false) top.add(this.#base + row, cosine);
    });
    const { ordinals, scores } = top.finish();
    return { ordinals, cosines: Float32Array.from(scores) };
  }

  async vectorsAt(ordinals: ArrayLike<number>): Promise<Int8Array> {
    const own = Array.from(ordinals).filter((ordinal) => ordinal < this.#base);
    const local = own.length === 0 ? new Int8Array(0) : await this.#local.vectorsAt(own);
    const { dimensions } = this;
    const out = new Int8Array(ordinals.length * dimensions);
    let next = 0;
    for (let i = 0; i < ordinals.length; i++) {
      const ordinal = ordinals[i]!;
      const [from, row] = ordinal < this.#base ? [local, next++] : [this.#vectors, ordinal - this.#base];
      out.set(from.subarray(row * dimensions, (row + 1) * dimensions), i * dimensions);
    }
    return out;
  }

  /** Conditions speak of the index's columns: they leave out rows of the index, never pages. */
  async filter(where: string): Promise<RowSet> {
    return this.#withPages((await this.#local.filter(where)).ordinals);
  }

  /** The rows of the pages alone. */
  pageRows(): RowSet {
    return this.#withPages(new Uint32Array(0));
  }

  #withPages(own: Uint32Array): RowSet {
    const all = new Uint32Array(own.length + this.#chunks.length);
    all.set(own);
    for (let i = 0; i < this.#chunks.length; i++) all[own.length + i] = this.#base + i;
    return new OrdinalSet(all);
  }

  async fetch(ordinals: ArrayLike<number>): Promise<readonly StoredChunk[]> {
    const own = Array.from(ordinals).filter((ordinal) => ordinal < this.#base);
    const local = own.length === 0 ? [] : await this.#local.fetch(own);
    let next = 0;
    return Array.from(ordinals, (ordinal) =>
      ordinal < this.#base ? local[next++]! : this.#chunks[ordinal - this.#base]!,
    );
  }

  async rowsAt(ordinals: ArrayLike<number>): Promise<readonly ChunkRow[]> {
    return (await this.fetch(ordinals)).map(rowOf);
  }
}
