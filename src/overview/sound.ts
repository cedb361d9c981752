/** When a sentence of a script is said. */
export interface SpokenSentence {
  /** Of the script, from 0. */
  readonly turn: number;
  /** Of the turn, from 0. */
  readonly sentence: number;
  /** From the start of the whole, in ms. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** A conversation as it is heard. */
export interface SpokenScript {
  readonly audio: Uint8Array;
  /** `audio/wav`, `audio/mpeg`. */
  readonly mediaType: string;
  readonly seconds: number;
  /** Every sentence, in order. */
  readonly sentences: readonly SpokenSentence[];
}
