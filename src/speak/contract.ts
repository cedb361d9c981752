import type { CallOptions, Span } from '../core/types.ts';

/** The text that one voice says without interruption. */
export interface SpokenTurn {
  /** With at least one letter or digit. */
  readonly text: string;
  /** As the speaker names its voices. @default the first of `Speaker.voices` */
  readonly voice?: string | undefined;
}

/** When a stretch of a turn is heard. */
export interface SpokenSpan extends Span {
  /** Index of the turn; `start` and `end` are offsets in its text. */
  readonly turn: number;
  /** From the start of the whole sound. */
  readonly startMs: number;
  /** At least `startMs`. */
  readonly endMs: number;
}

/** `pcm`: samples of 16 bits, little-endian, one channel, without a header. */
export type SoundFormat = 'pcm' | 'mp3';

/** The parts of a call in order are its sound and its spans. */
export interface SoundPart {
  /** Cut anywhere, pcm between two samples. May be empty. */
  readonly audio: Uint8Array;
  /** The same for all parts of a call, samples a second. */
  readonly sampleRate: number;
  /** In the order of the text, without overlap; from a speaker that knows no times, one for each turn. */
  readonly spans: readonly SpokenSpan[];
}

/** Limits of one call. */
export interface SpeakerLimits {
  /** Characters of one turn. */
  readonly characters: number;
  readonly voices: number;
}

export interface SpeakCall extends CallOptions {
  /** One of `Speaker.formats`. @default pcm */
  readonly format?: SoundFormat | undefined;
  /** ISO 639, two or three letters, of the text. @default as the voice is */
  readonly language?: string | undefined;
}

/** Text → sound with times. `ibid/testing` checks an implementation. */
export interface Speaker {
  /** Model and settings that shape its sound. */
  readonly id: string;
  /** `pcm` is always among them. */
  readonly formats: readonly SoundFormat[];
  readonly limits: SpeakerLimits;
  /** The voices it was given or has for turns that name none: at least one; two voices of a talk are the first two. */
  readonly voices: readonly string[];
  /**
   * Price of 1,000 characters, in USD; of a conversation, if it differs. Absent: unknown, and a budget is refused. 0:
   * free.
   */
  price?(isConversation?: boolean): number | undefined;
  /**
   * Sound as it is made. Turns that come one by one are spoken as they come; an array of several voices is a
   * conversation, and spoken as one.
   * @throws IbidError of the service
   */
  speak(
    turns: readonly SpokenTurn[] | AsyncIterable<SpokenTurn>,
    call: SpeakCall,
  ): AsyncGenerator<SoundPart, void, undefined>;
}

/** Totals of the speech. */
export interface SpeechUsage {
  readonly speaker: string;
  readonly turns: number;
  readonly characters: number;
  /** Of sound. */
  readonly seconds: number;
  /** Absent: the price is not known. */
  readonly costUsd?: number;
}
