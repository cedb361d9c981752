import type { Meter } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';

/** The parts of a chunk that an embedder gets. */
export interface EmbedChunk {
  readonly text: string;
  /** Heading path, outermost first. */
  readonly headings: readonly string[];
}

/** A whole document, or a window of a long one, as chunks in order. An embedder may use the chunks around a chunk. */
export interface EmbedDocument {
  readonly title: string;
  readonly chunks: readonly EmbedChunk[];
}

/** Bounds of one `embedDocuments` call; `Infinity` for no bound. */
export interface EmbedderLimits {
  readonly documents: number;
  readonly chunks: number;
  readonly tokens: number;
  readonly tokensPerDocument: number;
}

/** Makes vectors: the local embedder, a service's, or the caller's own. */
export interface Embedder {
  /** Model and revision; part of the index fingerprint. */
  readonly id: string;
  /** Any number from 1; 0 for one that `identify` finds out. */
  readonly dimensions: number;
  /** @default no bounds: one call gets all documents of a batch, up to 4,096 chunks and 12 Mi characters */
  readonly limits?: Partial<EmbedderLimits> | undefined;
  /**
   * One vector of `dimensions` int8 components per chunk, nested and ordered as `documents`. Vectors need not be
   * normalised, because they are compared by cosine. A text without known terms gives the zero vector.
   */
  embedDocuments(
    documents: readonly EmbedDocument[],
    options?: CallOptions,
  ): Promise<readonly (readonly Int8Array[])[]>;
  embedQuery(query: string, options?: CallOptions): Promise<Int8Array>;
  /**
   * For an embedder that learns its dimensions from a service: the same one, with its full id and dimensions. Called
   * before an index is written or searched.
   * @param made the id of the embedder that the index was made with; nothing is asked when it is this one's
   */
  identify?(made: string | undefined, options?: CallOptions): Promise<Embedder>;
  /** Embeds many queries in advance; `embedQuery` then returns their vectors without a new request. */
  embedQueries?(queries: readonly string[], options?: CallOptions): Promise<void>;
  /** For an embedder that costs money: the same embedder, with its calls charged to `meter`. */
  withMeter?(meter: Meter): Embedder;
  close?(): Promise<void>;
}
