import type { CallOptions } from '../core/types.ts';
import type { EmbedDocument, Embedder } from '../embed/contract.ts';
import type { EmbedUsage } from '../embed/service/contract.ts';
import type { BatchLimits } from './batch.ts';

/**
 * How an index gets its vectors: from an embedder that is simply there, or from one that must first be trained on the
 * documents and is kept with the index.
 */
export interface Vectors {
  /** True until there is an embedder to open: then `train` comes first. */
  readonly untrained: boolean;
  /** Chunks worth gathering before `train`. */
  readonly sampleChunks: number;
  /** How many documents to gather before a commit, where the embedder has a word in it. */
  readonly commit?: Partial<BatchLimits> | undefined;
  /** Trains and stores the model. */
  train(sample: readonly EmbedDocument[], options?: CallOptions): Promise<void>;
  /** Opened when first asked for: a run that embeds nothing loads no model. */
  embedder(): Promise<Embedder>;
  /** What was paid for so far, where vectors cost money; in a dry run, what would be. */
  usage?(): EmbedUsage | undefined;
  /** Ends what embeds; it starts again when somebody embeds. */
  close(): Promise<void>;
}

/** An embedder that needs no training. */
export function fixedVectors(embedder: Embedder): Vectors {
  return {
    untrained: false,
    sampleChunks: 0,
    train: async () => {},
    embedder: async () => embedder,
    close: async () => {},
  };
}
