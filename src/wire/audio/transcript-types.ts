import type { Upload } from './upload.ts';

export interface AdditionalFormat {
  readonly format: 'srt' | 'txt' | 'docx' | 'pdf' | 'html' | 'segmented_json' | (string & {});
  readonly include_speakers?: boolean | undefined;
  readonly include_timestamps?: boolean | undefined;
  readonly max_characters_per_line?: number | undefined;
  readonly segment_on_silence_longer_than_s?: number | undefined;
  readonly max_segment_duration_s?: number | undefined;
  readonly max_segment_chars?: number | undefined;
}

/** Fields in the wire's spelling; exactly one of `file`, `source_url` and `cloud_storage_url`. */
export interface TranscriptRequest {
  readonly file?: Upload | undefined;
  readonly source_url?: string | undefined;
  readonly cloud_storage_url?: string | undefined;
  readonly model_id?: string | undefined;
  /** ISO 639-1 or 639-3; detected when omitted. */
  readonly language_code?: string | undefined;
  readonly tag_audio_events?: boolean | undefined;
  /** At most this many, 1 to 32. */
  readonly num_speakers?: number | undefined;
  readonly timestamps_granularity?: 'none' | 'word' | 'character' | undefined;
  readonly diarize?: boolean | undefined;
  /** 0.1 to 0.4; only with `diarize` and without `num_speakers`. */
  readonly diarization_threshold?: number | undefined;
  readonly additional_formats?: readonly AdditionalFormat[] | undefined;
  readonly file_format?: 'pcm_s16le_16' | 'other' | undefined;
  readonly keyterms?: readonly string[] | undefined;
  readonly entity_detection?: string | readonly string[] | undefined;
  readonly entity_redaction?: string | readonly string[] | undefined;
  readonly entity_redaction_mode?: string | undefined;
  readonly no_verbatim?: boolean | undefined;
  readonly detect_speaker_roles?: boolean | undefined;
  readonly use_speaker_library?: boolean | undefined;
  readonly use_multi_channel?: boolean | undefined;
  readonly multichannel_output_style?: 'separate' | 'combined' | undefined;
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
  readonly webhook?: boolean | undefined;
  readonly webhook_id?: string | undefined;
  /** An object, or its JSON; depth 2, 16 KB. */
  readonly webhook_metadata?: string | Readonly<Record<string, unknown>> | undefined;
  readonly enable_logging?: boolean | undefined;
  /** A single-use token. */
  readonly token?: string | undefined;
}

export interface TranscriptCharacter {
  readonly text: string;
  readonly start?: number | null | undefined;
  readonly end?: number | null | undefined;
}

/** A word, the space between two words, or a sound that is no word. Times are seconds. */
export interface TranscriptWord {
  readonly text: string;
  readonly start?: number | null | undefined;
  readonly end?: number | null | undefined;
  readonly type: 'word' | 'spacing' | 'audio_event' | (string & {});
  readonly speaker_id?: string | null | undefined;
  readonly logprob?: number | null | undefined;
  readonly characters?: readonly TranscriptCharacter[] | null | undefined;
  readonly channel_index?: number | null | undefined;
}

export interface TranscriptEntity {
  readonly text: string;
  readonly entity_type: string;
  readonly start_char: number;
  readonly end_char: number;
}

export interface TranscriptFile {
  readonly requested_format: string;
  readonly file_extension?: string | null | undefined;
  readonly content_type?: string | null | undefined;
  readonly is_base64_encoded: boolean;
  readonly content: string;
}

/** Silence gives an empty `words` and `text`: a valid result. */
export interface Transcript {
  readonly language_code?: string | null | undefined;
  readonly language_probability?: number | null | undefined;
  readonly text: string;
  readonly words: readonly TranscriptWord[];
  readonly transcription_id?: string | null | undefined;
  readonly audio_duration_secs?: number | null | undefined;
  readonly entities?: readonly TranscriptEntity[] | null | undefined;
  readonly additional_formats?: readonly (TranscriptFile | null)[] | null | undefined;
  readonly channel_index?: number | null | undefined;
}

/** What came back, told apart by the fields that are there: the service answers in three shapes. */
export type TranscriptBody =
  | { readonly kind: 'transcript'; readonly transcript: Transcript; readonly transcription_id: string | undefined }
  | {
      readonly kind: 'multichannel';
      readonly transcripts: readonly Transcript[];
      readonly transcription_id: string | undefined;
      readonly audio_duration_secs: number | undefined;
    }
  /** Taken on; the transcript comes by webhook, or by `transcripts.get` with `transcription_id`. */
  | {
      readonly kind: 'accepted';
      readonly message: string;
      readonly request_id: string | undefined;
      readonly transcription_id: string | undefined;
    };
