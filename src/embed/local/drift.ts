import type { LocalModelInfo } from './model.ts';

/** Counts of texts that were embedded since the training; counts of several runs add up. */
export interface EmbeddedCounts {
  readonly chunks: number;
  readonly tokens: number;
  /** Tokens without a vector. */
  readonly unknown: number;
}

interface Drift {
  /** Chunks in the corpus per chunk at the training; 1 right after training. */
  readonly growth: number;
  /** True when a new training would use more chunks than the last: its sample was below the maximum. */
  readonly sampleGrows: boolean;
  /** Share of the added tokens without a vector, and the share expected at the training. */
  readonly unknownShare: number;
  readonly expectedUnknownShare: number;
  /** Number of added tokens, and of their chunks per chunk at the training. */
  readonly addedTokens: number;
  readonly addedShare: number;
}

/**
 * How much a corpus has changed since its model was trained.
 * @param chunks in the corpus now
 * @param added counts of texts embedded after the training, without the chunks known to the training
 */
export function driftOf(
  model: Pick<LocalModelInfo, 'chunksSeen' | 'trainedOnChunks' | 'maxChunks' | 'unknownShare'>,
  chunks: number,
  added: EmbeddedCounts,
): Drift {
  return {
    growth: model.chunksSeen === 0 && chunks === 0 ? 1 : chunks / model.chunksSeen,
    sampleGrows: chunks > model.trainedOnChunks && model.trainedOnChunks < model.maxChunks,
    unknownShare: added.tokens === 0 ? 0 : added.unknown / added.tokens,
    expectedUnknownShare: model.unknownShare,
    addedTokens: added.tokens,
    addedShare: added.chunks === 0 ? 0 : added.chunks / model.chunksSeen,
  };
}

/** With fewer added tokens, their unknown share is not reliable. */
const evidenceTokens = 2000;
/** Least share of added chunks for a new training, because it embeds the whole corpus again. */
const worthwhileShare = 0.1;

/**
 * The reason to train a model again, or `undefined`:
 * `'growth'`: the corpus has doubled, and the sample was below its maximum;
 * `'vocabulary'`: the added texts have at least 2,000 tokens, in at least a tenth as many chunks as at the training,
 * and more than 1.5 times the expected share plus 0.05 of these tokens have no vector.
 */
export function shouldRetrain(drift: Drift): 'growth' | 'vocabulary' | undefined {
  if (drift.growth >= 2 && drift.sampleGrows) return 'growth';
  const alien = drift.unknownShare > 1.5 * drift.expectedUnknownShare + 0.05;
  const enough = drift.addedTokens >= evidenceTokens && drift.addedShare >= worthwhileShare;
  return alien && enough ? 'vocabulary' : undefined;
}
