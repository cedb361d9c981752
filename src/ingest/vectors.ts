import type { CallOptions } from '../core/types.ts';
import type { EmbedDocument, Embedder } from '../embed/contract.ts';
import type { EmbedUsage } from '../embed/service/contract.ts';
import type { BatchLimits } from './batch.ts';

/**
 * The source of an index's vectors: a ready embedder, or one that is trained on the documents and stored in the index.
 */
export interface Vectors {
  /** True while there is no embedder; `train` must be called first. */
  readonly untrained: boolean;
  /** Number of chunks to gather with `addSample` before `train`. */
  readonly sampleChunks: number;
  /** True where documents may be embedded before their batch is full: nothing is billed, and threads do the work. */
  readonly isAhead?: boolean | undefined;
  /** True where other processes embed what they have cut: many documents at a time. */
  readonly isDistant?: boolean | undefined;
  /** Bounds of a commit, if the embedder needs its own. */
  readonly commit?: Partial<BatchLimits> | undefined;
  /** Tells that a sample is about to come. */
  expectSample?(): void;
  /** Takes a document of the sample, which is analysed while others are read. Resolves when there is room for more. */
  addSample(document: EmbedDocument, options?: CallOptions): Promise<void>;
  /** Trains on the sample; the model is stored while it embeds already. */
  train(options?: CallOptions): Promise<void>;
  /**
   * Vectors of the documents of the sample, in their order, as far as the training made them. A second call gives
   * nothing.
   */
  takeSample?(): readonly (readonly Int8Array[] | undefined)[];
  /** Resolves when the trained model is stored: before any of its vectors is. */
  adopted?(): Promise<void>;
  /** The embedder, opened at the first call: a run that embeds nothing loads no model. */
  embedder(): Promise<Embedder>;
  /** Billed usage so far, for an embedder that costs money; in a dry run, an estimate. */
  usage?(): EmbedUsage | undefined;
  /** Ends the embedder's threads; a later call starts them again. */
  close(): Promise<void>;
}

/** The vectors of an embedder that needs no training. */
export function fixedVectors(embedder: Embedder): Vectors {
  return {
    untrained: false,
    sampleChunks: 0,
    addSample: async () => {},
    train: async () => {},
    embedder: async () => embedder,
    close: async () => {},
  };
}
