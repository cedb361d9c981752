import type { CallOptions } from '../core/types.ts';
import type { EmbedDocument, Embedder } from '../embed/contract.ts';

/**
 * How an index gets its vectors: from an embedder that is simply there, or from one that must first be trained on the
 * documents and is kept with the index.
 */
export interface Vectors {
  /** The embedder, once there is one. */
  readonly embedder: Embedder | undefined;
  /** Chunks worth gathering before `train`; 0 when there is nothing to train. */
  readonly sampleChunks: number;
  /** Trains and stores the model; afterwards `embedder` is set. */
  train(sample: readonly EmbedDocument[], options?: CallOptions): Promise<void>;
}

/** An embedder that needs no training. */
export function fixedVectors(embedder: Embedder): Vectors {
  return { embedder, sampleChunks: 0, train: async () => {} };
}
