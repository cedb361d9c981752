import type { Meter } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';

/** What an embedder may see of one chunk. */
export interface EmbedChunk {
  readonly text: string;
  /** Heading path, outermost first. */
  readonly headings: readonly string[];
}

/** A whole document, or a window of a long one: chunks in order. A chunk is embedded knowing the chunks around it. */
export interface EmbedDocument {
  readonly title: string;
  readonly chunks: readonly EmbedChunk[];
}

/** Bounds of one `embedDocuments` call; `Infinity` where there is none. */
export interface EmbedderLimits {
  readonly documents: number;
  readonly chunks: number;
  readonly tokens: number;
  readonly tokensPerDocument: number;
}

/** What gives vectors: the local embedder, a service's, or the caller's own. */
export interface Embedder {
  /** Model and revision; part of the index fingerprint. */
  readonly id: string;
  readonly dimensions: number;
  /** @default no bounds: all documents of a batch, up to 4,096 chunks and 12 Mi characters, come in one call */
  readonly limits?: Partial<EmbedderLimits> | undefined;
  /**
   * One vector of `dimensions` int8 components per chunk, nested and ordered as `documents`.
   * Vectors need not be normalised; cosine is the measure. A text the embedder knows nothing of gives the zero vector.
   */
  embedDocuments(
    documents: readonly EmbedDocument[],
    options?: CallOptions,
  ): Promise<readonly (readonly Int8Array[])[]>;
  embedQuery(query: string, options?: CallOptions): Promise<Int8Array>;
  /** Embeds many queries at once, so that `embedQuery` has them ready. */
  embedQueries?(queries: readonly string[], options?: CallOptions): Promise<void>;
  /** Of an embedder that costs money: the same embedder, whose calls are charged to this meter. */
  withMeter?(meter: Meter): Embedder;
  close?(): Promise<void>;
}
