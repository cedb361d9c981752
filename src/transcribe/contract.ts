import type { CallOptions } from '../core/types.ts';

/** A word as it was said; of captions whose words have no times, a whole caption. Times from the recording's start. */
export interface SpokenWord {
  readonly text: string;
  readonly startMs: number;
  /** At least `startMs`. */
  readonly endMs: number;
  /** As the transcript names the speaker, e.g. `speaker_0`. Absent: the transcript knows no speakers. */
  readonly speaker?: string;
  /** A sound that is no word: `(laughter)`. */
  readonly event?: boolean;
  /** Follows the word before it without a blank. */
  readonly joined?: boolean;
}

/** Words in reading order. Starts ascend, unless two people speak at a time. No words: nobody speaks. */
export interface Transcript {
  /** ISO 639, two or three letters. */
  readonly language?: string;
  readonly words: readonly SpokenWord[];
}

/** Limits of one request. */
export interface TranscriberLimits {
  readonly bytes: number;
  readonly seconds: number;
  /** Where each channel is a speaker. @default `seconds` */
  readonly multichannelSeconds?: number;
}

/** A recording, or a part of one, on its way to a transcriber. */
export interface Sound {
  /** A file name with its extension. */
  readonly name: string;
  readonly seconds: number;
  readonly channels: number;
  readonly sizeBytes: number;
  /** The bytes from the start, anew at each call. */
  open(): AsyncIterable<Uint8Array>;
}

/** Hints of the caller about the recordings of a run. */
export interface TranscriptionSettings {
  /** ISO 639, two or three letters. @default detected */
  readonly language?: string | undefined;
  /** Most speakers, 1 to 32. @default found */
  readonly speakers?: number | undefined;
  /** Each channel is one speaker; billed for each channel. @default false */
  readonly multichannel?: boolean | undefined;
}

export interface TranscribeCall extends CallOptions, TranscriptionSettings {
  /** Names and terms to spell right. */
  readonly keyterms?: readonly string[] | undefined;
  /** The id under which an earlier call was accepted whose answer never arrived: ask for that one. */
  readonly ticket?: string | undefined;
  /** For a service that answers later: told of the id, and awaited, before the answer is waited for. */
  readonly onTicket?: ((ticket: string) => Promise<void>) | undefined;
}

/** The result of one transcription. */
export interface TranscriberReply {
  readonly transcript: Transcript;
  /** As the service says; absent: it does not say. */
  readonly costUsd?: number | undefined;
}

/** Sound → words with times. `ibid/testing` checks an implementation. */
export interface Transcriber {
  /** Model and settings that shape its transcripts; part of the key under which they are kept. */
  readonly id: string;
  readonly limits: TranscriberLimits;
  /**
   * Price of an hour of sound, in USD; with key terms, if it differs. Absent: unknown, and a budget is refused.
   * 0: free.
   */
  price?(hasKeyterms: boolean): number | undefined;
  /** @throws IbidError of the service */
  transcribe(sound: Sound, call: TranscribeCall): Promise<TranscriberReply>;
}

/** The receipt of one answered request whose transcript is stored. */
export interface TranscriptReceipt {
  /** The same for all requests of one run. */
  readonly run: string;
  readonly transcriber: string;
  /** Of sound that was sent; once for each channel that is billed. */
  readonly seconds: number;
  /** Absent: neither the service nor the settings know the price. */
  readonly costUsd?: number;
  /** When the request was sent, in ms since 1970, and the time until its answer, in ms. */
  readonly sentAt: number;
  readonly elapsedMs: number;
}

/** Stores values by key. After `put` returns, its data survives a crash. A value never changes. */
export interface TranscriptCache {
  get(key: string): Promise<unknown>;
  /** @param receipt stored in the same commit */
  put(key: string, value: unknown, receipt?: TranscriptReceipt): Promise<void>;
  remove(key: string): Promise<void>;
  receipts(): Promise<readonly TranscriptReceipt[]>;
}

/** Totals of the transcriptions of a run; in a dry run, the expected totals. */
export interface TranscriptionUsage {
  readonly recordings: number;
  readonly requests: number;
  /** Of sound that was sent and answered; parts of a long recording overlap. */
  readonly seconds: number;
  /** Recordings whose transcript was already stored. */
  readonly cached: number;
  /** Absent: the price is not known. */
  readonly costUsd?: number;
  /** Requests without an answer, which the service may have executed and billed. */
  readonly unanswered: number;
  /** Only in a dry run. */
  readonly expected?: {
    readonly ms: number;
    /** `measured`: at the speed of earlier runs; `assumed`: at the slowest speed that the service states. */
    readonly basis: 'measured' | 'assumed';
  };
}

/** Totals of all transcription runs of an index. */
export interface TranscribedTotals {
  readonly requests: number;
  readonly seconds: number;
  /** Absent: the price is not known. */
  readonly costUsd?: number;
}
