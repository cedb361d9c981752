/**
 * How the audio service misbehaves beside the faults of the harness: what only its operations can get wrong. Set and
 * unset by tests.
 */
export interface AudioScript {
  /** Errors as legacy objects `{status, message}` with the legacy names. */
  legacyErrors?: boolean | undefined;
  /** Status of an exhausted quota: 401 `quota_exceeded` (legacy object) or 402 `insufficient_credits`. @default 401 */
  quotaStatus?: 401 | 402 | undefined;
  /** Milliseconds a generation is held, so that concurrency can be seen. */
  holdMs?: number | undefined;
  /** No `character-cost` header, or under its older name. */
  characterCost?: 'absent' | 'old-name' | undefined;
  /** All WAV refused below Pro (one report). */
  wavRefused?: boolean | undefined;
  speech?: SpeechScript | undefined;
  transcription?: TranscriptionScript | undefined;
  /** Polls a dub, a project or a podcast needs to be ready. @default 1 */
  polls?: number | undefined;
  /** Ends dubs in `failed` with this text. */
  dubbingFailure?: string | undefined;
}

export interface SpeechScript {
  /** `data:` before each JSON line, as server-sent events have it. */
  dataPrefix?: boolean | undefined;
  /** Blank lines between JSON lines. */
  blankLines?: boolean | undefined;
  /** Times begin at 0 again in every chunk of a timed stream. */
  restartTimes?: boolean | undefined;
  /** Both alignments null. */
  withoutAlignment?: boolean | undefined;
  /** `charsDurationsMs` instead of `charDurationsMs` on sockets. */
  olderDurations?: boolean | undefined;
  /** `is_final` instead of `isFinal` on multi-context sockets. */
  snakeFinal?: boolean | undefined;
  /** After so many seconds all later characters share one time (dialogue). */
  freezeAfterSeconds?: number | undefined;
  /** Share of the audio that is really delivered: v3 ending early. */
  deliveredShare?: number | undefined;
  /** A 200 with nothing, or with JSON, where audio should be. */
  badAudio?: 'empty' | 'json' | undefined;
  /** Milliseconds without client text after which a socket is closed. @default 20,000, or the query's value */
  idleMs?: number | undefined;
}

export interface TranscriptionScript {
  /** Spacing intervals reach into their neighbours. */
  overlappingSpacing?: boolean | undefined;
  /** No words and no text, as for silence. */
  silence?: boolean | undefined;
  /** Start and end null on every third item. */
  nullTimes?: boolean | undefined;
  /** All words after this many seconds share one time. */
  frozenAfterSeconds?: number | undefined;
  /** The plain shape, whatever the number of channels. */
  monoAnswer?: boolean | undefined;
  /** Three-letter language codes. */
  longLanguageCodes?: boolean | undefined;
  /** HTTP status of an asynchronous request. @default 202 */
  asyncStatus?: 200 | 202 | undefined;
  /** Reads of a transcript that answer 404 before it is there. @default 0 */
  polls?: number | undefined;
  /** Where finished asynchronous transcripts are delivered, with what secret, and in which form. */
  webhook?: { url: string; secret: string; form?: 'current' | 'bare' | 'older' } | undefined;
  /** Realtime: error message type sent after the first audio. */
  realtimeError?: string | undefined;
  /** Realtime: text of the commit before comes again. */
  repeatCommit?: boolean | undefined;
}
