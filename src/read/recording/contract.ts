import type { ReadWarning } from '../../core/types.ts';
import type { SpokenWord, Transcript } from '../../transcribe/contract.ts';

/** What the container of a recording says, without decoding. */
export interface RecordingInfo {
  /** `MPEG`, `WAVE`, `Ogg`, … */
  readonly container: string;
  readonly codec: string;
  /** 0: the container does not say. */
  readonly durationMs: number;
  /** 0: the container does not say. */
  readonly channels: number;
  readonly title?: string;
  readonly artist?: string;
  readonly album?: string;
  /** As it is written there: a year, or `YYYY-MM-DD`. */
  readonly date?: string;
  readonly chapters: readonly Chapter[];
  /** Lines with times, else plain text. */
  readonly lyrics?: { readonly words: readonly SpokenWord[] } | { readonly text: string };
  readonly hasVideo: boolean;
  readonly warnings: readonly ReadWarning[];
}

/** A chapter of a recording, from its beginning on. */
export interface Chapter {
  readonly title: string;
  readonly startMs: number;
}

/** What makes the text of a recording. */
export interface RecordingInput {
  /** The transcript that lies beside the file. */
  readonly beside?: { readonly path: string } | undefined;
  /** A transcript that was made. */
  readonly made?: { readonly transcript: Transcript; readonly by: string } | undefined;
  readonly names?: SpeakerNames | undefined;
}

/** Names by number in the order of their first words, from 1, or by the name in the transcript. */
export type SpeakerNames = Readonly<Record<string, string>>;

/** A recording that waits for its transcript. */
export interface WaitingRecording {
  readonly path: string;
  readonly uri: string;
  readonly info: Pick<RecordingInfo, 'durationMs' | 'channels' | 'container' | 'codec'>;
}
