import type { LocalModelInfo } from './model.ts';

/** What was embedded with a model since it was trained; add up the counts of runs. */
export interface EmbeddedCounts {
  readonly chunks: number;
  readonly tokens: number;
  /** Tokens that have no vector. */
  readonly unknown: number;
}

export interface Drift {
  /** Chunks in the corpus for each chunk that training knew of; 1 right after training. */
  readonly growth: number;
  /** Whether a new training would see more chunks than the last: its sample was smaller than it may be. */
  readonly sampleGrows: boolean;
  /** Share of the added tokens that have no vector, and the share that training led to expect. */
  readonly unknownShare: number;
  readonly expectedUnknownShare: number;
  /** Tokens that `unknownShare` rests on, and their chunks for each chunk that training knew of. */
  readonly addedTokens: number;
  readonly addedShare: number;
}

/**
 * How far a corpus has moved from the one its model was trained on.
 * @param chunks in the corpus now
 * @param added counts of what was embedded after training, without the chunks that training knew of
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

/** Below this many added tokens their unknown share says little. */
const evidenceTokens = 2000;
/** Training anew embeds the whole corpus again: not for less than this share of it. */
const worthwhileShare = 0.1;

/**
 * Why a model should be trained anew, or `undefined` when it still serves:
 * `'growth'` — the corpus has doubled, and the sample was not yet as large as it may be;
 * `'vocabulary'` — of at least 2,000 added tokens, in a tenth as many chunks as training knew of, more than 1.5 times
 * the expected share plus 0.05 have no vector.
 */
export function shouldRetrain(drift: Drift): 'growth' | 'vocabulary' | undefined {
  if (drift.growth >= 2 && drift.sampleGrows) return 'growth';
  const alien = drift.unknownShare > 1.5 * drift.expectedUnknownShare + 0.05;
  const enough = drift.addedTokens >= evidenceTokens && drift.addedShare >= worthwhileShare;
  return alien && enough ? 'vocabulary' : undefined;
}
